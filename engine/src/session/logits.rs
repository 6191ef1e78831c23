//! Teacher-forced logits, row by row.

use engine_protocol::Token;

use super::Session;
use super::blocks::require_tokens;
use crate::EngineError;

impl Session {
    /// Evaluates `tokens` from an empty cache and hands every row of logits from `from_position`
    /// on to `sink`, in order. Rows are as long as the vocabulary; at most a micro-batch of them is
    /// held at once. Returns their number. Afterwards the cache is empty.
    ///
    /// # Errors
    /// [`EngineError::Request`] when no position is asked for, [`EngineError::Context`] when there
    /// is no room, [`EngineError::Compute`] when the engine fails, and whatever `sink` returns.
    pub fn logits(
        &mut self,
        tokens: &[Token],
        from_position: usize,
        sink: impl FnMut(&[f32]) -> Result<(), EngineError>,
    ) -> Result<usize, EngineError> {
        require_tokens(tokens, "the text")?;
        if from_position >= tokens.len() {
            return Err(EngineError::Request(format!(
                "position {from_position} is behind a text of {} tokens",
                tokens.len()
            )));
        }
        self.sequence.require_room(tokens.len())?;
        self.sequence.clear()?;
        let rows = self.stream_rows(tokens, from_position, sink);
        self.sequence.clear()?;
        rows
    }

    fn stream_rows(
        &mut self,
        tokens: &[Token],
        from_position: usize,
        mut sink: impl FnMut(&[f32]) -> Result<(), EngineError>,
    ) -> Result<usize, EngineError> {
        let mut row = vec![0.0; self.model.facts().vocabulary as usize];
        let mut rows = 0;
        // Pieces of a micro-batch are evaluated by the same graphs as pieces of a batch would be.
        for piece in tokens.chunks(self.sequence.micro_batch()) {
            let first = from_position.saturating_sub(self.sequence.position()).min(piece.len());
            self.sequence.evaluate_rows(piece, first)?;
            for index in first..piece.len() {
                self.sequence.context().logits(index, &mut row)?;
                sink(&row)?;
                rows += 1;
            }
        }
        Ok(rows)
    }
}
