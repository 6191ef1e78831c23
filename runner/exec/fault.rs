//! How a worker can fail its caller.

use engine_protocol::{Problem, ProblemKind};

use crate::verdict::ArmFaultKind;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum WorkerError {
    /// The process is gone, or was ended because of what it did.
    Ended {
        /// What happened.
        kind: ArmFaultKind,
        /// In words, with the end of its standard error.
        detail: String,
    },
    /// It answered that it could not, and goes on listening.
    Problem(ProblemKind, String),
    /// Somebody asked the run to stop while the answer was waited for.
    Interrupted,
}

impl From<Problem> for WorkerError {
    fn from(problem: Problem) -> WorkerError {
        WorkerError::Problem(problem.kind, problem.message)
    }
}

impl WorkerError {
    /// Broken rules of the protocol.
    pub(super) fn broken(detail: impl Into<String>) -> WorkerError {
        WorkerError::Ended { kind: ArmFaultKind::BrokenProtocol, detail: detail.into() }
    }

    /// The kind of fault and its words, for an arm that ends by it. `None` for an interrupt.
    pub(super) fn as_fault(&self) -> Option<(ArmFaultKind, String)> {
        match self {
            WorkerError::Ended { kind, detail } => Some((*kind, detail.clone())),
            WorkerError::Problem(kind, message) => {
                let fault = match kind {
                    ProblemKind::Protocol => ArmFaultKind::BrokenProtocol,
                    ProblemKind::Unsupported => ArmFaultKind::Unsupported,
                    ProblemKind::Model
                    | ProblemKind::Context
                    | ProblemKind::Compute
                    | ProblemKind::Scratch => ArmFaultKind::Failed,
                };
                Some((fault, message.clone()))
            }
            WorkerError::Interrupted => None,
        }
    }
}
