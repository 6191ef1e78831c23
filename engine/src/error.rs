//! What can go wrong in the engine, in the sorts that the protocol tells apart.

use engine_protocol::{Problem, ProblemKind};

/// Why the engine did not do what it was asked. The text is a lower-case fragment for people.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The request makes no sense, or came out of turn.
    #[error("{0}")]
    Request(String),
    /// This build, platform or model would ignore the setting, or lacks the capability.
    #[error("{0}")]
    Unsupported(String),
    /// The model could not be read.
    #[error("{0}")]
    Model(String),
    /// The context could not be made, or is too small for the request.
    #[error("{0}")]
    Context(String),
    /// The engine failed while computing, or computed something that is not a number.
    #[error("{0}")]
    Compute(String),
    /// A file could not be written.
    #[error("{0}")]
    Scratch(String),
}

impl EngineError {
    /// A sequence would grow past its end: both numbers, in tokens.
    pub(crate) fn no_room(needed: usize, available: usize) -> Self {
        Self::Context(format!(
            "the request needs {needed} tokens, a sequence of this context holds {available}"
        ))
    }
}

impl From<EngineError> for Problem {
    fn from(error: EngineError) -> Self {
        let kind = match &error {
            EngineError::Request(_) => ProblemKind::Protocol,
            EngineError::Unsupported(_) => ProblemKind::Unsupported,
            EngineError::Model(_) => ProblemKind::Model,
            EngineError::Context(_) => ProblemKind::Context,
            EngineError::Compute(_) => ProblemKind::Compute,
            EngineError::Scratch(_) => ProblemKind::Scratch,
        };
        Problem { kind, message: error.to_string() }
    }
}
