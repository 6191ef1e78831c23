//! The timed work: begin, decode, prefill. The clock is read only after the backend has been
//! synchronised; choosing a token, trimming and everything else lie outside.

use std::time::{Duration, Instant};

use engine_protocol::{
    Beginning, Begun, DecodeRequest, Decoded, Feed, PrefillRequest, Prefilled, Token,
};

use super::Session;
use super::sequence::Outputs;
use super::speculation::Speculation;
use crate::EngineError;

impl Session {
    /// Puts depth and prompt into the KV cache. Only the prompt's evaluation is timed, by a draft
    /// model too where there is one.
    ///
    /// # Errors
    /// [`EngineError::Request`] for an empty prompt or an unknown token, [`EngineError::Context`]
    /// when there is no room, [`EngineError::Compute`] when the engine fails.
    pub fn begin(&mut self, beginning: &Beginning) -> Result<Begun, EngineError> {
        let Beginning { depth, prompt } = beginning;
        require_tokens(prompt, "the prompt")?;
        self.sequence.require_room(depth.len() + prompt.len())?;
        if self.slots.is_some() {
            return self.begin_slots(depth, prompt);
        }
        self.sequence.restore(depth)?;
        if let Some(speculation) = &mut self.speculation {
            speculation.set_depth(depth)?;
        }
        let mut nanoseconds = self.time_evaluation(prompt)?;
        if let Some(speculation) = &mut self.speculation {
            let start = Instant::now();
            speculation.add_prompt(prompt)?;
            nanoseconds = nanoseconds.saturating_add(to_nanoseconds(start.elapsed()));
        }
        self.sequence.choose(prompt.len())?;
        Ok(Begun {
            prompt_tokens: to_count(prompt.len())?,
            nanoseconds,
            position: to_count(self.sequence.position())?,
        })
    }

    /// One chunk of decoding, token by token, or draft by draft. The time is the sum over the timed
    /// tokens; drafting, verification and rollback are in it. With drafts the chunk may go up to a
    /// draft beyond what was asked for, but never beyond fed text.
    ///
    /// # Errors
    /// [`EngineError::Request`] before `begin`, or when the fed tokens are not as many as asked
    /// for; [`EngineError::Context`] when there is no room; [`EngineError::Compute`] when the
    /// engine fails.
    pub fn decode(&mut self, request: &DecodeRequest) -> Result<Decoded, EngineError> {
        let untimed = request.untimed_tokens as usize;
        let count = untimed + request.timed_tokens as usize;
        if let Feed::Fed(tokens) = &request.feed
            && tokens.len() != count
        {
            return Err(EngineError::Request(format!(
                "{} tokens were fed for a chunk of {count}",
                tokens.len()
            )));
        }
        let mut next = self.sequence.chosen().ok_or_else(|| {
            EngineError::Request("there is nothing to decode from; `begin` comes first".to_owned())
        })?;
        let beyond = self.speculation.as_ref().map_or(0, Speculation::longest);
        self.sequence.require_room(self.sequence.position() + count + beyond)?;
        if self.speculation.is_some() {
            return self.decode_with_drafts(next, request);
        }
        if self.slots.is_some() {
            return self.decode_slots(next, request);
        }
        let mut timed = Duration::ZERO;
        let mut chosen = Vec::with_capacity(count);
        for index in 0..count {
            let token = match &request.feed {
                Feed::Free => next,
                Feed::Fed(tokens) => tokens.get(index).copied().unwrap_or(next),
            };
            let start = Instant::now();
            self.sequence.evaluate(&[token], Outputs::Last)?;
            self.sequence.synchronize()?;
            let elapsed = start.elapsed();
            if index >= untimed {
                timed += elapsed;
            }
            next = self.sequence.choose(1)?;
            chosen.push(next);
        }
        Ok(Decoded {
            peer: None,
            timed_tokens: request.timed_tokens,
            nanoseconds: to_nanoseconds(timed),
            chosen,
            position: to_count(self.sequence.position())?,
            speculation: None,
            slots: None,
        })
    }

    /// The same with drafts: what was drafted and rejected needs room too.
    fn decode_with_drafts(
        &mut self,
        next: Token,
        request: &DecodeRequest,
    ) -> Result<Decoded, EngineError> {
        let Some(speculation) = &mut self.speculation else {
            return Err(EngineError::Request("nothing is drafted in this session".to_owned()));
        };
        let chunk = speculation.decode(&mut self.sequence, next, request)?;
        self.sequence.set_chosen(chunk.chosen.last().copied().unwrap_or(next));
        Ok(Decoded {
            peer: None,
            timed_tokens: to_count(chunk.timed_tokens)?,
            nanoseconds: to_nanoseconds(chunk.timed),
            chosen: chunk.chosen,
            position: to_count(self.sequence.position())?,
            speculation: Some(chunk.counts),
            slots: None,
        })
    }

    /// One timed prefill behind a depth; afterwards the sequence is at that depth again.
    ///
    /// # Errors
    /// As for [`Session::begin`].
    pub fn prefill(&mut self, request: &PrefillRequest) -> Result<Prefilled, EngineError> {
        let PrefillRequest { depth, tokens } = request;
        require_tokens(tokens, "the text")?;
        self.sequence.require_room(depth.len() + tokens.len())?;
        self.sequence.restore(depth)?;
        let nanoseconds = self.time_evaluation(tokens)?;
        let chosen = self.sequence.choose(tokens.len())?;
        self.sequence.trim()?;
        Ok(Prefilled {
            timed_tokens: to_count(tokens.len())?,
            nanoseconds,
            chosen: Some(chosen),
            peer: None,
        })
    }

    /// Nanoseconds from before the evaluation until after synchronisation.
    fn time_evaluation(&mut self, tokens: &[Token]) -> Result<u64, EngineError> {
        let start = Instant::now();
        self.sequence.evaluate(tokens, Outputs::Last)?;
        self.sequence.synchronize()?;
        Ok(to_nanoseconds(start.elapsed()))
    }
}

pub(super) fn require_tokens(tokens: &[Token], what: &str) -> Result<(), EngineError> {
    if tokens.is_empty() {
        return Err(EngineError::Request(format!("{what} is empty: there is nothing to evaluate")));
    }
    Ok(())
}

pub(super) fn to_count(number: usize) -> Result<u32, EngineError> {
    u32::try_from(number).map_err(|_| {
        EngineError::Context(format!("{number} tokens are more than the protocol can say"))
    })
}

/// 584 years fit.
pub(super) fn to_nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
