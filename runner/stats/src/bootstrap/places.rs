//! Random places in a sample, many at a time.

use crate::Draws;

/// Draws uniform places below a bound.
///
/// Source: D. Lemire, "Fast random integer generation in an interval", ACM Transactions on
/// Modeling and Computer Simulation 29 (2019): the high half of `word * bound` is a place, and
/// words whose low half is under `2^32 mod bound` are thrown away, so that all places are
/// equally likely. One word in `2^32 / bound` or more is: a whole row is made first and looked
/// at again only when that happened.
pub(super) struct Places {
    bound: u32,
    rejected_under: u32,
    bytes: Vec<u8>,
}

impl Places {
    /// `bound` of 0 gives places 0.
    pub(super) fn new(bound: u32) -> Places {
        let rejected_under = if bound == 0 { 0 } else { bound.wrapping_neg() % bound };
        Places { bound, rejected_under, bytes: Vec::new() }
    }

    /// Fills a row.
    pub(super) fn fill(&mut self, row: &mut [u32], draws: &mut Draws) {
        self.bytes.resize(4 * row.len(), 0);
        draws.fill(&mut self.bytes);
        let mut least = u32::MAX;
        for (place, bytes) in row.iter_mut().zip(self.bytes.chunks_exact(4)) {
            let product = product(bytes, self.bound);
            *place = (product >> 32) as u32;
            least = least.min(product as u32);
        }
        if least >= self.rejected_under {
            return;
        }
        for (place, bytes) in row.iter_mut().zip(self.bytes.chunks_exact(4)) {
            let mut drawn = product(bytes, self.bound);
            while (drawn as u32) < self.rejected_under {
                let mut again = [0; 4];
                draws.fill(&mut again);
                drawn = product(&again, self.bound);
            }
            *place = (drawn >> 32) as u32;
        }
    }
}

fn product(bytes: &[u8], bound: u32) -> u64 {
    let word = match bytes {
        [a, b, c, d] => u32::from_le_bytes([*a, *b, *c, *d]),
        _ => 0,
    };
    u64::from(word) * u64::from(bound)
}

#[cfg(test)]
mod tests {
    use super::Places;
    use crate::Draws;

    #[test]
    fn places_are_even() {
        let mut counts = [0_u32; 7];
        let mut row = vec![0; 70_000];
        Places::new(7).fill(&mut row, &mut Draws::new(1, "places"));
        for place in row {
            counts[place as usize] += 1;
        }
        // Standard deviation of a count: 93.
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 470), "{counts:?}");
    }

    #[test]
    fn a_bound_that_rejects_often_is_even_too() {
        // Of words below 2^32 a quarter is rejected, and without that the places of the lower
        // half would come up oftener.
        let bound = 3 << 30;
        let mut row = vec![0; 40_000];
        Places::new(bound).fill(&mut row, &mut Draws::new(2, "places"));
        let mut thirds = [0_u32; 3];
        for place in row {
            assert!(place < bound);
            thirds[(place >> 30) as usize] += 1;
        }
        // Standard deviation of a count: 94.
        assert!(thirds.iter().all(|count| count.abs_diff(13_333) < 470), "{thirds:?}");
    }

    #[test]
    fn a_seed_gives_the_same_places_for_ever() {
        let mut row = [0; 6];
        Places::new(1000).fill(&mut row, &mut Draws::new(20_261_129, "test"));
        assert_eq!(row, [316, 709, 337, 466, 401, 508]);
        // The words are the stream's, low half first.
        let mut stream = Draws::new(20_261_129, "test");
        let words = [stream.bits(), stream.bits(), stream.bits()]
            .map(|word| [word & 0xffff_ffff, word >> 32]);
        for (place, word) in row.iter().zip(words.as_flattened()) {
            assert_eq!(u64::from(*place), (word * 1000) >> 32);
        }
        Places::new(0).fill(&mut row, &mut Draws::new(1, "test"));
        assert_eq!(row, [0; 6]);
    }
}
