//! The plan of a pilot, and the plan that a pilot suggests.

use engine_protocol::Settings;

use super::pilot_look::{Pilot, PilotValue, PilotWork};
use crate::failure::Failure;
use crate::manifest::{
    Arm, ArmName, Claim, Contract, Decision, Design, EngineBase, Environment, ExperimentId, Freeze,
    Gate, InputScope, MeasurementClass, Metric, MetricPlan, Noise, Plan, PriorAccess, Role, Stop,
    TimedWork, WorkerChoice, Workload,
};
use crate::model;
use crate::project::Project;
use crate::verdict::Effect;

/// Timed tokens of a chunk: the manifest language's default.
const CHUNK_TOKENS: u32 = 8;
/// Tokens in front of decoded ones.
const PROMPT_TOKENS: u32 = 32;
/// More than two minutes ever hold: the cap on minutes ends a pilot.
const MOST_ROUNDS: u32 = 60;
/// Longest wait for quiet before a block, seconds.
const WAIT_SECONDS: f64 = 20.0;

/// The plan that a pilot runs. It has no contracts: nothing is judged.
pub(super) fn pilot_plan(pilot: &Pilot, project: &Project) -> Result<Plan, Failure> {
    let id = match &pilot.id {
        Some(id) => id.clone(),
        None => name(ExperimentId::try_from("pilot".to_owned()))?,
    };
    let work = match pilot.work {
        PilotWork::Prefill { tokens } => {
            TimedWork::Prefill { prefill_tokens: at_least_one(tokens)? }
        }
        PilotWork::Decode { tokens } => TimedWork::Decode {
            prompt_tokens: PROMPT_TOKENS,
            decode_tokens: at_least_one(tokens)?.div_ceil(CHUNK_TOKENS) * CHUNK_TOKENS,
            chunk_tokens: CHUNK_TOKENS,
        },
    };
    let context =
        Settings { context_tokens: Some(context_for(work, pilot)), ..Settings::default() };
    Ok(Plan {
        schema: 1,
        title: format!("A look at {}", pilot.setting),
        hypothesis: "to be stated before registration".to_owned(),
        mechanism: None,
        prior_access: PriorAccess::Pilot,
        prior_art: Vec::new(),
        engine: EngineBase {
            worker: WorkerChoice::Native,
            model: model::choose(&pilot.model, project)?,
            form: None,
            layers: None,
            settings: context.overlaid(&pilot.settings),
            freeze: Freeze::Build,
            environment: Environment::default(),
        },
        workload: Workload {
            inputs: pilot.inputs.clone(),
            inputs_blake3: String::new(),
            class: MeasurementClass::DenseThroughput,
            work,
            depth_tokens: pilot.depth_tokens,
        },
        arms: arms(pilot)?,
        ladder: None,
        condition: None,
        metric: MetricPlan {
            primary: match work {
                TimedWork::Decode { .. } => Metric::DecodeTokensPerSecond,
                TimedWork::Prefill { .. } => Metric::PrefillTokensPerSecond,
                TimedWork::Primitive { .. } => Metric::BytesPerSecond,
            },
            secondary: Vec::new(),
        },
        noise: Noise {
            assumed_round_sd_percent: 1.0,
            assumed_block_sd_percent: 3.0,
            expected_effect_percent: 6.0,
            source: None,
        },
        design: Design {
            rounds: MOST_ROUNDS,
            blocks_per_round: match work {
                TimedWork::Decode { .. } => 4,
                TimedWork::Prefill { .. } | TimedWork::Primitive { .. } => 2,
            },
            order_seed: 1,
            input_scope: InputScope::Set,
        },
        stop: Stop::Fixed { cap_minutes: pilot.minutes },
        gate: Gate {
            others_cpu_percent: 15.0,
            pressure_percent: 20.0,
            wait_seconds: WAIT_SECONDS,
            contaminated_percent: 100.0,
        },
        decision: Decision {
            margin_percent: 3.0,
            confidence_percent: 95.0,
            parked_resolution: "a second registration with twice the rounds".to_owned(),
        },
        claim: Claim::default(),
        budget: None,
        warm_up: None,
        stack: None,
        regime: None,
        history: None,
        id,
    })
}

/// The pilot's plan made ready for registration: contracts to be stated, and the pilot named as
/// the source of the noise where it has shown some.
pub(super) fn plan_to_register(
    plan: &Plan,
    pilot: &Pilot,
    noise: Option<Noise>,
    effect: Option<&Effect>,
) -> Plan {
    let mut plan = plan.clone();
    for arm in plan.arms.iter_mut().filter(|arm| arm.role == Role::Treatment) {
        arm.contracts = vec![Contract::Kl {
            mean_at_most: 0.02,
            p99_at_most: 0.2,
            basis: "state where these bars come from before you register".to_owned(),
            positions: 512,
        }];
    }
    let positions = 512 + plan.workload.depth_tokens;
    let context = plan.engine.settings.context_tokens.unwrap_or(0).max(positions);
    plan.engine.settings.context_tokens = Some(context);
    if let Some(noise) = noise {
        plan.noise = noise;
    }
    if let Some(effect) = effect {
        // an effect within the margin cannot be aimed at: then the smallest that must not be
        // overlooked stands there, twice the margin
        let seen = tenths(libm::expm1(effect.log_ratio) * 100.0);
        let least = 2.0 * plan.decision.margin_percent;
        plan.noise.expected_effect_percent =
            if seen.abs() < least { least.copysign(seen) } else { seen };
    }
    plan.title = format!("{}: {}", pilot.setting, plan.title);
    plan.design.rounds = 12;
    plan.design.blocks_per_round = 6;
    plan.stop = Stop::Fixed { cap_minutes: 20.0 };
    plan.gate.contaminated_percent = 20.0;
    plan.gate.wait_seconds = 60.0;
    plan
}

fn tenths(percent: f64) -> f64 {
    (percent * 10.0).round() / 10.0
}

fn at_least_one(tokens: u32) -> Result<u32, Failure> {
    if tokens == 0 {
        return Err(Failure::usage("no tokens are asked for").hint("at least 1 is timed"));
    }
    Ok(tokens)
}

/// Room for a block, in steps of 256 tokens, as llama.cpp pads contexts.
fn context_for(work: TimedWork, pilot: &Pilot) -> u32 {
    let front = match work {
        TimedWork::Prefill { prefill_tokens } => prefill_tokens,
        TimedWork::Primitive { .. } => 0,
        TimedWork::Decode { prompt_tokens, decode_tokens, chunk_tokens } => {
            prompt_tokens + decode_tokens + decode_tokens.div_ceil(chunk_tokens.max(1))
        }
    };
    (front + pilot.depth_tokens + 1).div_ceil(256) * 256
}

fn arms(pilot: &Pilot) -> Result<Vec<Arm>, Failure> {
    let arm = |name: &str, role, value: &PilotValue| -> Result<Arm, Failure> {
        let name = ArmName::try_from(name.to_owned()).map_err(|bad| {
            Failure::usage(format!("`{name}` gives no arm's name: {}", bad.why))
                .at("--vary")
                .hint("write the value in lower case, as manifests do")
        })?;
        Ok(Arm {
            name,
            role,
            settings: value.settings.clone(),
            form: value.form,
            layers: None,
            worker: None,
            contracts: Vec::new(),
            expect: Vec::new(),
            accepted_tokens_at_least: None,
            expect_devices: Vec::new(),
            expect_buffers: Vec::new(),
            environment: Environment::default(),
            inputs: None,
            pieces: None,
        })
    };
    let mut arms = Vec::new();
    for (index, value) in pilot.values.iter().enumerate() {
        if index == 0 {
            arms.push(arm("off", Role::Off, value)?);
            arms.push(arm("off-again", Role::Aa, value)?);
        } else {
            arms.push(arm(&format!("{}={}", pilot.setting, value.word), Role::Treatment, value)?);
        }
    }
    Ok(arms)
}

fn name<T>(name: Result<T, crate::manifest::BadName>) -> Result<T, Failure> {
    name.map_err(|bad| Failure::failed(bad.why))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::test_plan;
    use crate::manifest::{NoiseSource, to_toml};

    fn pilot() -> Pilot {
        Pilot {
            id: None,
            model: "builtin-tiny".to_owned(),
            setting: "threads".to_owned(),
            values: Vec::new(),
            settings: Settings::default(),
            work: PilotWork::Decode { tokens: 48 },
            depth_tokens: 0,
            inputs: "prose-48".to_owned(),
            minutes: 2.0,
        }
    }

    #[test]
    fn a_saved_manifest_names_its_pilot_as_the_source_of_the_noise() {
        let source = NoiseSource::Pilot("20261129-161031".to_owned());
        let noise = Noise::measured(source, 0.612_345, 2.345_678, 6.0);
        let plan = plan_to_register(&test_plan::plan(4, 4), &pilot(), Some(noise), None);
        assert_eq!(plan.noise.assumed_round_sd_percent, 0.6123);
        assert_eq!(plan.noise.assumed_block_sd_percent, 2.346);
        let text = to_toml(&plan);
        assert!(text.contains("\npilot = \"20261129-161031\""), "{text}");
        assert!(!text.contains("assumed_"), "{text}");
    }

    #[test]
    fn a_pilot_that_showed_no_noise_leaves_assumed_numbers() {
        let plan = plan_to_register(&test_plan::plan(4, 4), &pilot(), None, None);
        assert_eq!(plan.noise.source, None);
        assert!(to_toml(&plan).contains("\nassumed_round_sd_percent = "));
    }
}
