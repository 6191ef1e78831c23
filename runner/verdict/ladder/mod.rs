//! A ladder's rule held against every rung that was measured: where it would have stopped, where the
//! best rung is, and whether the two agree.

mod climb;
mod finding;
mod words;

#[cfg(test)]
mod tests;

pub(super) use climb::findings;
pub use finding::{LadderCode, LadderFinding, LadderReason, RungFigure, StepFigure};
