//! What a peer answers: a time, and what it told beside it.

use engine_protocol::{PeerReport, Problem, ProblemKind};

/// A timed piece of work.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Timed {
    /// For exactly the tokens that were asked for.
    pub(super) nanoseconds: u64,
    pub(super) report: PeerReport,
}

/// A problem of the other engine.
pub(super) fn failed(message: impl Into<String>) -> Problem {
    Problem { kind: ProblemKind::Compute, message: message.into() }
}

/// A request that this adapter does not understand, or that came out of turn.
pub(super) fn out_of_turn(message: impl Into<String>) -> Problem {
    Problem { kind: ProblemKind::Protocol, message: message.into() }
}

/// What another engine cannot be asked for.
pub(super) fn unsupported(message: impl Into<String>) -> Problem {
    Problem { kind: ProblemKind::Unsupported, message: message.into() }
}
