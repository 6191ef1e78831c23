//! Plans, runs and judgements for tests.

use std::collections::BTreeMap;

use engine_protocol::{EngineFacts, Settings, SourcePin, TensorTypeBytes, Toggle};
use sample_table::{SampleRow, SampleState, Work};

use super::frozen::{Frozen, FrozenEngine, FrozenInputs, FrozenModel};
use super::provenance::{
    EngineProvenance, ModelProvenance, Moment, Provenance, Regime, RepositoryProvenance,
    RunnerProvenance, WorkloadProvenance,
};
use super::provenance_parts::ProvenanceParts;
use super::registered::{Circumstances, CommitState};
use crate::manifest::{
    Arm, Claim, Contract, Decision, Design, EngineBase, Environment, Freeze, Gate, InputScope,
    MeasurementClass, Metric, MetricPlan, ModelChoice, Noise, Plan, PriorAccess, Role, Stop,
    TimedWork, WorkerChoice, Workload,
};
use crate::project::Project;
use crate::verdict::{
    AaFinding, Agreement, Analysis, Comparison, ContractFinding, ContractState, Effect, Evidence,
    ProcessFacts, Reason, ReasonCode, RunEnd, RunFacts, RunSummary, Spread,
};

/// The manifest's text: records only keep it.
pub(crate) const SOURCE: &str = "schema = 1\nid = \"flash\"\n# as it was written\n";

pub(crate) fn project(folder: &std::path::Path) -> Project {
    Project {
        root: folder.to_path_buf(),
        results: folder.join("results"),
        cache: folder.join("cache"),
    }
}

fn arm(name: &str, role: Role, flash: Option<Toggle>) -> Arm {
    Arm {
        name: name.to_owned().try_into().unwrap(),
        role,
        settings: Settings { flash_attention: flash, ..Settings::default() },
        form: None,
        layers: None,
        worker: None,
        contracts: if role == Role::Treatment { vec![Contract::Identical] } else { Vec::new() },
        expect: Vec::new(),
        accepted_tokens_at_least: None,
        expect_devices: Vec::new(),
        expect_buffers: Vec::new(),
        environment: Environment::default(),
        inputs: None,
        pieces: None,
    }
}

pub(crate) fn plan(id: &str) -> Plan {
    Plan {
        schema: 1,
        id: id.to_owned().try_into().unwrap(),
        title: "Flash attention".to_owned(),
        hypothesis: "flash attention raises decode throughput by 5 % or more".to_owned(),
        mechanism: None,
        prior_access: PriorAccess::None,
        prior_art: Vec::new(),
        engine: EngineBase {
            worker: WorkerChoice::Native,
            model: ModelChoice::Named("builtin-tiny".to_owned()),
            form: None,
            layers: None,
            settings: Settings { threads: Some(2), ..Settings::default() },
            freeze: Freeze::Build,
            environment: Environment::default(),
        },
        workload: Workload {
            inputs: "prose-48".to_owned(),
            inputs_blake3: "00".repeat(32),
            class: MeasurementClass::DenseThroughput,
            work: TimedWork::Decode { prompt_tokens: 16, decode_tokens: 16, chunk_tokens: 8 },
            depth_tokens: 0,
        },
        arms: vec![
            arm("off", Role::Off, Some(Toggle::Off)),
            arm("off-again", Role::Aa, Some(Toggle::Off)),
            arm("flash", Role::Treatment, Some(Toggle::On)),
        ],
        ladder: None,
        condition: None,
        metric: MetricPlan { primary: Metric::DecodeTokensPerSecond, secondary: Vec::new() },
        noise: Noise {
            assumed_round_sd_percent: 0.8,
            assumed_block_sd_percent: 3.0,
            expected_effect_percent: 5.0,
            source: None,
        },
        design: Design {
            rounds: 16,
            blocks_per_round: 6,
            order_seed: 20_261_129,
            input_scope: InputScope::Set,
        },
        stop: Stop::Fixed { cap_minutes: 20.0 },
        gate: Gate {
            others_cpu_percent: 5.0,
            pressure_percent: 5.0,
            wait_seconds: 60.0,
            contaminated_percent: 20.0,
        },
        decision: Decision {
            margin_percent: 2.0,
            confidence_percent: 95.0,
            parked_resolution: "a second registration".to_owned(),
        },
        claim: Claim::default(),
        budget: None,
        warm_up: None,
        stack: None,
        regime: None,
        history: None,
    }
}

pub(crate) fn engine_facts() -> EngineFacts {
    EngineFacts {
        name: "ggml".to_owned(),
        version: "0.26.0".to_owned(),
        source: SourcePin::Pinned {
            package: "llama-cpp-sys-2".to_owned(),
            version: "0.1.161".to_owned(),
        },
        source_blake3: "ab".repeat(32),
        compiler: "gcc 13.2.0".to_owned(),
        flags: BTreeMap::from([(
            "ggml-cpu".to_owned(),
            vec!["-O3".to_owned(), "-I/home/ada/ggml/include".to_owned()],
        )]),
        instruction_set: vec!["avx2".to_owned(), "fma".to_owned()],
        backends: vec!["cpu".to_owned()],
        threading: "openmp".to_owned(),
        supported_settings: vec!["threads".to_owned()],
    }
}

pub(crate) fn frozen() -> Frozen {
    Frozen {
        rules_version: 1,
        freeze: Freeze::Build,
        model: FrozenModel { name: "builtin-tiny".to_owned(), sha256: "cd".repeat(32) },
        forms: Vec::new(),
        slices: Vec::new(),
        drafters: Vec::new(),
        history: None,
        step_of: None,
        arm_inputs: Vec::new(),
        inputs: FrozenInputs { name: "prose-48".to_owned(), blake3: "00".repeat(32) },
        engines: vec![FrozenEngine::of(&WorkerChoice::Native, &engine_facts())],
    }
}

pub(crate) fn circumstances() -> Circumstances {
    Circumstances {
        at: "2026-11-29T16:10:31Z".to_owned(),
        commit: Some("1a2b3c4d5e6f7a8b9c0d1a2b3c4d5e6f7a8b9c0d".to_owned()),
        state: CommitState::Committed,
    }
}

fn moment(utc: &str, nanoseconds: u64, governor: &str) -> Moment {
    let facts =
        [("cpu_model", "Example CPU @ 2.5 GHz"), ("cores_usable", "2"), ("governor", governor)];
    Moment {
        utc: utc.to_owned(),
        monotonic_nanoseconds: nanoseconds,
        machine: facts.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
    }
}

pub(crate) fn provenance() -> Provenance {
    let parts = ProvenanceParts {
        registration: None,
        runner: RunnerProvenance {
            version: "0.1.0".to_owned(),
            binary_blake3: "ef".repeat(32),
            build: BTreeMap::new(),
        },
        repository: RepositoryProvenance {
            commit: Some("2b3c4d5e6f7a8b9c0d1a2b3c4d5e6f7a8b9c0d1a".to_owned()),
            state: CommitState::Committed,
        },
        regime: Regime {
            extent: "whole_model".to_owned(),
            extent_by_arm: BTreeMap::new(),
            backends: vec!["cpu".to_owned()],
            class: "dense_throughput".to_owned(),
            depth_tokens: vec![0],
            weights_derived_from: BTreeMap::new(),
            primitives: BTreeMap::new(),
        },
        model: ModelProvenance {
            name: "builtin-tiny".to_owned(),
            sha256: "cd".repeat(32),
            bytes: 4_000_000,
            licence: "MIT".to_owned(),
            weights_derived_from: "a seed".to_owned(),
            architecture: "llama".to_owned(),
            tensor_types: vec![TensorTypeBytes {
                tensor_type: "f32".to_owned(),
                tensors: 9,
                bytes: 3_900_000,
            }],
        },
        forms: Vec::new(),
        slices: Vec::new(),
        drafters: Vec::new(),
        arm_inputs: Vec::new(),
        workload: WorkloadProvenance {
            name: "prose-48".to_owned(),
            blake3: "00".repeat(32),
            licence: "CC0-1.0".to_owned(),
        },
        start: moment("2026-11-29T17:00:00Z", 0, "performance"),
        end: moment("2026-11-29T17:05:00Z", 300_000_000_000, "powersave"),
        environment: None,
        hosts: Vec::new(),
        placements: Vec::new(),
        scheduler: None,
        engines: vec![EngineProvenance {
            worker: "native".to_owned(),
            arms: vec!["off".to_owned(), "off-again".to_owned(), "flash".to_owned()],
            executable_blake3: "12".repeat(32),
            facts: engine_facts(),
        }],
    };
    Provenance::assemble(parts, std::path::Path::new("/home/ada/project"))
}

/// Two rounds of two blocks in two chunks: enough for files, not for verdicts.
pub(crate) fn samples() -> Vec<SampleRow> {
    let arms = ["off", "off-again", "flash"];
    let mut rows = Vec::new();
    for index in 0..24_u32 {
        let (round, block, chunk, place) = (index / 12, index / 6 % 2, index / 3 % 2, index % 3);
        rows.push(SampleRow {
            condition: 0,
            round,
            segment: round,
            block,
            chunk,
            place,
            arm: arms[place as usize].to_owned(),
            input: format!("prose-{}", 2 * round + block),
            work: Work::Decode,
            tokens: 8,
            nanoseconds: 200_000_000 + 1_234_567 * u64::from(index),
            started_nanoseconds: 300_000_000 * u64::from(index),
            state: SampleState::Timed,
            energy: None,
            flags: String::new(),
        });
    }
    rows
}

pub(crate) fn evidence() -> Evidence {
    let facts = RunFacts {
        end: RunEnd::Completed,
        interruptions: Vec::new(),
        arm_faults: Vec::new(),
        contracts: vec![ContractFinding {
            arm: "flash".to_owned(),
            contract: "identical".to_owned(),
            condition: None,
            state: ContractState::Kept,
            compared: 768,
            detail: "768 of 768 tokens equal".to_owned(),
            first_divergence: None,
            figures: Vec::new(),
        }],
        engagement: Vec::new(),
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
        wall_nanoseconds: 300_000_000_000,
        engine_nanoseconds: 279_300_000_000,
        timed_nanoseconds: 201_000_000_000,
    };
    Evidence { samples: samples(), facts }
}

pub(crate) fn effect(log_ratio: f64, half: f64, percent: f64, n: u32) -> Effect {
    Effect {
        log_ratio,
        sd: half / 2.0,
        lo: Some(log_ratio - half),
        hi: Some(log_ratio + half),
        confidence_percent: percent,
        n,
    }
}

fn spread(median: f64) -> Spread {
    Spread {
        median,
        q1: median * 0.97,
        q3: median * 1.03,
        least: median * 0.8,
        greatest: median * 1.1,
        n: 96,
    }
}

/// A comparison as a judge would make it.
pub(crate) fn comparison(arm: &str, log_ratio: f64, half: f64, code: ReasonCode) -> Comparison {
    Comparison {
        arm: arm.to_owned(),
        condition: String::new(),
        metric: "decode_tokens_per_second".to_owned(),
        rounds: 16,
        blocks: 96,
        blocks_without_number: 0,
        off: Some(spread(41.2)),
        treatment: Some(spread(41.2 * log_ratio.exp())),
        effect: Some(effect(log_ratio, half, 95.0, 16)),
        effect_with_flagged: None,
        rounds_agree: Agreement { agree: 15, of: 16 },
        inputs_agree: Agreement { agree: 44, of: 48 },
        pooled: Some(effect(log_ratio + 0.004, half * 3.0, 95.0, 96)),
        holm_p: Some(0.000_31),
        looks: Vec::new(),
        adjusted: None,
        class_intervals: None,
        description: None,
        verdict: code.verdict(),
        reason: Reason { code, text: "the reason in words, with the numbers".to_owned() },
        claim: format!("{arm} changes decode throughput on prose-48."),
    }
}

pub(crate) fn analysis(comparisons: Vec<Comparison>, summary: RunSummary) -> Analysis {
    Analysis {
        rules_version: 1,
        rounds_judged: 16,
        blocks: 96,
        blocks_flagged: 2,
        flags: vec!["pressure: 2".to_owned()],
        aa: vec![AaFinding {
            arm: "off-again".to_owned(),
            condition: String::new(),
            effect: Some(effect(0.001, 0.012, 99.0, 16)),
            biased: false,
        }],
        comparisons,
        described: Vec::new(),
        secondary: Vec::new(),
        bounds: Vec::new(),
        ladder: Vec::new(),
        summary,
    }
}

/// The stand-in for a judge: a win whose numbers depend on the samples.
pub(crate) fn judge(_plan: &Plan, evidence: &Evidence) -> Analysis {
    let sum: u64 = evidence.samples.iter().map(|row| row.nanoseconds).sum();
    let log_ratio = (1.0 + sum as f64).ln() / 500.0;
    let comparison = comparison("flash", log_ratio, 0.02, ReasonCode::AboveMargin);
    analysis(vec![comparison], RunSummary::Judged)
}
