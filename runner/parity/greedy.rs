//! The greedy continuation, token for token. A near-tie is reported, not forgiven.

use super::gate::{Bar, Counts, Gate, GateKind};
use crate::golden::{Golden, GoldenPrompt};

/// Where a continuation parts from the reference's.
#[derive(Debug, Clone, PartialEq)]
pub struct Fork {
    /// Step, from 0: the first token after the prompt.
    pub step: usize,
    /// The reference's token.
    pub reference: i32,
    /// The engine's.
    pub engine: i32,
    /// How far the reference's first logit stood above the second there.
    pub margin: f32,
}

/// Continuations as they come in.
#[derive(Debug, Clone, Default)]
pub struct GreedyComparison {
    compared: u64,
    agreed: u64,
    prompts: Vec<(String, u64, u64)>,
    first: Option<(String, Fork)>,
}

impl GreedyComparison {
    /// Nothing compared yet.
    #[must_use]
    pub fn new() -> GreedyComparison {
        GreedyComparison::default()
    }

    /// Compares a continuation. After the fork both sides continue other texts, so the tokens from
    /// there on do not agree by definition.
    pub fn add(&mut self, prompt: &GoldenPrompt, produced: &[i32]) {
        let steps = prompt.greedy.iter().zip(produced);
        let agreed = steps.take_while(|(step, token)| step.token == **token).count();
        let compared = prompt.greedy.len().min(produced.len());
        if let (Some(step), Some(engine)) = (prompt.greedy.get(agreed), produced.get(agreed))
            && self.first.is_none()
        {
            let fork =
                Fork { step: agreed, reference: step.token, engine: *engine, margin: step.margin };
            self.first = Some((prompt.name.clone(), fork));
        }
        self.compared += compared as u64;
        self.agreed += agreed as u64;
        self.prompts.push((prompt.name.clone(), agreed as u64, compared as u64));
    }

    /// Tokens that agree, of those compared.
    pub(super) fn of(&self, prompt: &str) -> (u64, u64) {
        let found = self.prompts.iter().find(|(name, _, _)| name == prompt);
        found.map_or((0, 0), |(_, agreed, compared)| (*agreed, *compared))
    }

    /// The gate.
    #[must_use]
    pub fn gate(&self, golden: &Golden) -> Gate {
        let counts = Counts {
            compared: self.compared,
            required: golden.prompts.iter().map(|prompt| prompt.greedy.len() as u64).sum(),
            prompts: self.prompts.iter().filter(|(_, _, compared)| *compared > 0).count() as u64,
        };
        let margins = golden.prompts.iter().flat_map(|prompt| &prompt.greedy);
        let least = margins.map(|step| step.margin).reduce(f32::min);
        let least = least.map_or_else(String::new, |least| format!("; least margin {least:.2e}"));
        let detail = match &self.first {
            None => format!("{} of {} equal{least}", self.agreed, self.compared),
            Some((prompt, fork)) => format!(
                "{} of {} equal; first prompt `{prompt}`, step {}: the reference chose token {} by \
                 a margin of {:.2e}, the engine token {}",
                self.agreed, self.compared, fork.step, fork.reference, fork.margin, fork.engine
            ),
        };
        let bar = if self.first.is_none() { Bar::Kept } else { Bar::Broken };
        let share = (self.compared > 0).then(|| self.agreed as f64 / self.compared as f64);
        Gate::judged(GateKind::Greedy, bar, counts, share, detail)
    }
}
