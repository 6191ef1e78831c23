//! Teacher-forced logits, row by row.

use engine_protocol::{Evaluation, LogitsRequest, Token};

use super::Session;
use super::blocks::require_tokens;
use super::options::{Purpose, context_options};
use super::sequence::Sequence;
use crate::EngineError;
use crate::native::{Context, Output};

impl Session {
    /// Evaluates a text as from an empty cache and hands every row of logits that is asked for to
    /// `sink`, in order. Rows are as long as the vocabulary; no others are computed, and at most a
    /// micro-batch of them is held at once. Returns their number. What stands before single
    /// tokens is kept for the next text that begins alike; else the cache is empty afterwards. A
    /// text with a gap is evaluated in a context of its own.
    ///
    /// # Errors
    /// [`EngineError::Request`] when no position is asked for, or one that the text has not;
    /// [`EngineError::Context`] when there is no room, [`EngineError::Compute`] when the engine
    /// fails, and whatever `sink` returns.
    pub fn logits(
        &mut self,
        request: &LogitsRequest,
        sink: &mut dyn FnMut(&[f32]) -> Result<(), EngineError>,
    ) -> Result<usize, EngineError> {
        let tokens = &request.tokens;
        require_tokens(tokens, "the text")?;
        let rows = Rows::new(request)?;
        self.sequence.require_room(tokens.len())?;
        let width = self.model.facts().vocabulary as usize;
        if let Some(gap) = request.gap_before {
            let options = context_options(&self.asked, self.masked, Purpose::Observed)?;
            let mut sequence = Sequence::new(Context::new(self.model.handle(), &options)?)?;
            sequence.context().misplace(gap_position(gap, tokens)?)?;
            return stream_rows(&mut sequence, request, &rows, width, sink);
        }
        let front = front(request);
        self.sequence.restore(front)?;
        let done = stream_rows(&mut self.sequence, request, &rows, width, sink);
        if done.is_err() || self.sequence.trim().is_err() {
            self.sequence.clear()?;
        }
        done
    }
}

/// What is evaluated in batches, without a row of its own.
fn front(request: &LogitsRequest) -> &[Token] {
    let alone = match request.evaluation {
        Evaluation::Batches => 0,
        Evaluation::SingleTokens => request.from_position as usize,
    };
    request.tokens.get(..alone).unwrap_or_default()
}

/// The positions whose rows are wanted, ascending; there is at least one.
#[derive(Debug)]
struct Rows {
    wanted: Vec<bool>,
    last: usize,
}

impl Rows {
    fn new(request: &LogitsRequest) -> Result<Self, EngineError> {
        let length = request.tokens.len();
        let from = request.from_position as usize;
        if from >= length {
            return Err(behind(from, length));
        }
        if request.only_positions.is_empty() {
            let wanted = (0..length).map(|position| position >= from).collect();
            return Ok(Self { wanted, last: length - 1 });
        }
        let mut rows = Self { wanted: vec![false; length], last: 0 };
        let mut least = from;
        for position in request.only_positions.iter().map(|position| *position as usize) {
            if position < least {
                return Err(EngineError::Request(format!(
                    "`only_positions` must ascend from `from_position` on; position {position} comes too late"
                )));
            }
            let wanted = rows.wanted.get_mut(position).ok_or_else(|| behind(position, length))?;
            *wanted = true;
            rows.last = position;
            least = position + 1;
        }
        Ok(rows)
    }

    fn output(&self, position: usize) -> Output {
        if self.wanted.get(position) == Some(&true) { Output::Kept } else { Output::None }
    }
}

fn behind(position: usize, length: usize) -> EngineError {
    EngineError::Request(format!("position {position} is behind a text of {length} tokens"))
}

/// The first position that is one too high. A gap before the first token, or behind the last, would
/// be none.
fn gap_position(gap: u32, tokens: &[Token]) -> Result<i32, EngineError> {
    let within = gap > 0 && (gap as usize) < tokens.len();
    i32::try_from(gap).ok().filter(|_| within).ok_or_else(|| {
        EngineError::Request(format!(
            "`gap_before` must be inside the text, 1 to {}; it is {gap}",
            tokens.len() - 1
        ))
    })
}

/// Pieces of a micro-batch are evaluated by the same graphs as pieces of a batch would be. What
/// stands behind the piece with the last row is left out.
fn stream_rows(
    sequence: &mut Sequence,
    request: &LogitsRequest,
    rows: &Rows,
    width: usize,
    sink: &mut dyn FnMut(&[f32]) -> Result<(), EngineError>,
) -> Result<usize, EngineError> {
    let alone = match request.evaluation {
        Evaluation::Batches => request.tokens.len(),
        Evaluation::SingleTokens => request.from_position as usize,
    };
    let (together, singly) = request.tokens.split_at(alone);
    // nothing, where the front is in the cache already
    let together = together.get(sequence.position()..).unwrap_or_default();
    let pieces = together.chunks(sequence.micro_batch()).chain(singly.chunks(1));
    let mut row = vec![0.0; width];
    let mut count = 0;
    for piece in pieces {
        let start = sequence.position();
        if start > rows.last {
            break;
        }
        let outputs: Vec<Output> =
            (start..start + piece.len()).map(|position| rows.output(position)).collect();
        sequence.evaluate_rows(piece, &outputs)?;
        for (index, _) in outputs.iter().enumerate().filter(|(_, kept)| **kept == Output::Kept) {
            sequence.context().logits(index, &mut row)?;
            sink(&row)?;
            count += 1;
        }
    }
    Ok(count)
}
