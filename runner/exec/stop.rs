//! Why a run stops before its schedule is through.

use crate::failure::Failure;
use crate::verdict::RunEnd;

/// What ends the work in progress.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stop {
    /// A signal came; the run can be gone on with.
    Interrupted(&'static str),
    /// The run comes to an end that is judged and sealed.
    Ended(RunEnd),
    /// Something failed that is not part of the experiment.
    Failed(Failure),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Failed(failure)
    }
}
