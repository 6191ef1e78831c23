//! A small world for tests, and ways to alter a manifest.

use std::path::Path;

use crate::failure::Failure;
use crate::manifest::{
    Build, BuildSpec, Diagnostics, MeasurementClass, NoNoise, NoiseFacts, NoiseSource, Plan,
    Reading, Surroundings, TextOrigin, WorkloadFacts, read,
};

/// Two workloads, two models, no files.
pub struct World;

impl Surroundings for World {
    fn workload(&self, inputs: &str) -> Result<WorkloadFacts, Failure> {
        let facts = |bytes, fill: &str| {
            let classes = vec![
                MeasurementClass::DenseThroughput,
                MeasurementClass::Speculation,
                MeasurementClass::Divergence,
                MeasurementClass::LongContext,
            ];
            let origin = if fill == "f" { TextOrigin::Filler } else { TextOrigin::Drawn };
            Ok(WorkloadFacts { items: 48, bytes, classes, blake3: fill.repeat(64), origin })
        };
        match inputs {
            "prose-48" => facts(60_000, "a"),
            "code-48" => facts(60_000, "b"),
            "tiny-set" => facts(300, "c"),
            "buffers" => facts(600, "d"),
            "filler" => facts(60_000, "f"),
            _ => Err(Failure::usage("no embedded set and no file is called so")),
        }
    }

    fn workload_names(&self) -> Vec<String> {
        ["code-48", "prose-48", "tiny-set"].map(str::to_owned).to_vec()
    }

    fn model_names(&self) -> Result<Vec<String>, Failure> {
        Ok(["builtin-tiny", "smollm2-135m-instruct-q4_1"].map(str::to_owned).to_vec())
    }

    fn builds(&self) -> Result<Vec<Build>, Failure> {
        let spec =
            BuildSpec { instruction_set: Some("x86-64-v3".to_owned()), ..BuildSpec::default() };
        Ok(vec![Build {
            name: "v3".to_owned().try_into().map_err(|_| Failure::usage("no"))?,
            spec,
        }])
    }

    fn noise(&self, source: &NoiseSource) -> Result<NoiseFacts, NoNoise> {
        super::stored_runs::noise(source)
    }

    fn noise_sources(&self, source: &NoiseSource) -> Vec<String> {
        super::stored_runs::names(source)
    }

    fn stored_plan(&self, name: &str) -> Result<Option<Plan>, Failure> {
        super::stored_runs::stored_plan(name)
    }

    fn is_file(&self, path: &str) -> bool {
        path == "there"
    }
}

/// A manifest that is right, as short as it can be.
pub const GOOD: &str = r#"schema = 1
id = "good"
title = "A good one"
hypothesis = "it reads"
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

[[arm]]
name = "off-again"
role = "aa"

[[arm]]
name = "two"
role = "treatment"
threads = 2
contract.identical.of = "tokens"

[metric]
primary = "decode_tokens_per_second"

[noise]
assumed_round_sd_percent = 0.8
assumed_block_sd_percent = 3.0
expected_effect_percent = 5.0

[design]
rounds = 12
blocks_per_round = 4
order_seed = 7

[stop.fixed]
cap_minutes = 20

[decision]
margin_percent = 2.0
parked.resolution = "a second registration"
"#;

/// The good manifest with pieces replaced; each must be there.
pub fn altered(changes: &[(&str, &str)]) -> String {
    changes.iter().fold(GOOD.to_owned(), |text, (old, new)| {
        assert!(text.contains(old), "{old}");
        text.replacen(old, new, 1)
    })
}

/// Reads, as `m.toml`.
pub fn try_read(source: &str) -> Result<Reading, Diagnostics> {
    read(source, Path::new("m.toml"), &World)
}

/// Reads what must be right.
pub fn plan(source: &str) -> Plan {
    match try_read(source) {
        Ok(reading) => reading.plan,
        Err(faults) => panic!("{}", faults.render(crate::manifest::Color::Plain)),
    }
}

/// Faults of what must be wrong.
pub fn faults(source: &str) -> Diagnostics {
    try_read(source).expect_err("the manifest should have had faults")
}

/// Faults of the good manifest with pieces replaced, as people read them.
pub fn shown(changes: &[(&str, &str)]) -> String {
    faults(&altered(changes)).render(crate::manifest::Color::Plain)
}

/// Codes of the faults of the good manifest with pieces replaced.
pub fn codes(changes: &[(&str, &str)]) -> Vec<&'static str> {
    faults(&altered(changes)).list.iter().map(|fault| fault.code.text).collect()
}
