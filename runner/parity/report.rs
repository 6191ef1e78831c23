//! What was found about each golden.

use serde::Serialize;

use super::checklist::Checklist;
use super::control::ControlRow;
use super::form::FormReport;
use super::greedy::GreedyComparison;
use super::logits::LogitsComparison;
use crate::golden::{Golden, GoldenFacts};

/// One prompt of the ladder over length.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LadderRow {
    /// Tokens of the prompt.
    pub tokens: usize,
    /// Its name.
    pub prompt: String,
    /// What kind of text it is.
    pub class: Option<String>,
    /// Whole rows of logits compared.
    pub rows: u64,
    /// The least of their cosines.
    pub cosine_min: Option<f64>,
    /// Positions with the same most likely token.
    pub argmax_agreed: u64,
    /// Of so many.
    pub argmax_compared: u64,
    /// Tokens of the continuation up to the first that differs.
    pub greedy_agreed: u64,
    /// Of so many.
    pub greedy_compared: u64,
}

impl LadderRow {
    /// A row a prompt, the shortest first.
    #[must_use]
    pub fn ladder(
        golden: &Golden,
        logits: &LogitsComparison,
        greedy: &GreedyComparison,
    ) -> Vec<LadderRow> {
        let mut rows: Vec<LadderRow> = golden
            .prompts
            .iter()
            .map(|prompt| {
                let found = logits.of(&prompt.name);
                let (greedy_agreed, greedy_compared) = greedy.of(&prompt.name);
                LadderRow {
                    tokens: prompt.tokens.len(),
                    prompt: prompt.name.clone(),
                    class: prompt.class.clone(),
                    rows: found.whole,
                    cosine_min: found.least,
                    argmax_agreed: found.argmax_agreed,
                    argmax_compared: found.argmax_compared,
                    greedy_agreed,
                    greedy_compared,
                }
            })
            .collect();
        rows.sort_by(|left, right| {
            left.tokens.cmp(&right.tokens).then_with(|| left.prompt.cmp(&right.prompt))
        });
        rows
    }
}

/// One golden.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GoldenReport {
    /// What the golden says of itself.
    pub golden: GoldenFacts,
    /// Which form of the model the gates ran on.
    pub form: String,
    /// Prompts of the golden.
    pub prompts: usize,
    /// The required gates, and those that were asked for beside them.
    pub checklist: Checklist,
    /// One row a prompt.
    pub ladder: Vec<LadderRow>,
    /// Deliberately broken copies; empty when they were not asked for.
    pub controls: Vec<ControlRow>,
    /// Quantised forms; empty when they were not asked for.
    pub forms: Vec<FormReport>,
}

impl GoldenReport {
    /// Whether every gate passed, every control was rejected, and every form passed.
    #[must_use]
    pub fn passes(&self) -> bool {
        let rejected = |rows: &[ControlRow]| rows.iter().all(|row| row.state.is_told());
        self.checklist.passes()
            && rejected(&self.controls)
            && self.forms.iter().all(|form| form.passes() && rejected(&form.controls))
    }
}

/// Everything.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ParityReport {
    /// Name and version of the engine.
    pub engine: String,
    /// Its settings where they are not the default, in words.
    pub settings: String,
    /// UTC day of the run.
    pub run_on: String,
    /// In the order of their names.
    pub goldens: Vec<GoldenReport>,
}

impl ParityReport {
    /// Whether there is a golden and every one passes.
    #[must_use]
    pub fn passes(&self) -> bool {
        !self.goldens.is_empty() && self.goldens.iter().all(GoldenReport::passes)
    }
}
