//! What is seen at the tensor that parts: each side by itself, and both beside each other.

use serde::Serialize;

use super::arrangement::{Arrangement, recognise};
use super::look::Look;
use super::rows::Rows;

/// A look at both sides.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sight {
    /// The tensor.
    pub tensor: String,
    /// The first side.
    pub left: Look,
    /// The second side.
    pub right: Look,
    /// How one follows from the other, where it does.
    pub arrangement: Option<Arrangement>,
}

impl Sight {
    /// Looks. `head` is the width of a head, where it is known; within `tolerance` two tensors count
    /// as equal.
    #[must_use]
    pub fn of(
        tensor: &str,
        left: &Rows,
        right: &Rows,
        head: Option<usize>,
        tolerance: f64,
    ) -> Sight {
        Sight {
            tensor: tensor.to_owned(),
            left: Look::at(left),
            right: Look::at(right),
            arrangement: recognise(left, right, head, tolerance),
        }
    }
}
