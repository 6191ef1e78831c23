//! The model whose tokens count, as the verification of drafts sees it.

use engine_protocol::Token;

use crate::EngineError;
use crate::session::sequence::Sequence;

/// A model with a KV cache that can be cut off.
pub(in crate::session) trait Target {
    /// Tokens in the cache.
    fn length(&self) -> usize;

    /// Evaluates one batch behind the cache and waits for its end.
    fn evaluate(&mut self, batch: &[Token]) -> Result<(), EngineError>;

    /// The greedy choice after each token of the last batch, which had `width` tokens.
    fn choices(&mut self, width: usize) -> Result<Vec<Token>, EngineError>;

    /// Rolls back: keeps the first `length` tokens of the cache, and nothing of the others.
    fn keep(&mut self, length: usize) -> Result<(), EngineError>;
}

impl Target for Sequence {
    fn length(&self) -> usize {
        self.position()
    }

    fn evaluate(&mut self, batch: &[Token]) -> Result<(), EngineError> {
        self.evaluate_all(batch)
    }

    fn choices(&mut self, width: usize) -> Result<Vec<Token>, EngineError> {
        self.choose_each(width)
    }

    fn keep(&mut self, length: usize) -> Result<(), EngineError> {
        Sequence::keep(self, length)
    }
}
