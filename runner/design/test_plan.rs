//! A small plan for tests of what follows from plans.

use engine_protocol::Settings;

use crate::manifest::{
    Arm, ArmName, Claim, Condition, ConditionSetting, Contract, Decision, Design, EngineBase,
    Environment, ExperimentId, Freeze, Gate, InputScope, MeasurementClass, Metric, MetricPlan,
    ModelChoice, Noise, Plan, PriorAccess, Role, Stop, TimedWork, WorkerChoice, Workload,
};

/// An arm of a role, with `identical` promised where it is a treatment.
pub fn arm(name: &str, role: Role) -> Arm {
    let contracts = if role == Role::Treatment { vec![Contract::Identical] } else { Vec::new() };
    Arm {
        name: ArmName::try_from(name.to_owned()).unwrap(),
        role,
        settings: Settings::default(),
        form: None,
        layers: None,
        worker: None,
        contracts,
        expect: Vec::new(),
        accepted_tokens_at_least: None,
        expect_devices: Vec::new(),
        expect_buffers: Vec::new(),
        environment: Environment::default(),
        inputs: None,
        pieces: None,
    }
}

/// Arms `off`, `off-again` and `fast`, decode, margin 2 %.
pub fn plan(rounds: u32, blocks_per_round: u32) -> Plan {
    Plan {
        schema: 1,
        id: ExperimentId::try_from("test-plan".to_owned()).unwrap(),
        title: "A plan for tests".to_owned(),
        hypothesis: "fast is 5 % faster".to_owned(),
        mechanism: None,
        prior_access: PriorAccess::None,
        prior_art: Vec::new(),
        engine: EngineBase {
            worker: WorkerChoice::Native,
            model: ModelChoice::Named("builtin-tiny".to_owned()),
            form: None,
            layers: None,
            settings: Settings::default(),
            freeze: Freeze::Build,
            environment: Environment::default(),
        },
        workload: Workload {
            inputs: "prose-48".to_owned(),
            inputs_blake3: String::new(),
            class: MeasurementClass::DenseThroughput,
            work: TimedWork::Decode { prompt_tokens: 32, decode_tokens: 48, chunk_tokens: 8 },
            depth_tokens: 0,
        },
        arms: vec![arm("off", Role::Off), arm("off-again", Role::Aa), arm("fast", Role::Treatment)],
        ladder: None,
        condition: None,
        metric: MetricPlan {
            primary: Metric::DecodeTokensPerSecond,
            secondary: vec![Metric::PromptMilliseconds],
        },
        noise: Noise {
            assumed_round_sd_percent: 0.8,
            assumed_block_sd_percent: 3.0,
            expected_effect_percent: 5.0,
            source: None,
        },
        design: Design {
            rounds,
            blocks_per_round,
            order_seed: 20_261_129,
            input_scope: InputScope::Set,
        },
        stop: Stop::Fixed { cap_minutes: 20.0 },
        gate: Gate {
            others_cpu_percent: 10.0,
            pressure_percent: 5.0,
            wait_seconds: 60.0,
            contaminated_percent: 20.0,
        },
        decision: Decision {
            margin_percent: 2.0,
            confidence_percent: 95.0,
            parked_resolution: "a second registration on a machine with a fixed clock".to_owned(),
        },
        claim: Claim::default(),
        budget: None,
        warm_up: None,
        stack: None,
        regime: None,
        history: None,
    }
}

/// The same with everything repeated at these depths.
pub fn with_depths(mut plan: Plan, values: &[u32]) -> Plan {
    plan.condition =
        Some(Condition { setting: ConditionSetting::DepthTokens, values: values.to_vec() });
    plan
}

/// The same with everything repeated with prompts of these lengths.
pub fn with_prompts(mut plan: Plan, values: &[u32]) -> Plan {
    plan.condition =
        Some(Condition { setting: ConditionSetting::PromptTokens, values: values.to_vec() });
    plan
}
