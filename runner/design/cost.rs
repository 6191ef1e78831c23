//! What a schedule costs, in counts that need no machine to be known.

use serde::{Deserialize, Serialize};

use super::schedule::Schedule;
use crate::manifest::{Arm, Contract, Plan, TimedWork};

/// Tokens that the engine evaluates, over all arms and rounds, and copies of the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    /// While a clock of the primary metric runs.
    pub timed_tokens: u64,
    /// Before each chunk (the first token after a switch is slow), or the untimed prefill.
    pub untimed_tokens: u64,
    /// Prompts of decode blocks.
    pub prompt_tokens: u64,
    /// Filler up to the registered depth, at most. It is computed once a process, and again where a
    /// block goes deeper than the one before; a worker may keep the front that the two share.
    pub depth_tokens: u64,
    /// Positions of teacher-forced logits for contracts, off's included, once.
    pub contract_tokens: u64,
    /// Blocks over the run, over all condition values.
    pub blocks: u64,
    /// Copies of the model that are in memory at once: one a worker.
    pub model_copies: u32,
}

/// Counts a schedule of the plan's.
#[must_use]
pub fn cost(plan: &Plan, schedule: &Schedule) -> Cost {
    let arms = plan.arms.len() as u64;
    let values = plan.condition_values();
    let mut cost = Cost {
        timed_tokens: 0,
        untimed_tokens: 0,
        prompt_tokens: 0,
        depth_tokens: 0,
        contract_tokens: contract_tokens(&plan.arms),
        blocks: 0,
        model_copies: plan.arms.len() as u32,
    };
    for round in &schedule.rounds {
        let mut depth_held = 0_u32;
        for block in &round.blocks {
            let value = values.get(block.condition as usize).copied().flatten();
            let depth = plan.depth_at(value);
            if depth > depth_held && plan.work_at(value).reads_text() {
                cost.depth_tokens += arms * u64::from(depth);
            }
            depth_held = depth;
            cost.blocks += 1;
            match plan.work_at(value) {
                TimedWork::Decode { prompt_tokens, decode_tokens, .. } => {
                    cost.prompt_tokens += arms * u64::from(prompt_tokens);
                    cost.timed_tokens += arms * u64::from(decode_tokens);
                    cost.untimed_tokens += arms * u64::from(block.chunks);
                }
                TimedWork::Prefill { prefill_tokens } => {
                    cost.timed_tokens += arms * u64::from(prefill_tokens);
                    cost.untimed_tokens += arms * u64::from(prefill_tokens);
                }
                // no token is evaluated, the depth's neither
                TimedWork::Primitive { .. } => {}
            }
        }
    }
    cost
}

/// Each arm that promises something of its logits evaluates its longest text once, and off the
/// longest of all.
fn contract_tokens(arms: &[Arm]) -> u64 {
    let of_arm = |arm: &Arm| arm.contracts.iter().map(positions).max().unwrap_or(0);
    let longest = arms.iter().map(of_arm).max().unwrap_or(0);
    arms.iter().map(of_arm).sum::<u64>() + longest
}

fn positions(contract: &Contract) -> u64 {
    match contract {
        Contract::Identical => 0,
        Contract::Cosine { positions, .. }
        | Contract::Kl { positions, .. }
        | Contract::Argmax { positions, .. } => u64::from(*positions),
    }
}

#[cfg(test)]
mod tests {
    use super::cost;
    use crate::design::schedule;
    use crate::design::test_plan::{plan, with_depths};
    use crate::manifest::{Contract, TimedWork};

    #[test]
    fn decode_counts_by_hand() {
        // 2 rounds x 3 inputs x 3 arms = 18 arm blocks of 48 tokens in 6 chunks.
        let plan = plan(2, 3);
        let found = cost(&plan, &schedule(&plan, 48));
        assert_eq!((found.blocks, found.model_copies), (6, 3));
        assert_eq!(found.timed_tokens, 18 * 48);
        assert_eq!(found.untimed_tokens, 18 * 6);
        assert_eq!(found.prompt_tokens, 18 * 32);
        assert_eq!((found.depth_tokens, found.contract_tokens), (0, 0));
    }

    #[test]
    fn a_constant_depth_is_computed_once_a_process() {
        let plan = with_depths(plan(2, 3), &[512]);
        assert_eq!(cost(&plan, &schedule(&plan, 48)).depth_tokens, 2 * 3 * 512);
    }

    #[test]
    fn prefill_is_evaluated_twice_and_logits_on_both_sides() {
        let mut plan = plan(2, 3);
        plan.workload.work = TimedWork::Prefill { prefill_tokens: 512 };
        plan.arms[2].contracts =
            vec![Contract::Cosine { at_least: 0.99, basis: "seen".to_owned(), positions: 512 }];
        let found = cost(&plan, &schedule(&plan, 48));
        assert_eq!(found.timed_tokens, 18 * 512);
        assert_eq!(found.untimed_tokens, 18 * 512);
        assert_eq!(found.contract_tokens, 2 * 512);
    }
}
