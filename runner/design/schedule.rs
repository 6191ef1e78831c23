//! What is run in which order: a pure function of the plan and its seed.

use serde::{Deserialize, Serialize};

use super::balance::balanced_orders;
use crate::manifest::{ConditionSetting, Plan, TimedWork};
use crate::stats::Draws;

/// The whole schedule of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schedule {
    /// In order of execution.
    pub rounds: Vec<Round>,
}

/// All blocks between two restarts of the workers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    /// From 0.
    pub index: u32,
    /// Order in which the workers are started, as indices of arms (balanced: start order is a
    /// nuisance of its own).
    pub start_order: Vec<usize>,
    /// In order of execution.
    pub blocks: Vec<Block>,
}

/// Every arm on the same input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// From 0 within the round, over all condition values.
    pub index: u32,
    /// Index of the condition's value; 0 without a condition.
    pub condition: u32,
    /// Index into the workload's items.
    pub input: usize,
    /// Order of the arms in even chunks, as indices of arms; odd chunks run it backwards.
    pub order: Vec<usize>,
    /// Number of chunks; 1 for work that cannot be cut.
    pub chunks: u32,
}

/// The schedule that a plan and its seed stand for, over a workload of `items` inputs. Empty
/// when there is nothing to work on.
///
/// Balanced over the run, as far as divisible: places of arms in a block (for each condition
/// value by itself, since pairs never cross values), places of condition values, and the order
/// in which workers start. Inputs are drawn without repetition until the set is used up, then
/// again; an input is worked on at every condition value before the next is drawn. Where the
/// condition is the depth, all of a round's blocks at one value follow each other instead, so that
/// each depth is evaluated once a process.
#[must_use]
pub fn schedule(plan: &Plan, items: usize) -> Schedule {
    let rounds = plan.design.rounds as usize;
    let inputs_a_round = plan.design.blocks_per_round as usize;
    let seed = plan.design.order_seed;
    let arms = plan.arms.len();
    let values = plan.condition_values();
    if items == 0 || arms == 0 || values.is_empty() {
        return Schedule { rounds: Vec::new() };
    }
    let inputs = drawn_inputs(items, rounds * inputs_a_round, &mut Draws::new(seed, "inputs"));
    let starts = balanced_orders(arms, rounds, &mut Draws::new(seed, "worker starts"));
    let grouping = Grouping::of(plan);
    let orders = match grouping {
        Grouping::ByInput => inputs.len(),
        Grouping::ByValue => rounds,
    };
    let value_orders =
        balanced_orders(values.len(), orders, &mut Draws::new(seed, "condition values"));
    let arm_orders: Vec<Vec<Vec<usize>>> = (0..values.len())
        .map(|value| {
            let mut draws = Draws::new(seed, &format!("arm orders {value}"));
            balanced_orders(arms, inputs.len(), &mut draws)
        })
        .collect();
    let chunks: Vec<u32> = values.iter().map(|&value| chunks_of(plan.work_at(value))).collect();
    let round = |index: usize, start_order: Vec<usize>| {
        let drawn = index * inputs_a_round..(index + 1) * inputs_a_round;
        let cells: Vec<(usize, usize)> = match grouping {
            Grouping::ByInput => drawn
                .flat_map(|draw| value_orders[draw].iter().map(move |&value| (draw, value)))
                .collect(),
            Grouping::ByValue => value_orders[index]
                .iter()
                .flat_map(|&value| drawn.clone().map(move |draw| (draw, value)))
                .collect(),
        };
        let blocks = cells
            .into_iter()
            .enumerate()
            .map(|(place, (draw, value))| Block {
                index: place as u32,
                condition: value as u32,
                input: inputs[draw],
                order: arm_orders[value][draw].clone(),
                chunks: chunks[value],
            })
            .collect();
        Round { index: index as u32, start_order, blocks }
    };
    Schedule {
        rounds: starts.into_iter().enumerate().map(|(index, order)| round(index, order)).collect(),
    }
}

/// What follows what in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Grouping {
    /// All values on one input, then the next input.
    ByInput,
    /// All inputs at one value, then the next value.
    ByValue,
}

impl Grouping {
    fn of(plan: &Plan) -> Grouping {
        match plan.condition.as_ref().map(|condition| condition.setting) {
            Some(ConditionSetting::DepthTokens) => Grouping::ByValue,
            Some(
                ConditionSetting::PromptTokens
                | ConditionSetting::PrefillTokens
                | ConditionSetting::ChunkTokens,
            )
            | None => Grouping::ByInput,
        }
    }
}

fn chunks_of(work: TimedWork) -> u32 {
    match work {
        TimedWork::Decode { decode_tokens, chunk_tokens, .. } => {
            decode_tokens.div_ceil(chunk_tokens.max(1)).max(1)
        }
        TimedWork::Prefill { .. } | TimedWork::Primitive { .. } => 1,
    }
}

/// One shuffled pass over the set after another.
fn drawn_inputs(items: usize, count: usize, draws: &mut Draws) -> Vec<usize> {
    let mut drawn = Vec::with_capacity(count);
    while drawn.len() < count {
        let mut pass: Vec<usize> = (0..items).collect();
        draws.shuffle(&mut pass);
        pass.truncate(count - drawn.len());
        drawn.append(&mut pass);
    }
    drawn
}
