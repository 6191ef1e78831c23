//! Sequence 0: how long it is, what lies at its front, and which token the model would choose next.

use engine_protocol::Token;

use super::size;
use crate::EngineError;
use crate::native::{Batch, Context, ContextNumber, Output};

/// Of which tokens of an evaluation the logits are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outputs {
    /// Of none.
    Nothing,
    /// Of the last one.
    Last,
}

/// The sequence with its context.
#[derive(Debug)]
pub(super) struct Sequence {
    context: Context,
    limit: usize,
    batch: usize,
    micro_batch: usize,
    position: usize,
    /// Tokens at the front that were evaluated as a depth, in batches that start at 0.
    depth: Vec<Token>,
    /// The choice after the last evaluation; `None` when decoding cannot go on from here.
    chosen: Option<Token>,
}

impl Sequence {
    pub(super) fn new(context: Context) -> Result<Self, EngineError> {
        Ok(Self {
            limit: size(&context, ContextNumber::SequenceTokens)?,
            batch: size(&context, ContextNumber::BatchTokens)?,
            micro_batch: size(&context, ContextNumber::MicroBatchTokens)?,
            context,
            position: 0,
            depth: Vec::new(),
            chosen: None,
        })
    }

    pub(super) fn context(&mut self) -> &mut Context {
        &mut self.context
    }

    pub(super) fn position(&self) -> usize {
        self.position
    }

    pub(super) fn micro_batch(&self) -> usize {
        self.micro_batch
    }

    /// The token that the model would choose next.
    pub(super) fn chosen(&self) -> Option<Token> {
        self.chosen
    }

    /// Refuses a request that would grow the sequence to more than `length` tokens.
    pub(super) fn require_room(&self, length: usize) -> Result<(), EngineError> {
        if length > self.limit {
            return Err(EngineError::no_room(length, self.limit));
        }
        Ok(())
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) -> Result<(), EngineError> {
        self.position = 0;
        self.depth.clear();
        self.chosen = None;
        self.context.clear()
    }

    /// Brings the sequence to exactly these tokens, as if they had been evaluated from an empty
    /// cache: trims when they are there already, and evaluates what is missing.
    pub(super) fn restore(&mut self, depth: &[Token]) -> Result<(), EngineError> {
        let mut kept = self.reusable(depth);
        if kept > 0 {
            self.depth.truncate(kept);
            // some caches cannot forget their end alone
            kept = self.trim().map_or(0, |()| kept);
        }
        if kept == 0 {
            self.clear()?;
        }
        let missing = depth.get(kept..).unwrap_or_default();
        if !missing.is_empty() {
            self.evaluate(missing, Outputs::Nothing)?;
            self.context.synchronize()?;
            self.depth = depth.to_vec();
        }
        Ok(())
    }

    /// How many tokens at the front of `depth` lie in the cache exactly as an evaluation from its
    /// start would have put them there. Beside the same depth that is a front that ends with a
    /// micro-batch: otherwise its last tokens would have been evaluated among others, which is
    /// other arithmetic.
    fn reusable(&self, depth: &[Token]) -> usize {
        if self.position < self.depth.len() {
            return 0;
        }
        if self.depth == depth {
            return depth.len();
        }
        let shared = self.depth.iter().zip(depth).take_while(|(held, wanted)| held == wanted);
        let shared = shared.count();
        // batches must end where micro-batches do, or a longer depth is cut elsewhere
        if self.micro_batch == 0 || !self.batch.is_multiple_of(self.micro_batch) {
            return 0;
        }
        shared - shared % self.micro_batch
    }

    /// Cuts off what stands behind the depth.
    pub(super) fn trim(&mut self) -> Result<(), EngineError> {
        self.chosen = None;
        if self.depth.is_empty() {
            return self.clear();
        }
        let length = self.depth.len();
        self.context.trim(to_position(length)?)?;
        self.position = length;
        Ok(())
    }

    /// Evaluates tokens behind the sequence in batches. Does not wait for devices. After a failure
    /// nothing is known of the cache, so it is emptied.
    pub(super) fn evaluate(
        &mut self,
        tokens: &[Token],
        outputs: Outputs,
    ) -> Result<(), EngineError> {
        self.chosen = None;
        let done = self.evaluate_batches(tokens, outputs);
        if done.is_err() {
            self.clear()?;
        }
        done
    }

    fn evaluate_batches(&mut self, tokens: &[Token], outputs: Outputs) -> Result<(), EngineError> {
        let mut left = tokens.len();
        for batch in tokens.chunks(self.batch) {
            left -= batch.len();
            let first_output = match outputs {
                Outputs::Last if left == 0 => batch.len() - 1,
                Outputs::Last | Outputs::Nothing => batch.len(),
            };
            self.context.decode(batch, to_position(self.position)?, first_output)?;
            self.position += batch.len();
        }
        Ok(())
    }

    /// Evaluates one batch that is not longer than a micro-batch, keeping the rows of logits that
    /// `outputs` says, one for each token.
    pub(super) fn evaluate_rows(
        &mut self,
        tokens: &[Token],
        outputs: &[Output],
    ) -> Result<(), EngineError> {
        self.chosen = None;
        let mut batch = Batch::default();
        for (index, (token, output)) in tokens.iter().zip(outputs).enumerate() {
            batch.push(*token, to_position(self.position + index)?, 0, *output);
        }
        self.context.evaluate(&batch)?;
        self.position += tokens.len();
        self.context.synchronize()
    }

    /// Evaluates one batch and waits for its end; the choice after each of its tokens can be asked
    /// for. After a failure the cache is emptied.
    pub(super) fn evaluate_all(&mut self, tokens: &[Token]) -> Result<(), EngineError> {
        self.chosen = None;
        let done = self.evaluate_whole(tokens);
        if done.is_err() {
            self.clear()?;
        }
        done
    }

    fn evaluate_whole(&mut self, tokens: &[Token]) -> Result<(), EngineError> {
        self.context.decode(tokens, to_position(self.position)?, 0)?;
        self.position += tokens.len();
        self.context.synchronize()
    }

    /// Evaluates the same tokens behind each of so many sequences, in batches that hold a piece of every
    /// one. Does not wait for devices. All must be as long as the first. After a failure nothing is
    /// known of the cache, so it is emptied.
    pub(super) fn evaluate_side_by_side(
        &mut self,
        tokens: &[Token],
        sequences: usize,
    ) -> Result<(), EngineError> {
        self.chosen = None;
        let done = self.evaluate_pieces(tokens, sequences);
        if done.is_err() {
            self.clear()?;
        }
        done
    }

    fn evaluate_pieces(&mut self, tokens: &[Token], sequences: usize) -> Result<(), EngineError> {
        let length = self.piece(sequences);
        let mut left = tokens.len();
        for piece in tokens.chunks(length) {
            left -= piece.len();
            let mut batch = Batch::default();
            for sequence in 0..sequences {
                for (index, token) in piece.iter().enumerate() {
                    let last = left == 0 && index + 1 == piece.len();
                    let output = if last { Output::Kept } else { Output::None };
                    let position = to_position(self.position + index)?;
                    batch.push(*token, position, to_position(sequence)?, output);
                }
            }
            self.context.evaluate(&batch)?;
            self.position += piece.len();
        }
        Ok(())
    }

    /// Tokens of each sequence in one batch.
    fn piece(&self, sequences: usize) -> usize {
        (self.batch / sequences.max(1)).max(1)
    }

    /// The choice of each sequence after such an evaluation of so many tokens.
    pub(super) fn choose_side_by_side(
        &mut self,
        evaluated: usize,
        sequences: usize,
    ) -> Result<Vec<Token>, EngineError> {
        let length = self.piece(sequences);
        let in_piece = match evaluated % length {
            0 => length.min(evaluated),
            rest => rest,
        };
        let last = |sequence: usize| (sequence + 1) * in_piece - 1;
        let choices: Vec<Token> = (0..sequences)
            .map(|sequence| self.context.argmax(last(sequence)))
            .collect::<Result<_, _>>()?;
        self.chosen = choices.first().copied();
        Ok(choices)
    }

    /// The choice after each of the last batch's tokens.
    pub(super) fn choose_each(&mut self, width: usize) -> Result<Vec<Token>, EngineError> {
        (0..width).map(|index| self.context.argmax(index)).collect()
    }

    /// Decoding goes on with this token.
    pub(super) fn set_chosen(&mut self, token: Token) {
        self.chosen = Some(token);
    }

    /// Keeps the first `length` tokens, which reach behind the depth.
    pub(super) fn keep(&mut self, length: usize) -> Result<(), EngineError> {
        if length < self.depth.len() || length > self.position {
            return Err(EngineError::Compute(format!(
                "the cache of {} tokens cannot be rolled back to {length}",
                self.position
            )));
        }
        self.chosen = None;
        self.context.trim(to_position(length)?)?;
        self.position = length;
        Ok(())
    }

    pub(super) fn synchronize(&mut self) -> Result<(), EngineError> {
        self.context.synchronize()
    }

    /// Finds the choice after the last evaluation, whose last batch had `in_batch` tokens.
    pub(super) fn choose(&mut self, evaluated: usize) -> Result<Token, EngineError> {
        let in_batch = match evaluated % self.batch {
            0 => self.batch.min(evaluated),
            rest => rest,
        };
        let token = self.context.argmax(in_batch.saturating_sub(1))?;
        self.chosen = Some(token);
        Ok(token)
    }

    pub(super) fn rest(&mut self) -> Result<(), EngineError> {
        self.context.rest()
    }
}

/// Positions are 32 bits wide in the engine.
pub(super) fn to_position(position: usize) -> Result<i32, EngineError> {
    i32::try_from(position).map_err(|_| {
        EngineError::Context(format!("position {position} is beyond the engine's reach"))
    })
}
