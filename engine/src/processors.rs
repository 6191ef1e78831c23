//! Sets of processors, written as the manifest writes them: `0x3` is processors 0 and 1.

use std::collections::BTreeSet;
use std::fmt;

/// A set of processor numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProcessorMask {
    processors: BTreeSet<u32>,
}

/// Why a text is no mask.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProcessorMaskError {
    /// Not `0x` and hexadecimal digits.
    #[error("`{0}` is not 0x followed by hexadecimal digits")]
    NotHexadecimal(String),
    /// No bit is set.
    #[error("`{0}` names no processor")]
    Empty(String),
}

impl ProcessorMask {
    /// Reads `0x…`, lowest bit is processor 0.
    ///
    /// # Errors
    /// [`ProcessorMaskError`] when the text is not hexadecimal, or names no processor.
    pub fn parse(text: &str) -> Result<Self, ProcessorMaskError> {
        let wrong = || ProcessorMaskError::NotHexadecimal(text.to_owned());
        let digits = text.strip_prefix("0x").filter(|rest| !rest.is_empty()).ok_or_else(wrong)?;
        let mut mask = Self::default();
        for (place, digit) in (0_u32..).zip(digits.chars().rev()) {
            let digit = digit.to_digit(16).ok_or_else(wrong)?;
            for bit in (0..4).filter(|bit| digit & (1 << bit) != 0) {
                mask.processors.insert(place * 4 + bit);
            }
        }
        if mask.processors.is_empty() {
            return Err(ProcessorMaskError::Empty(text.to_owned()));
        }
        Ok(mask)
    }

    /// Adds a processor.
    pub fn insert(&mut self, processor: u32) {
        self.processors.insert(processor);
    }

    /// Number of processors.
    #[must_use]
    pub fn len(&self) -> usize {
        self.processors.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.processors.is_empty()
    }

    /// Processors, lowest first.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.processors.iter().copied()
    }

    /// Those of this set that are not in `other`.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        Self { processors: self.processors.difference(&other.processors).copied().collect() }
    }

    /// Those in either set.
    #[must_use]
    pub fn joined(&self, other: &Self) -> Self {
        Self { processors: self.processors.union(&other.processors).copied().collect() }
    }
}

impl FromIterator<u32> for ProcessorMask {
    fn from_iter<I: IntoIterator<Item = u32>>(processors: I) -> Self {
        Self { processors: processors.into_iter().collect() }
    }
}

impl fmt::Display for ProcessorMask {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let highest = self.processors.last().map_or(0, |highest| highest / 4);
        out.write_str("0x")?;
        for place in (0..=highest).rev() {
            let digit = (0..4)
                .filter(|bit| self.processors.contains(&(place * 4 + bit)))
                .fold(0, |digit, bit| digit | (1_u32 << bit));
            write!(out, "{digit:x}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_reads_and_writes_the_same_text() {
        for text in ["0x1", "0x3", "0x10", "0xf0f", "0x80000000000000000"] {
            assert_eq!(ProcessorMask::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(ProcessorMask::parse("0x0A").unwrap().iter().collect::<Vec<_>>(), [1, 3]);
    }

    #[test]
    fn a_text_that_is_no_mask_is_refused() {
        for text in ["", "0x", "3", "0xg", "0x-1", "0x 1"] {
            assert!(
                matches!(ProcessorMask::parse(text), Err(ProcessorMaskError::NotHexadecimal(_))),
                "{text}"
            );
        }
        assert!(matches!(ProcessorMask::parse("0x00"), Err(ProcessorMaskError::Empty(_))));
    }

    #[test]
    fn sets_are_subtracted_and_joined() {
        let low = ProcessorMask::parse("0x3").unwrap();
        let high = ProcessorMask::parse("0x6").unwrap();
        assert_eq!(low.without(&high).to_string(), "0x1");
        assert_eq!(low.joined(&high).to_string(), "0x7");
    }
}
