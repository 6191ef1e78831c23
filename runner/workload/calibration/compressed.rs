//! How far a text can be compressed: a greedy LZ77 parse (Ziv and Lempel 1977) whose cost is counted
//! and whose output is thrown away.

use std::collections::HashMap;

/// Shortest copy: a shorter one costs as much as its letters.
const SHORTEST: usize = 4;
/// Longest copy and farthest place, those of deflate (RFC 1951).
const LONGEST: usize = 258;
const WINDOW: usize = 32_768;
/// Places that are tried for a copy, the latest first, so that long texts take linear time.
const TRIED: usize = 32;
/// A flag and a letter.
const LETTER_BITS: usize = 1 + 8;
/// A flag, a distance of 15 bits and a length of 8.
const COPY_BITS: usize = 1 + 15 + 8;

/// Bits of the parse over bits of the text: small for a text that repeats itself, up to 1.125 for
/// one without any repetition. `None` for an empty text.
pub(super) fn compressed_share(text: &str) -> Option<f64> {
    let bytes = text.as_bytes();
    if bytes.is_empty() {
        return None;
    }
    let mut places: HashMap<&[u8], Vec<usize>> = HashMap::new();
    let mut bits = 0;
    let mut at = 0;
    while at < bytes.len() {
        let copied = longest_copy(bytes, at, &places);
        let step = copied.unwrap_or(1);
        bits += if copied.is_some() { COPY_BITS } else { LETTER_BITS };
        for place in at..at + step {
            if let Some(start) = bytes.get(place..place + SHORTEST) {
                places.entry(start).or_default().push(place);
            }
        }
        at += step;
    }
    Some(bits as f64 / (8 * bytes.len()) as f64)
}

/// Length of the longest copy of an earlier place that stands at `at`.
fn longest_copy(bytes: &[u8], at: usize, places: &HashMap<&[u8], Vec<usize>>) -> Option<usize> {
    let start = bytes.get(at..at + SHORTEST)?;
    let from_here = bytes.get(at..)?;
    let near = places.get(start)?.iter().rev().take_while(|place| at - **place <= WINDOW);
    let lengths = near.take(TRIED).map(|place| {
        let from_there = bytes.get(*place..).unwrap_or_default();
        let same = from_there.iter().zip(from_here).take(LONGEST);
        same.take_while(|(there, here)| there == here).count()
    });
    lengths.max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_cost_nine_bits_and_copies_twenty_four() {
        assert_eq!(compressed_share("abcd"), Some(36.0 / 32.0));
        // four letters, then one copy that overlaps itself
        assert_eq!(compressed_share(&"abcd".repeat(10)), Some((36.0 + 24.0) / 320.0));
        assert_eq!(compressed_share(""), None);
    }

    #[test]
    fn a_long_text_without_end_is_cut_into_copies() {
        let share = compressed_share(&"a".repeat(100_000)).unwrap();
        assert!(share < 0.02, "{share}");
    }
}
