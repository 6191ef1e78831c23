//! One chunk of decoding with drafts.
//!
//! The clock covers drafting, the evaluation of the batch, and the rollback of both caches: all
//! that the scheme costs. Reading the model's choices lies outside, as in plain decoding.

use std::time::{Duration, Instant};

use engine_protocol::{DecodeRequest, DraftAcceptance, Feed, SpeculationCounts, Token};

use super::Speculation;
use super::counts::{self, Verified};
use super::target::Target;
use crate::EngineError;

/// What a chunk came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::session) struct Chunk {
    /// Tokens that the cache grew by while the clock ran.
    pub timed_tokens: usize,
    /// What the clock showed.
    pub timed: Duration,
    /// The model's choice after each kept token.
    pub chosen: Vec<Token>,
    /// What became of drafts while the clock ran.
    pub counts: SpeculationCounts,
}

/// What is evaluated next, and against what drafts are held.
struct Course<'feed> {
    feed: &'feed Feed,
    /// The model's last choice.
    next: Token,
    /// Tokens kept in this chunk.
    done: usize,
}

impl Course<'_> {
    /// The token that the next evaluation begins with.
    fn token(&self) -> Token {
        match self.feed {
            Feed::Free => self.next,
            Feed::Fed(tokens) => tokens.get(self.done).copied().unwrap_or(self.next),
        }
    }

    /// Most tokens of a draft: fed text has an end, and nothing is kept behind it.
    fn room(&self, longest: usize) -> usize {
        match self.feed {
            Feed::Free => longest,
            Feed::Fed(tokens) => longest.min(tokens.len().saturating_sub(self.done + 1)),
        }
    }

    /// How many drafted tokens, from the first, are those that come next.
    fn agreeing(&self, draft: &[Token], choices: &[Token]) -> usize {
        let should = match self.feed {
            Feed::Free => choices,
            Feed::Fed(tokens) => tokens.get(self.done + 1..).unwrap_or_default(),
        };
        draft.iter().zip(should).take_while(|(drafted, next)| drafted == next).count()
    }
}

impl Speculation {
    /// Decodes from `next`, the model's choice after the cache as it is. Untimed tokens are single
    /// steps without a draft. The timed part ends with the first verification that reaches the
    /// number asked for.
    pub(in crate::session) fn decode<T: Target>(
        &mut self,
        target: &mut T,
        next: Token,
        request: &DecodeRequest,
    ) -> Result<Chunk, EngineError> {
        let mut chunk = Chunk {
            timed_tokens: 0,
            timed: Duration::ZERO,
            chosen: Vec::new(),
            counts: SpeculationCounts::default(),
        };
        let mut course = Course { feed: &request.feed, next, done: 0 };
        for _ in 0..request.untimed_tokens {
            let token = course.token();
            target.evaluate(&[token])?;
            self.text.push(token);
            self.drafter.catch_up(&self.text)?;
            self.settle(&mut course, &mut chunk, target.choices(1)?, 1);
        }
        let evaluated_before = self.drafter.evaluated();
        while chunk.timed_tokens < request.timed_tokens as usize {
            let kept = self.verify(target, &mut course, &mut chunk)?;
            chunk.timed_tokens += kept;
        }
        chunk.counts.drafter_tokens = self.drafter.evaluated().saturating_sub(evaluated_before);
        Ok(chunk)
    }

    /// Drafts, evaluates, compares and rolls back. Returns the tokens kept.
    fn verify<T: Target>(
        &mut self,
        target: &mut T,
        course: &mut Course<'_>,
        chunk: &mut Chunk,
    ) -> Result<usize, EngineError> {
        let before = target.length();
        let start = Instant::now();
        let token = course.token();
        self.text.push(token);
        let draft = self.drafter.propose(&self.text, course.room(self.longest))?;
        let mut batch = Vec::with_capacity(self.longest + 1);
        batch.push(token);
        batch.extend_from_slice(&draft);
        if self.acceptance == DraftAcceptance::Nothing {
            // any token serves, since none is kept: the step's own
            batch.resize(self.longest + 1, token);
        }
        target.evaluate(&batch)?;
        chunk.timed += start.elapsed();
        let choices = target.choices(batch.len())?;
        let accepted = match self.acceptance {
            DraftAcceptance::Greedy => course.agreeing(&draft, &choices),
            DraftAcceptance::Nothing => 0,
        };
        let kept = accepted + 1;
        let start = Instant::now();
        self.text.extend(draft.iter().take(accepted));
        if kept < batch.len() {
            target.keep(before + kept)?;
        }
        self.drafter.roll_back(self.text.len())?;
        chunk.timed += start.elapsed();
        let verified = Verified { width: batch.len(), drafted: draft.len(), accepted };
        counts::add(&mut chunk.counts, verified);
        self.settle(course, chunk, choices, kept);
        Ok(kept)
    }

    /// The first `kept` choices of a batch stand.
    fn settle(&self, course: &mut Course<'_>, chunk: &mut Chunk, choices: Vec<Token>, kept: usize) {
        let choices = choices.into_iter().take(kept);
        chunk.chosen.extend(choices);
        if let Some(last) = chunk.chosen.last() {
            course.next = *last;
        }
        course.done += kept;
    }
}
