//! Several sequences with one text, decoded side by side: what a server's slots cost.

use std::time::{Duration, Instant};

use engine_protocol::{Begun, DecodeRequest, Decoded, Feed, Settings, SlotsDecoded, Token};

use super::Session;
use super::blocks::{to_count, to_nanoseconds};
use crate::defaults::padded;
use crate::{EngineError, defaults};

/// How many sequences; two or more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SideBySide {
    sequences: usize,
}

impl SideBySide {
    /// From complete settings; `None` where one sequence is decoded.
    pub(super) fn of(complete: &Settings) -> Result<Option<Self>, EngineError> {
        let sequences = complete.slots.unwrap_or(1) as usize;
        if sequences < 2 {
            return Ok(None);
        }
        let refused = |why: &str| Err(EngineError::Unsupported(format!("`slots` {why}")));
        if complete
            .draft_source
            .is_some_and(|source| source != engine_protocol::DraftSource::Nothing)
        {
            return refused("do not draft");
        }
        let batch = complete.batch_tokens.unwrap_or(defaults::BATCH_TOKENS) as usize;
        if batch < sequences {
            return refused(&format!(
                "need a batch of one token each: `batch_tokens` is {batch}, and there are {sequences}"
            ));
        }
        Ok(Some(Self { sequences }))
    }

    /// Settings of a context in which each sequence has as many tokens as were asked for.
    pub(super) fn context(self, complete: &Settings) -> Result<Settings, EngineError> {
        let sequences = to_count(self.sequences)?.max(complete.parallel_sequences.unwrap_or(1));
        let each = padded(complete.context_tokens.unwrap_or(defaults::CONTEXT_TOKENS));
        let all = each.checked_mul(sequences).ok_or_else(|| {
            EngineError::Request(format!("{sequences} slots of {each} tokens are too many"))
        })?;
        Ok(Settings {
            parallel_sequences: Some(sequences),
            context_tokens: Some(all),
            ..complete.clone()
        })
    }
}

impl Session {
    /// The prompt into every slot.
    pub(super) fn begin_slots(
        &mut self,
        depth: &[Token],
        prompt: &[Token],
    ) -> Result<Begun, EngineError> {
        if !depth.is_empty() {
            return Err(EngineError::Request("slots are begun without a depth".to_owned()));
        }
        let sequences = self.sequences();
        self.sequence.clear()?;
        let start = Instant::now();
        self.sequence.evaluate_side_by_side(prompt, sequences)?;
        self.sequence.synchronize()?;
        let nanoseconds = to_nanoseconds(start.elapsed());
        self.sequence.choose_side_by_side(prompt.len(), sequences)?;
        Ok(Begun {
            prompt_tokens: to_count(prompt.len())?,
            nanoseconds,
            position: to_count(self.sequence.position())?,
        })
    }

    /// One chunk of decoding, one token of every slot at each step. All go on with the first one's
    /// choice, so that their texts stay the same; choosing lies outside the timer.
    pub(super) fn decode_slots(
        &mut self,
        first: Token,
        request: &DecodeRequest,
    ) -> Result<Decoded, EngineError> {
        let sequences = self.sequences();
        let untimed = request.untimed_tokens as usize;
        let count = untimed + request.timed_tokens as usize;
        let mut next = first;
        let mut timed = Duration::ZERO;
        let mut chosen = Vec::with_capacity(count);
        let mut other_choices: u64 = 0;
        for index in 0..count {
            let token = match &request.feed {
                Feed::Free => next,
                Feed::Fed(tokens) => tokens.get(index).copied().unwrap_or(next),
            };
            let start = Instant::now();
            self.sequence.evaluate_side_by_side(&[token], sequences)?;
            self.sequence.synchronize()?;
            let elapsed = start.elapsed();
            if index >= untimed {
                timed += elapsed;
            }
            let choices = self.sequence.choose_side_by_side(1, sequences)?;
            next = choices.first().copied().unwrap_or(next);
            other_choices += choices.iter().filter(|choice| **choice != next).count() as u64;
            chosen.push(next);
        }
        Ok(Decoded {
            peer: None,
            timed_tokens: request.timed_tokens,
            nanoseconds: to_nanoseconds(timed),
            chosen,
            position: to_count(self.sequence.position())?,
            speculation: None,
            slots: Some(SlotsDecoded { sequences: to_count(sequences)?, other_choices }),
        })
    }

    fn sequences(&self) -> usize {
        self.slots.map_or(1, |slots| slots.sequences)
    }
}
