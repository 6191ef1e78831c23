//! `identical` before timing: each arm generates in two processes of its own; it must equal
//! itself before it is held against off.

use engine_protocol::Token;

use super::fault::WorkerError;
use super::generate::{Generated, generate_after};
use super::natural_text;
use super::references::IDENTICAL_INPUTS;
use super::run::Run;
use super::texts::{TextError, Texts};
use super::worker::Worker;
use crate::verdict::ContractFinding;
use crate::verdict::contract::{Forked, TokenFigures, TokensComparison, identical_finding};

/// Prompts of each natural text, at each condition.
const NATURAL_PROMPTS: usize = 2;

/// A prompt that both sides go on from.
#[derive(Debug, Clone)]
pub(super) struct Prompt {
    /// The input in messages.
    pub(super) label: String,
    /// Before the prompt.
    pub(super) depth: Vec<Token>,
    /// The prompt.
    pub(super) front: Vec<Token>,
    /// Tokens to evaluate after it.
    tokens: usize,
    /// What off generated first.
    pub(super) off: Generated,
}

/// The experiment's own inputs: the first ones, at all conditions, with off's output.
pub(super) fn own_prompts(run: &Run<'_, '_>, texts: &Texts) -> Vec<Prompt> {
    let mut references = run.desk.state.references.clone();
    references.sort_by_key(|reference| (reference.input, reference.condition));
    references.truncate(IDENTICAL_INPUTS);
    let prompt = |known: super::entry::Reference| Prompt {
        label: run.input_label(known.condition, known.input),
        depth: texts.depth(known.condition),
        front: texts.front(known.condition, known.input),
        tokens: known.chosen.len().saturating_sub(run.job.beyond(known.condition)),
        off: Generated { first: known.first, chosen: known.chosen },
    };
    references.into_iter().map(prompt).collect()
}

/// Those, and prompts of natural text at each condition, with off's output.
pub(super) fn all_prompts(
    run: &Run<'_, '_>,
    off: &mut Worker,
    texts: &Texts,
) -> Result<Vec<Prompt>, TextError> {
    let mut prompts = own_prompts(run, texts);
    let natural = natural_text::others(run, off, run.call())?;
    for condition in run.job.conditions() {
        let (depth, front) = (run.job.depth(condition), run.job.front_tokens(condition));
        let known = run.desk.state.references.iter().find(|known| known.condition == condition);
        let Some(known) = known else { continue };
        for text in &natural {
            for number in 0..NATURAL_PROMPTS {
                let from = number * text.len() / NATURAL_PROMPTS;
                // one depth for all prompts of a text, so that it is evaluated once
                let before = text.take(0, depth);
                let prompt = match depth {
                    0 => text.take(from, front),
                    _ => text.body(depth + from, front),
                };
                let whole = known.chosen.len();
                let generated = generate_after(off, (&before, &prompt), whole, None, run.call())?;
                prompts.push(Prompt {
                    label: run.labelled(condition, format!("{} from token {from}", text.set)),
                    depth: before,
                    front: prompt,
                    tokens: whole.saturating_sub(run.job.beyond(condition)),
                    off: generated,
                });
            }
        }
    }
    Ok(prompts)
}

/// One process's outputs for all prompts.
pub(super) fn pass(
    run: &Run<'_, '_>,
    arm: usize,
    worker: &mut Worker,
    prompts: &[Prompt],
) -> Result<Vec<Generated>, WorkerError> {
    let drafting = run.job.drafting(arm);
    let generate_one = |prompt: &Prompt| {
        let before = (&prompt.depth[..], &prompt.front[..]);
        generate_after(worker, before, prompt.tokens, drafting, run.call())
    };
    prompts.iter().map(generate_one).collect()
}

/// Off's first outputs.
pub(super) fn off_outputs(prompts: &[Prompt]) -> Vec<Generated> {
    prompts.iter().map(|prompt| prompt.off.clone()).collect()
}

/// What was found of an arm, from its two processes.
pub(super) fn finding(
    run: &Run<'_, '_>,
    arm: usize,
    prompts: &[Prompt],
    off_again: &TokenFigures,
    (first, second): (&[Generated], &[Generated]),
    fork: Option<Forked>,
) -> ContractFinding {
    let arm_again = compared(prompts, first, second);
    let between = compared(prompts, &off_outputs(prompts), first);
    let class = serde_json::to_value(run.job.plan.workload.class).unwrap_or_default();
    let class = class.as_str().unwrap_or_default().replace('_', " ");
    let on = format!("`{}` ({class})", run.job.plan.workload.inputs);
    let mut finding = identical_finding(run.job.name(arm), off_again, &arm_again, &between);
    finding.detail = format!("on {on} and natural text: {}", finding.detail);
    if let Some(fork) = fork {
        fork.add_to(&mut finding);
    }
    finding
}

/// Two outputs of each prompt held against each other.
pub(super) fn compared(prompts: &[Prompt], a: &[Generated], b: &[Generated]) -> TokenFigures {
    let mut comparison = TokensComparison::new();
    for (prompt, (a, b)) in prompts.iter().zip(a.iter().zip(b)) {
        // Each side's length was checked: an arm that drafts may have gone beyond.
        let (a, b) = (a.tokens(), b.tokens());
        let both = a.len().min(b.len());
        comparison.add(&prompt.label, a.get(..both).unwrap_or(&a), b.get(..both).unwrap_or(&b));
    }
    comparison.finish()
}
