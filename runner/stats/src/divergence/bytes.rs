//! Numbers out of a file's bytes: here, since it is done tens of millions of times.

/// Reads little-endian `f32` values, four bytes each, into as many places as both have.
pub fn floats_of_bytes(bytes: &[u8], values: &mut [f32]) {
    let (fours, _) = bytes.as_chunks::<4>();
    for (value, four) in values.iter_mut().zip(fours) {
        *value = f32::from_le_bytes(*four);
    }
}
