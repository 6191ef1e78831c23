//! Why two rows cannot be compared.

use std::fmt;

/// One of the two rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The first argument: what is expected.
    Here,
    /// The second: what is held against it.
    There,
}

impl fmt::Display for Side {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Side::Here => "here",
            Side::There => "there",
        })
    }
}

/// What is wrong, and where. A row with a fault has no figures at all.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum RowFault {
    /// Rows of different lengths.
    #[error("{here} values here, {there} there")]
    UnlikeLengths {
        /// Values of the first row.
        here: usize,
        /// Of the second.
        there: usize,
    },
    /// Fewer values than a comparison needs: one, or two where there is a best and a second.
    #[error("{values} values; at least {least} are needed")]
    TooShort {
        /// How many there are.
        values: usize,
        /// How many are needed.
        least: usize,
    },
    /// NaN or an infinity; the first of the row.
    #[error("value {index} is {value} {side}")]
    NotFinite {
        /// Which row.
        side: Side,
        /// Its index.
        index: usize,
        /// What it is.
        value: f32,
    },
    /// Every value is zero: such a row has no direction.
    #[error("every value is zero {side}")]
    AllZero {
        /// Which row.
        side: Side,
    },
}
