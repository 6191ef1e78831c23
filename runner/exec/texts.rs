//! The tokens that the arms work on: the same for all that are compared, made by off's tokenizer.

use std::collections::BTreeMap;

use engine_protocol::{Primitive, Token};

use super::context::Inputs;
use super::fault::WorkerError;
use super::job::Job;
use super::worker::{Call, Worker};
use crate::failure::Failure;

/// Stands between two items that are put one after the other.
const SEPARATOR: &str = "\n\n";

/// All texts of a run.
#[derive(Debug, Clone, Default)]
pub(super) struct Texts {
    /// Filler by condition.
    pub(super) depth: BTreeMap<u32, Vec<Token>>,
    /// Prompt or prefill by condition and item.
    pub(super) fronts: BTreeMap<(u32, usize), Vec<Token>>,
    /// What an arm computes at a condition, by arm and condition; empty where texts are worked on.
    pub(super) primitives: BTreeMap<(usize, u32), Primitive>,
    /// Of each arm with a set of its own.
    pub(super) own: BTreeMap<usize, Texts>,
}

/// Why there are no texts.
#[derive(Debug)]
pub(super) enum TextError {
    /// The worker.
    Worker(WorkerError),
    /// The workload.
    Failure(Failure),
}

impl From<WorkerError> for TextError {
    fn from(error: WorkerError) -> TextError {
        TextError::Worker(error)
    }
}

impl Texts {
    /// What an arm works on.
    pub(super) fn of_arm(&self, arm: usize) -> &Texts {
        self.own.get(&arm).unwrap_or(self)
    }

    /// An input's tokens.
    pub(super) fn front(&self, condition: u32, input: usize) -> Vec<Token> {
        self.fronts.get(&(condition, input)).cloned().unwrap_or_default()
    }

    /// The filler before them.
    pub(super) fn depth(&self, condition: u32) -> Vec<Token> {
        self.depth.get(&condition).cloned().unwrap_or_default()
    }
}

/// Tokenises with one worker.
pub(super) struct Tokenizer<'run> {
    inputs: &'run Inputs,
    /// Tokens of each item alone.
    lengths: Vec<usize>,
    /// What the tokenizer puts before every text.
    opening: Vec<Token>,
}

impl<'run> Tokenizer<'run> {
    /// Learns the items' lengths.
    pub(super) fn new(
        inputs: &'run Inputs,
        worker: &mut Worker,
        call: Call<'_>,
    ) -> Result<Tokenizer<'run>, WorkerError> {
        let opening = worker.tokenize(String::new(), call)?;
        let mut lengths = Vec::with_capacity(inputs.items.len());
        for item in &inputs.items {
            lengths.push(worker.tokenize(item.text.clone(), call)?.len());
        }
        Ok(Tokenizer { inputs, lengths, opening })
    }

    /// Tokens of each item alone, the opening token included.
    pub(super) fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    /// The text of item `start` and of the items after it, going round, cut to `needed` tokens.
    pub(super) fn gather(
        &self,
        start: usize,
        needed: usize,
        worker: &mut Worker,
        call: Call<'_>,
    ) -> Result<Vec<Token>, TextError> {
        let items = self.inputs.items.len();
        if needed == 0 {
            return Ok(Vec::new());
        }
        let mut estimate = 0;
        let mut taken = 0;
        while taken < items && estimate < needed {
            estimate += self.lengths[(start + taken) % items];
            taken += 1;
        }
        loop {
            let parts: Vec<&str> = (0..taken)
                .map(|offset| self.inputs.items[(start + offset) % items].text.as_str())
                .collect();
            let mut tokens = worker.tokenize(parts.join(SEPARATOR), call)?;
            if tokens.len() >= needed {
                tokens.truncate(needed);
                return Ok(tokens);
            }
            if taken >= items {
                return Err(TextError::Failure(
                    Failure::refused(format!(
                        "the workload is too short: {needed} tokens are needed, all {items} of its items have {}",
                        tokens.len()
                    ))
                    .hint("ask for fewer tokens, or name a longer set"),
                ));
            }
            taken += 1;
        }
    }

    /// All texts of a job. After a depth, the front has no opening token of its own.
    pub(super) fn texts(
        &self,
        job: &Job<'_>,
        worker: &mut Worker,
        call: Call<'_>,
    ) -> Result<Texts, TextError> {
        let mut texts = Texts::default();
        let half = self.inputs.items.len() / 2;
        for condition in job.conditions() {
            let depth = self.gather(half, job.depth(condition), worker, call)?;
            texts.depth.insert(condition, depth);
        }
        for (condition, input) in job.cells() {
            let needed = job.front_tokens(condition);
            let follows = !texts.depth(condition).is_empty();
            let skip = if follows { self.opening.len() } else { 0 };
            let mut tokens = self.gather(input, needed + skip, worker, call)?;
            if follows && tokens.starts_with(&self.opening) {
                tokens.drain(..skip);
            }
            tokens.truncate(needed);
            texts.fronts.insert((condition, input), tokens);
        }
        Ok(texts)
    }
}
