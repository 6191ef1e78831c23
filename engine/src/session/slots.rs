//! Several sequences side by side, as a server's slots.

use engine_protocol::{Settings, SlotOutput, SlotsRequest, Token};

use super::blocks::{require_tokens, to_count};
use super::choice::Choice;
use super::options::{Purpose, context_options};
use super::sequence::to_position;
use super::{Session, size};
use crate::EngineError;
use crate::native::{Batch, Context, ContextNumber, Output};

/// Cells of a KV cache come in multiples of this.
const CELLS: u32 = 256;

impl Session {
    /// Evaluates each prompt by itself into a sequence of its own, then takes greedy steps, each in
    /// one batch with one token of every sequence. A context of its own does the work, with as many
    /// sequences as prompts and room for all of them. Outputs are in the order of the prompts.
    ///
    /// # Errors
    /// [`EngineError::Request`] without a prompt, for an empty one, and for more prompts than the
    /// engine has sequences; [`EngineError::Context`] when a prompt with its steps is longer than
    /// a sequence of the loaded context; [`EngineError::Compute`] when the engine fails, or computes
    /// a logit that is not a number.
    pub fn slots(&mut self, request: &SlotsRequest) -> Result<Vec<SlotOutput>, EngineError> {
        let SlotsRequest { prompts, decode_tokens } = request;
        let steps = *decode_tokens as usize;
        let longest = prompts.iter().map(Vec::len).max().ok_or_else(|| {
            EngineError::Request("there is no prompt: nothing to evaluate".to_owned())
        })?;
        for prompt in prompts {
            require_tokens(prompt, "a prompt")?;
        }
        self.sequence.require_room(longest + steps)?;
        let settings = side_by_side(&self.asked, prompts.len(), longest + steps)?;
        let options =
            context_options(&settings, self.masked, Purpose::Timed).map_err(
                |error| match error {
                    EngineError::Request(reason) => EngineError::Request(format!(
                        "{} prompts need as many sequences: {reason}",
                        prompts.len()
                    )),
                    other => other,
                },
            )?;
        let context = Context::new(self.model.handle(), &options)?;
        let available = size(&context, ContextNumber::SequenceTokens)?;
        if available < longest + steps {
            return Err(EngineError::no_room(longest + steps, available));
        }
        let mut slots = Slots {
            batch: size(&context, ContextNumber::BatchTokens)?,
            context,
            row: vec![0.0; self.model.facts().vocabulary as usize],
            slots: Vec::with_capacity(prompts.len()),
        };
        for prompt in prompts {
            slots.begin(prompt)?;
        }
        for _ in 0..steps {
            slots.step()?;
        }
        Ok(slots.slots.into_iter().map(|slot| slot.output).collect())
    }
}

/// The settings, for that many sequences of that length.
fn side_by_side(asked: &Settings, count: usize, length: usize) -> Result<Settings, EngineError> {
    let too_many = || EngineError::Request(format!("{count} prompts are too many"));
    let sequences = u32::try_from(count).map_err(|_| too_many())?;
    let cells = to_count(length)?.next_multiple_of(CELLS);
    Ok(Settings {
        parallel_sequences: Some(sequences),
        context_tokens: Some(cells.checked_mul(sequences).ok_or_else(too_many)?),
        batch_tokens: asked.batch_tokens.map(|batch| batch.max(sequences)),
        micro_batch_tokens: asked.micro_batch_tokens.map(|batch| batch.max(sequences)),
        ..asked.clone()
    })
}

/// One sequence.
#[derive(Debug)]
struct Slot {
    next: Token,
    position: usize,
    output: SlotOutput,
}

/// All of them, in one context.
#[derive(Debug)]
struct Slots {
    context: Context,
    batch: usize,
    row: Vec<f32>,
    slots: Vec<Slot>,
}

impl Slots {
    /// A further sequence with its prompt, in batches of its own.
    fn begin(&mut self, prompt: &[Token]) -> Result<(), EngineError> {
        let sequence = to_position(self.slots.len())?;
        let mut position = 0;
        let mut last_index = 0;
        for piece in prompt.chunks(self.batch) {
            let mut batch = Batch::default();
            for (index, token) in piece.iter().enumerate() {
                let last = position + 1 == prompt.len();
                let output = if last { Output::Kept } else { Output::None };
                batch.push(*token, to_position(position)?, sequence, output);
                position += 1;
                last_index = index;
            }
            self.context.evaluate(&batch)?;
        }
        self.context.synchronize()?;
        let choice = self.choose(last_index)?;
        self.slots.push(Slot {
            next: choice.token,
            position,
            output: SlotOutput { chosen: vec![choice.token], margins: vec![choice.margin] },
        });
        Ok(())
    }

    /// One token of every sequence in one batch.
    fn step(&mut self) -> Result<(), EngineError> {
        let mut batch = Batch::default();
        for (index, slot) in self.slots.iter().enumerate() {
            batch.push(slot.next, to_position(slot.position)?, to_position(index)?, Output::Kept);
        }
        self.context.evaluate(&batch)?;
        self.context.synchronize()?;
        for index in 0..self.slots.len() {
            let choice = self.choose(index)?;
            if let Some(slot) = self.slots.get_mut(index) {
                slot.next = choice.token;
                slot.position += 1;
                slot.output.chosen.push(choice.token);
                slot.output.margins.push(choice.margin);
            }
        }
        Ok(())
    }

    fn choose(&mut self, index: usize) -> Result<Choice, EngineError> {
        self.context.logits(index, &mut self.row)?;
        Choice::of(&self.row)
    }
}
