//! A made-up run of a million samples.

use std::path::Path;

use runner::Failure;
use runner::design::schedule;
use runner::manifest::{
    Build, MeasurementClass, NoNoise, NoiseFacts, NoiseSource, Plan, Surroundings, TextOrigin,
    TimedWork, WorkloadFacts, read,
};
use runner::stats::Draws;
use runner::verdict::{Evidence, RunFacts};
use sample_table::{SampleRow, SampleState, Work};

/// 280 rounds of 25 blocks, 48 chunks each, on three arms: 1,008,000 readings.
const ROUNDS: u32 = 280;
const BLOCKS_PER_ROUND: u32 = 25;
const CHUNKS: u32 = 48;
const CHUNK_TOKENS: u32 = 8;
const INPUTS: usize = 48;

const MANIFEST: &str = r#"
schema = 1
id = "bench-analysis"
title = "A million samples"
hypothesis = "on is 5 % faster"
prior_access = "none"
[engine]
model = "builtin-tiny"
threads = 1
context_tokens = 1024
[workload]
inputs = "prose-48"
class = "dense_throughput"
prompt_tokens = 32
decode_tokens = 64
[[arm]]
name = "off"
role = "off"
flash_attention = "off"
[[arm]]
name = "off-again"
role = "aa"
flash_attention = "off"
[[arm]]
name = "on"
role = "treatment"
flash_attention = "on"
contract.identical.of = "tokens"
[metric]
primary = "decode_tokens_per_second"
[noise]
assumed_round_sd_percent = 0.8
assumed_block_sd_percent = 3.0
expected_effect_percent = 5.0
[design]
rounds = 12
blocks_per_round = 6
chunk_tokens = 8
order_seed = 20261129
[stop.fixed]
cap_minutes = 30
[decision]
margin_percent = 2.0
parked.resolution = "a second registration with twice the rounds"
"#;

/// Everything that the manifest names is there.
struct Everything;

impl Surroundings for Everything {
    fn workload(&self, _: &str) -> Result<WorkloadFacts, Failure> {
        Ok(WorkloadFacts {
            items: INPUTS,
            bytes: 1 << 20,
            classes: vec![MeasurementClass::DenseThroughput],
            blake3: String::new(),
            origin: TextOrigin::Drawn,
        })
    }

    fn workload_names(&self) -> Vec<String> {
        vec!["prose-48".to_owned()]
    }

    fn model_names(&self) -> Result<Vec<String>, Failure> {
        Ok(vec!["builtin-tiny".to_owned()])
    }

    fn builds(&self) -> Result<Vec<Build>, Failure> {
        Ok(Vec::new())
    }

    fn noise(&self, _: &NoiseSource) -> Result<NoiseFacts, NoNoise> {
        Err(NoNoise::TooFewRounds)
    }

    fn noise_sources(&self, _: &NoiseSource) -> Vec<String> {
        Vec::new()
    }

    fn stored_plan(&self, _: &str) -> Result<Option<Plan>, Failure> {
        Ok(None)
    }

    fn is_file(&self, _: &str) -> bool {
        true
    }
}

/// The plan, and its run on an instrument with 0.8 % between rounds, 3 % between blocks and 2 %
/// between chunks, with an effect of 5 %.
pub fn a_million_samples() -> (Plan, Evidence) {
    let mut plan = read(MANIFEST, Path::new("bench.toml"), &Everything).unwrap().plan;
    plan.design.rounds = ROUNDS;
    plan.design.blocks_per_round = BLOCKS_PER_ROUND;
    plan.workload.work = TimedWork::Decode {
        prompt_tokens: 32,
        decode_tokens: CHUNKS * CHUNK_TOKENS,
        chunk_tokens: CHUNK_TOKENS,
    };
    let samples = samples(&plan);
    let facts = serde_json::from_value::<RunFacts>(serde_json::json!({
        "end": "completed",
        "contracts": [{
            "arm": "on", "contract": "identical", "state": "kept", "compared": 96,
            "detail": "96 of 96 tokens equal", "first_divergence": null, "figures": [],
        }],
        "wall_nanoseconds": 0,
        "engine_nanoseconds": 0,
        "timed_nanoseconds": 0,
    }))
    .unwrap();
    (plan, Evidence { samples, facts })
}

fn samples(plan: &Plan) -> Vec<SampleRow> {
    let mut draws = Draws::new(20_261_129, "bench");
    let mut noise = |sd: f64| sd * draws.normal();
    let mut rows = Vec::new();
    for round in &schedule(plan, INPUTS).rounds {
        let of_round: Vec<f64> = plan.arms.iter().map(|_| noise(0.008)).collect();
        for block in &round.blocks {
            let of_block: Vec<f64> = plan.arms.iter().map(|_| noise(0.03)).collect();
            for chunk in 0..block.chunks {
                let mut order = block.order.clone();
                if chunk % 2 == 1 {
                    order.reverse();
                }
                for (place, arm) in order.into_iter().enumerate() {
                    let effect = if arm == 2 { 0.05 } else { 0.0 };
                    let log_rate =
                        30_f64.ln() + effect + of_round[arm] + of_block[arm] + noise(0.02);
                    let seconds = f64::from(CHUNK_TOKENS) * (-log_rate).exp();
                    rows.push(SampleRow {
                        energy: None,
                        condition: 0,
                        round: round.index,
                        segment: round.index,
                        block: block.index,
                        chunk,
                        place: place as u32,
                        arm: plan.arms[arm].name.to_string(),
                        input: format!("item-{}", block.input),
                        work: Work::Decode,
                        tokens: CHUNK_TOKENS,
                        nanoseconds: (seconds * 1e9) as u64,
                        started_nanoseconds: 0,
                        state: SampleState::Timed,
                        flags: String::new(),
                    });
                }
            }
        }
    }
    rows
}
