//! Whether the workload is long enough, in tokens of the model.

use super::executable::Executables;
use super::greet::{TokenisedInputs, plan_tokens};
use super::prepare::Prepared;
use crate::failure::Failure;
use crate::manifest::{Contract, Plan, TimedWork};

/// Tokenises the workload with off's worker and compares lengths with what the plan needs.
///
/// # Errors
/// Refused when the whole set has too few tokens, with both numbers; or when the worker cannot be
/// asked.
pub fn check_lengths(
    plan: &Plan,
    prepared: &Prepared,
    executables: &Executables,
) -> Result<TokenisedInputs, Failure> {
    let off = plan.arms.get(plan.off()).ok_or_else(|| Failure::refused("there is no off arm"))?;
    let tokens = plan_tokens(
        plan.worker_of(off),
        executables,
        &plan.settings_of(off),
        &prepared.model.path,
        &prepared.inputs(),
    )?;
    let there: usize = tokens.lengths.iter().sum();
    let needed = needed_tokens(plan);
    if there < needed {
        return Err(Failure::refused(format!(
            "the workload is too short: {there} tokens in all, and {needed} are needed"
        ))
        .at(format!("[workload] inputs = {:?}", plan.workload.inputs))
        .hint("ask for fewer tokens, or give a longer set"));
    }
    Ok(tokens)
}

/// The longest text that the plan takes from the set at once.
fn needed_tokens(plan: &Plan) -> usize {
    let positions = plan
        .arms
        .iter()
        .flat_map(|arm| &arm.contracts)
        .map(|contract| match contract {
            Contract::Identical => 0,
            Contract::Cosine { positions, .. }
            | Contract::Kl { positions, .. }
            | Contract::Argmax { positions, .. } => *positions,
        })
        .max()
        .unwrap_or(0);
    plan.condition_values()
        .into_iter()
        .map(|value| {
            let depth = plan.depth_at(value);
            let front = match plan.work_at(value) {
                TimedWork::Decode { prompt_tokens, .. } => prompt_tokens,
                TimedWork::Prefill { prefill_tokens } => prefill_tokens,
            };
            (depth as usize + positions as usize).max(front as usize)
        })
        .max()
        .unwrap_or(0)
}
