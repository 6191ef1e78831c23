//! The texts on which logit contracts are tested: the experiment's own, and natural text beside
//! it, at each depth.

use std::path::Path;

use engine_protocol::{Evaluation, LogitsRequest, Token};

use super::natural_text::{self, NaturalText};
use super::run::Run;
use super::texts::{TextError, Tokenizer};
use super::worker::{Call, Worker};
use crate::manifest::{ConditionSetting, Contract, TimedWork};

/// Positions of each natural text, beside those that the contract asks for.
const NATURAL_POSITIONS: usize = 128;
/// Positions asked for again, in a second process and after timing, where they are evaluated one
/// by one. In batches all are asked for again, since other batches may be other arithmetic.
const AGAIN_POSITIONS: usize = 64;

/// One text at one depth.
#[derive(Debug, Clone)]
pub(super) struct TestedText {
    /// Name of its set.
    pub(super) set: String,
    /// The set with what it is here, in words.
    pub(super) label: String,
    /// Whether it is the experiment's own.
    pub(super) own: bool,
    /// Index of the condition's value, where each value has a depth of its own.
    pub(super) condition: Option<u32>,
    /// Tokens before the first position that is compared.
    pub(super) depth: usize,
    /// All of it.
    pub(super) tokens: Vec<Token>,
}

impl TestedText {
    /// Positions that are compared.
    pub(super) fn positions(&self) -> usize {
        self.tokens.len().saturating_sub(self.depth)
    }

    /// A request for all positions.
    pub(super) fn request(&self, evaluation: Evaluation, path: &Path) -> LogitsRequest {
        LogitsRequest {
            evaluation,
            ..LogitsRequest::new(
                self.tokens.clone(),
                u32::try_from(self.depth).unwrap_or(u32::MAX),
                path.to_string_lossy().into_owned(),
            )
        }
    }

    /// What is asked for again: rows of the first request, evaluated in the same way.
    pub(super) fn again(&self, evaluation: Evaluation) -> TestedText {
        let mut text = self.clone();
        if evaluation == Evaluation::SingleTokens {
            text.tokens.truncate(self.depth + AGAIN_POSITIONS);
        }
        text
    }
}

/// Teacher-forced positions that a contract asks for.
pub(super) fn positions(contract: &Contract) -> usize {
    match contract {
        Contract::Identical => 0,
        Contract::Cosine { positions, .. }
        | Contract::Kl { positions, .. }
        | Contract::Argmax { positions, .. } => *positions as usize,
    }
}

/// As the timed work is done, so that the kernels are tested that are timed.
pub(super) fn evaluation(work: TimedWork) -> Evaluation {
    match work {
        TimedWork::Decode { .. } => Evaluation::SingleTokens,
        TimedWork::Prefill { .. } | TimedWork::Primitive { .. } => Evaluation::Batches,
    }
}

/// Most positions that any arm's contracts ask for; 0 when none is about logits.
pub(super) fn most_positions(run: &Run<'_, '_>) -> usize {
    let arms = 0..run.job.plan.arms.len();
    let contracts = arms.flat_map(|arm| run.job.tested_contracts(arm));
    contracts.map(|contract| positions(&contract)).max().unwrap_or(0)
}

/// The experiment's own text at each depth.
pub(super) fn own(
    run: &Run<'_, '_>,
    off: &mut Worker,
    call: Call<'_>,
) -> Result<Vec<TestedText>, TextError> {
    let most = most_positions(run);
    if most == 0 {
        return Ok(Vec::new());
    }
    let workload = &run.job.plan.workload;
    let class = serde_json::to_value(workload.class).unwrap_or_default();
    let class = class.as_str().unwrap_or_default().replace('_', " ");
    let tokenizer = Tokenizer::new(&run.context.inputs, off, call)?;
    let mut texts = Vec::new();
    for (depth, condition) in depths(run) {
        texts.push(TestedText {
            set: workload.inputs.clone(),
            label: format!("`{}` (the inputs that are timed, {class})", workload.inputs),
            own: true,
            condition,
            depth,
            tokens: tokenizer.gather(0, depth + most, off, call)?,
        });
    }
    Ok(texts)
}

/// All texts at each depth, the own one first.
pub(super) fn all(
    run: &Run<'_, '_>,
    off: &mut Worker,
    call: Call<'_>,
) -> Result<Vec<TestedText>, TextError> {
    let own = own(run, off, call)?;
    if own.is_empty() {
        return Ok(own);
    }
    let natural = natural_text::others(run, off, call)?;
    let beside = |own: TestedText| {
        let others: Vec<TestedText> = natural.iter().map(|text| other(text, &own)).collect();
        std::iter::once(own).chain(others)
    };
    Ok(own.into_iter().flat_map(beside).collect())
}

fn other(text: &NaturalText, own: &TestedText) -> TestedText {
    let positions = own.positions().min(NATURAL_POSITIONS);
    TestedText {
        set: text.set.clone(),
        label: format!("`{}`", text.set),
        own: false,
        condition: own.condition,
        depth: own.depth,
        tokens: text.take(0, own.depth + positions),
    }
}

/// Depths of all conditions, each once, ascending, with the condition value that each belongs to.
/// Where the condition is no depth, the text is the same at all its values.
fn depths(run: &Run<'_, '_>) -> Vec<(usize, Option<u32>)> {
    let condition = run.job.plan.condition.as_ref();
    let by_depth = condition.is_some_and(|of| of.setting == ConditionSetting::DepthTokens);
    let conditions = run.job.conditions().into_iter();
    let depth = |index: u32| (run.job.depth(index), by_depth.then_some(index));
    let mut depths: Vec<_> = conditions.map(depth).collect();
    depths.sort_unstable();
    depths.dedup();
    depths
}

/// How the text was evaluated, in words.
pub(super) fn how(evaluation: Evaluation, depth: usize) -> String {
    let by = match evaluation {
        Evaluation::Batches => "in batches",
        Evaluation::SingleTokens => "token by token",
    };
    let at = if depth > 0 { format!(" at depth {depth}") } else { String::new() };
    format!("teacher-forced {by}{at}")
}
