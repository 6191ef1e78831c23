//! Faults of rows, in the words of whoever compares them.

use crate::stats::{RowFault, Side};

/// What the two rows are called, and what is counted along them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Words {
    pub(super) here: &'static str,
    pub(super) there: &'static str,
    pub(super) index: &'static str,
}

/// A fault with its place.
pub(super) fn fault_in(fault: RowFault, words: Words, place: &str) -> String {
    let name = |side: Side| match side {
        Side::Here => words.here,
        Side::There => words.there,
    };
    match fault {
        RowFault::NotFinite { side, index, value } => {
            format!("{} is {value} in {place}, {} {index}", name(side), words.index)
        }
        RowFault::AllZero { side } => format!("{} is zero throughout in {place}", name(side)),
        RowFault::UnlikeLengths { here, there } => {
            format!("{} has {here} values in {place}, {} has {there}", words.here, words.there)
        }
        RowFault::TooShort { values, .. } => format!("{values} values in {place} are no row"),
    }
}
