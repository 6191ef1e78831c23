//! Evidence of a run that nobody made: a schedule on an instrument whose truth is known.

use runner::design::Schedule;
use runner::manifest::{Contract, Plan, Role, TimedWork};
use runner::verdict::{ContractFinding, ContractState, Evidence, ProcessFacts, RunEnd, RunFacts};
use sample_table::{SampleRow, SampleState, Work};

use crate::noise::{Instrument, Noise};

/// What is true.
#[derive(Debug, Clone, Copy)]
pub struct Truth {
    /// Log ratio of every treatment over off.
    pub effect: f64,
    pub noise: Noise,
    pub seed: u64,
}

/// A run of the whole schedule, everything promised and kept. `before_round` is asked before
/// each round and may end the run.
pub fn evidence(
    plan: &Plan,
    schedule: &Schedule,
    truth: Truth,
    mut stop_before: impl FnMut(&[SampleRow], u32) -> Option<RunEnd>,
) -> Evidence {
    let rounds = u32::try_from(schedule.rounds.len()).unwrap_or(u32::MAX);
    let mut instrument = Instrument::new(truth.noise, truth.seed, plan.arms.len(), rounds);
    let mut samples = Vec::new();
    let mut end = RunEnd::Completed;
    for round in &schedule.rounds {
        if let Some(ended) = stop_before(&samples, round.index) {
            end = ended;
            break;
        }
        instrument.begin_round();
        for block in &round.blocks {
            let of_input = 0.1 * (block.input as f64 / 10.0).sin();
            for (place, &index) in block.order.iter().enumerate() {
                let Some(arm) = plan.arms.get(index) else { continue };
                let effect = if arm.role == Role::Treatment { truth.effect } else { 0.0 };
                let log_rate =
                    90_f64.ln() + of_input + effect + instrument.block(index, round.index, place);
                let (work, tokens) = match plan.workload.work {
                    TimedWork::Decode { decode_tokens, .. } => (Work::Decode, decode_tokens),
                    TimedWork::Prefill { prefill_tokens } => (Work::Prefill, prefill_tokens),
                    TimedWork::Primitive { repetitions, .. } => (Work::Primitive, repetitions),
                };
                samples.push(SampleRow {
                    condition: block.condition,
                    round: round.index,
                    segment: round.index,
                    block: block.index,
                    chunk: 0,
                    place: place as u32,
                    arm: arm.name.to_string(),
                    input: format!("item-{}", block.input),
                    work,
                    tokens,
                    nanoseconds: (f64::from(tokens) * 1e9 * (-log_rate).exp()) as u64,
                    started_nanoseconds: 0,
                    state: SampleState::Timed,
                    energy: None,
                    flags: String::new(),
                });
            }
        }
    }
    Evidence { samples, facts: facts(plan, end) }
}

fn facts(plan: &Plan, end: RunEnd) -> RunFacts {
    let contracts = plan.arms.iter().flat_map(|arm| {
        arm.contracts.iter().map(|contract| ContractFinding {
            arm: arm.name.to_string(),
            condition: None,
            contract: match contract {
                Contract::Identical => "identical",
                Contract::Cosine { .. } => "cosine",
                Contract::Kl { .. } => "kl",
                Contract::Argmax { .. } => "argmax",
            }
            .to_owned(),
            state: ContractState::Kept,
            compared: 1,
            detail: "simulated".to_owned(),
            first_divergence: None,
            figures: Vec::new(),
        })
    });
    RunFacts {
        energy: None,
        peers: Vec::new(),
        end,
        interruptions: Vec::new(),
        arm_faults: Vec::new(),
        contracts: contracts.collect(),
        engagement: Vec::new(),
        memory: Vec::new(),
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
        wall_nanoseconds: 0,
        engine_nanoseconds: 0,
        timed_nanoseconds: 0,
    }
}
