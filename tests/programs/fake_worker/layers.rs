//! How many layers a model file says it has.

use std::io::Read;
use std::path::Path;

/// The header of a model file lies within so many bytes, its texts aside.
const HEADER_BYTES: u64 = 1 << 16;
/// GGUF's number of the type `uint32`.
const UNSIGNED: u32 = 4;

/// The value of `….block_count`; 1 of a script.
pub fn layers_of(model: &Path) -> u32 {
    let mut header = Vec::new();
    let read = std::fs::File::open(model)
        .and_then(|file| file.take(HEADER_BYTES).read_to_end(&mut header));
    read.ok().and_then(|_| found(&header)).unwrap_or(1)
}

fn found(header: &[u8]) -> Option<u32> {
    let key = b".block_count";
    let end = header.windows(key.len()).position(|part| part == key)? + key.len();
    let number = |from: usize| -> Option<u32> {
        Some(u32::from_le_bytes(header.get(from..from + 4)?.try_into().ok()?))
    };
    (number(end)? == UNSIGNED).then(|| number(end + 4)).flatten()
}
