//! Evidence made up for tests: a schedule run on an instrument whose truth is known.

use std::collections::BTreeMap;

use sample_table::{SampleRow, SampleState, Work};

use super::{ContractFinding, ContractState, Engagement, Evidence, ProcessFacts, RunEnd, RunFacts};
use crate::design::{Schedule, schedule};
use crate::manifest::{Plan, Role, TimedWork};
use crate::stats::Draws;

/// How the made-up machine behaves.
pub struct World {
    pub seed: u64,
    /// True log ratio over off, by arm name.
    pub effects: BTreeMap<String, f64>,
    /// Log standard deviation between rounds, and between blocks of a round.
    pub round_sd: f64,
    pub block_sd: f64,
}

impl World {
    /// Quiet: 0.2 % between rounds, 0.5 % between blocks.
    pub fn quiet(seed: u64, effects: &[(&str, f64)]) -> World {
        World {
            seed,
            effects: effects.iter().map(|(arm, effect)| ((*arm).to_owned(), *effect)).collect(),
            round_sd: 0.002,
            block_sd: 0.005,
        }
    }
}

/// A completed run of the plan's schedule over 48 inputs, everything promised and kept.
pub fn evidence(plan: &Plan, world: &World) -> Evidence {
    evidence_in_order_of(plan, plan, world)
}

/// The same with blocks in the order of another plan's schedule.
pub fn evidence_in_order_of(order: &Plan, plan: &Plan, world: &World) -> Evidence {
    let schedule = schedule(order, 48);
    Evidence { samples: samples(plan, &schedule, world), facts: kept(plan) }
}

fn samples(plan: &Plan, schedule: &Schedule, world: &World) -> Vec<SampleRow> {
    let mut draws = Draws::new(world.seed, "world");
    let mut rows = Vec::new();
    let half = std::f64::consts::FRAC_1_SQRT_2;
    for round in &schedule.rounds {
        let of_round: Vec<f64> =
            plan.arms.iter().map(|_| draws.normal() * world.round_sd * half).collect();
        for block in &round.blocks {
            let value = plan.condition_values()[block.condition as usize];
            let of_input = 0.1 * libm::sin(block.input as f64 / 10.0);
            let of_block: Vec<f64> =
                plan.arms.iter().map(|_| draws.normal() * world.block_sd * half).collect();
            for chunk in 0..block.chunks {
                let mut order = block.order.clone();
                if chunk % 2 == 1 {
                    order.reverse();
                }
                for (place, arm_index) in order.into_iter().enumerate() {
                    let arm = &plan.arms[arm_index];
                    let effect = world.effects.get(arm.name.as_str()).copied().unwrap_or(0.0);
                    let (work, tokens) = match plan.work_at(value) {
                        TimedWork::Decode { chunk_tokens, .. } => (Work::Decode, chunk_tokens),
                        TimedWork::Prefill { prefill_tokens } => (Work::Prefill, prefill_tokens),
                        TimedWork::Primitive { repetitions, .. } => (Work::Primitive, repetitions),
                    };
                    let log_rate = libm::log(30.0)
                        + of_input
                        + effect
                        + of_round[arm_index]
                        + of_block[arm_index];
                    let row = SampleRow {
                        condition: block.condition,
                        round: round.index,
                        segment: round.index,
                        block: block.index,
                        chunk,
                        place: place as u32,
                        arm: arm.name.to_string(),
                        input: format!("item-{}", block.input),
                        work,
                        tokens,
                        nanoseconds: (f64::from(tokens) * 1e9 * libm::exp(-log_rate)) as u64,
                        started_nanoseconds: 0,
                        state: SampleState::Timed,
                        energy: None,
                        flags: String::new(),
                    };
                    if chunk == 0 && work == Work::Decode {
                        let prompt = SampleRow {
                            work: Work::Prompt,
                            tokens: 32,
                            nanoseconds: 200_000_000 + 1_000_000 * arm_index as u64,
                            ..row.clone()
                        };
                        rows.push(prompt);
                    }
                    rows.push(row);
                }
            }
        }
    }
    rows
}

fn kept(plan: &Plan) -> RunFacts {
    let contracts = plan
        .arms
        .iter()
        .filter(|arm| arm.role == Role::Treatment)
        .map(|arm| ContractFinding {
            arm: arm.name.to_string(),
            contract: "identical".to_owned(),
            condition: None,
            state: ContractState::Kept,
            compared: 96,
            detail: "96 of 96 tokens equal over 2 sequences".to_owned(),
            first_divergence: None,
            figures: Vec::new(),
        })
        .collect();
    RunFacts {
        end: RunEnd::Completed,
        interruptions: Vec::new(),
        arm_faults: Vec::new(),
        contracts,
        engagement: Vec::<Engagement>::new(),
        memory: Vec::new(),
        peers: Vec::new(),
        forms: Vec::new(),
        arm_inputs: Vec::new(),
        slices: Vec::new(),
        primitives: Vec::new(),
        speculation: Vec::new(),
        draft_controls: Vec::new(),
        unread_sensors: Vec::new(),
        surroundings: None,
        processes: ProcessFacts::default(),
        bounds: None,
        canary: None,
        energy: None,
        wall_nanoseconds: 0,
        engine_nanoseconds: 0,
        timed_nanoseconds: 0,
    }
}

/// Rows of one block.
pub fn rows_of(evidence: &mut Evidence, round: u32, block: u32) -> Vec<&mut SampleRow> {
    evidence.samples.iter_mut().filter(|row| row.round == round && row.block == block).collect()
}
