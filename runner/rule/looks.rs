//! When a rule looks at the samples, and with which error.

use crate::manifest::Stop;
use crate::stats::student_quantile;

/// Fewest rounds with which a verdict is given at all.
pub const FEWEST_ROUNDS: u32 = 3;

/// Fewest rounds at a look of a group-sequential rule: the spread must be known well enough.
pub const EARLIEST_LOOK: u32 = 8;

/// Fewest rounds at a look of a confidence sequence, whose promise is asymptotic.
pub const EARLIEST_SEQUENCE_LOOK: u32 = 20;

/// One look at the samples, for one comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// From 1.
    pub number: u32,
    /// Whole rounds that it sees.
    pub rounds: u32,
    /// Those over the rounds of the last look.
    pub information: f64,
    /// Two-sided error of the interval at this look: 1 less its nominal confidence.
    pub nominal_p: f64,
}

impl Look {
    /// Student's t for the interval at this look when the spread comes from `units` values.
    /// `None` under two units.
    ///
    /// The boundary's own z would assume a spread known for certain.
    #[must_use]
    pub fn quantile(&self, units: u32) -> Option<f64> {
        let freedom = units.checked_sub(1).filter(|freedom| *freedom > 0)?;
        student_quantile(self.nominal_p, f64::from(freedom))
    }
}

/// Why a stopping rule has no looks.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LookFault {
    /// A place in the list of looks that is out of order, too early, or beyond the rounds.
    #[error("looks must increase from {EARLIEST_LOOK} rounds or more up to the registered rounds")]
    Order,
    /// Spending that falls, or passes the whole.
    #[error("the error spent must increase from look to look and end at the whole")]
    Spending,
    /// An error that is not strictly between 0 and 1.
    #[error("the error must lie strictly between 0 and 1")]
    Alpha,
}

/// The looks of a stopping rule over `rounds` registered rounds at a two-sided error `alpha` of
/// one comparison (0.05, shared out over the family).
///
/// # Errors
/// [`LookFault`] when the rule cannot be carried out; `check` refuses such manifests.
pub fn looks(stop: &Stop, rounds: u32, alpha: f64) -> Result<Vec<Look>, LookFault> {
    if !(alpha > 0.0 && alpha < 1.0) {
        return Err(LookFault::Alpha);
    }
    match stop {
        Stop::Fixed { .. } => {
            Ok(vec![Look { number: 1, rounds, information: 1.0, nominal_p: alpha }])
        }
        Stop::GroupSequential { .. } | Stop::ConfidenceSequence { .. } => Err(LookFault::Order),
    }
}
