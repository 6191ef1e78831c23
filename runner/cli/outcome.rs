//! How a command ended when it did not fail.

use runner::FailureKind;
use runner::verdict::RunSummary;

/// The successful ends, each with its exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Exit 0.
    Done,
    /// A verification found something, or `--fail-on` named a verdict that came: exit 1.
    Found,
    /// A manifest has faults, and they were said already: exit 2.
    Faulty,
    /// A part of what was asked for was refused, and it was said already: exit 3.
    Refused,
    /// At least one comparison is void: exit 4.
    Void,
    /// The run ended early: exit 5.
    Incomplete,
}

impl Outcome {
    /// The process's exit code.
    pub fn exit_code(self) -> u8 {
        match self {
            Outcome::Done => 0,
            Outcome::Found => 1,
            Outcome::Faulty => 2,
            Outcome::Refused => 3,
            Outcome::Void => 4,
            Outcome::Incomplete => 5,
        }
    }
}

impl Outcome {
    /// How a part failed, when that was said already and others did not.
    pub fn of_failure(kind: FailureKind) -> Outcome {
        match kind {
            FailureKind::Failed => Outcome::Found,
            FailureKind::Usage => Outcome::Faulty,
            FailureKind::Refused => Outcome::Refused,
            FailureKind::Incomplete => Outcome::Incomplete,
        }
    }
}

impl From<RunSummary> for Outcome {
    fn from(summary: RunSummary) -> Outcome {
        match summary {
            RunSummary::Judged => Outcome::Done,
            RunSummary::Void => Outcome::Void,
            RunSummary::Incomplete => Outcome::Incomplete,
        }
    }
}
