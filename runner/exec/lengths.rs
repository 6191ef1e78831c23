//! Whether the workload is long enough and the context wide enough, in tokens of the model.

use super::context::Inputs;
use super::executable::Executables;
use super::greet::{TokenisedInputs, plan_tokens};
use super::prepare::Prepared;
use crate::failure::Failure;
use crate::manifest::{Contract, Plan, TimedWork};

/// Loads off's worker, tokenises the workload, and compares lengths and context with what the plan
/// needs.
///
/// # Errors
/// Refused when the whole set has too few tokens, or a block does not fit into the context, with both
/// numbers; or when the worker cannot be asked.
pub fn check_lengths(
    plan: &Plan,
    prepared: &Prepared,
    executables: &Executables,
) -> Result<TokenisedInputs, Failure> {
    let off = plan.arms.get(plan.off()).ok_or_else(no_off)?;
    let tokens = tokenised(plan, prepared, executables, &prepared.inputs())?;
    let there: usize = tokens.lengths.iter().sum();
    let needed = needed_tokens(plan, positions(plan));
    if there < needed {
        return Err(Failure::refused(format!(
            "the workload is too short: {there} tokens in all, and {needed} are needed"
        ))
        .at(format!("[workload] inputs = {:?}", plan.workload.inputs))
        .hint("ask for fewer tokens, or give a longer set"));
    }
    own_lengths(plan, prepared, executables)?;
    let needed = needed_context(plan);
    if let Some(context) = tokens.loaded.effective.context_tokens
        && needed > context as usize
    {
        return Err(Failure::refused(format!(
            "the context has {context} tokens, and {needed} are needed (depth, prompt, timed and \
             untimed tokens, positions of contracts)"
        ))
        .at(format!("arm `{}`", off.name))
        .hint(format!("write `context_tokens = {needed}` in [engine], or ask for fewer tokens")));
    }
    Ok(tokens)
}

/// A set, by off's tokenizer.
fn tokenised(
    plan: &Plan,
    prepared: &Prepared,
    executables: &Executables,
    inputs: &Inputs,
) -> Result<TokenisedInputs, Failure> {
    let off = plan.arms.get(plan.off()).ok_or_else(no_off)?;
    plan_tokens(
        plan.worker_of(off),
        executables,
        &plan.settings_of(off),
        // a form that is not made yet has the tokens of the file that it will be made of
        prepared.file_of(plan, off).map_or(&prepared.model.path, |file| file.0),
        inputs,
    )
}

fn no_off() -> Failure {
    Failure::refused("there is no off arm")
}

/// The sets of arms that have their own must be long enough too. Contracts read none of them.
fn own_lengths(plan: &Plan, prepared: &Prepared, executables: &Executables) -> Result<(), Failure> {
    let needed = needed_tokens(plan, 0);
    for (arm, inputs) in prepared.arm_inputs() {
        let tokens = tokenised(plan, prepared, executables, &inputs)?;
        let there: usize = tokens.lengths.iter().sum();
        if there < needed {
            return Err(Failure::refused(format!(
                "its set is too short: {there} tokens in all, and {needed} are needed"
            ))
            .at(format!("arm `{arm}`"))
            .hint("ask for fewer tokens, or give it a longer set"));
        }
    }
    Ok(())
}

/// Tokens in the KV cache at the end of the longest block, or at a contract's last position.
fn needed_context(plan: &Plan) -> usize {
    let positions = positions(plan);
    let of_value = |value| {
        let depth = plan.depth_at(value) as usize;
        let block = match plan.work_at(value) {
            TimedWork::Decode { prompt_tokens, decode_tokens, chunk_tokens } => {
                let untimed = decode_tokens.div_ceil(chunk_tokens.max(1));
                prompt_tokens as usize + decode_tokens as usize + untimed as usize
            }
            TimedWork::Prefill { prefill_tokens } => prefill_tokens as usize,
            TimedWork::Primitive { .. } => 0,
        };
        depth + block.max(positions)
    };
    plan.condition_values().into_iter().map(of_value).max().unwrap_or(0)
}

/// Most positions of any contract.
fn positions(plan: &Plan) -> usize {
    let of_text = plan.arms.iter().flat_map(|arm| {
        let of_text = move |contract: &&Contract| !plan.is_held_while_timed(arm, contract);
        arm.contracts.iter().filter(of_text)
    });
    let positions = of_text.map(|contract| match contract {
        Contract::Identical => 0,
        Contract::Cosine { positions, .. }
        | Contract::Kl { positions, .. }
        | Contract::Argmax { positions, .. } => *positions as usize,
    });
    positions.max().unwrap_or(0)
}

/// The longest text that the plan takes from the set at once.
fn needed_tokens(plan: &Plan, positions: usize) -> usize {
    plan.condition_values()
        .into_iter()
        .map(|value| {
            if !plan.work_at(value).reads_text() {
                return 0;
            }
            let depth = plan.depth_at(value) as usize;
            let front = match plan.work_at(value) {
                TimedWork::Decode { prompt_tokens, .. } => prompt_tokens,
                TimedWork::Prefill { prefill_tokens } => prefill_tokens,
                TimedWork::Primitive { .. } => 0,
            };
            depth.max(front as usize).max(depth + positions)
        })
        .max()
        .unwrap_or(0)
}
