//! The script's form.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use engine_protocol::{BufferBytes, Evaluation, Settings};
use serde::Deserialize;

use crate::observe::Observing;
use crate::primitive::Primitives;

/// A whole script.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Script {
    pub seed: u64,
    pub vocabulary: u32,
    pub context_tokens: u32,
    pub base: Behaviour,
    pub when: Vec<toml::Table>,
}

impl Default for Script {
    fn default() -> Script {
        Script {
            seed: 0,
            vocabulary: 128,
            context_tokens: 4096,
            base: Behaviour::default(),
            when: Vec::new(),
        }
    }
}

/// What a process does.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Behaviour {
    pub decode_nanoseconds_per_token: u64,
    pub prefill_nanoseconds_per_token: u64,
    /// Added to the time of a prompt or prefill for each different token of it.
    pub nanoseconds_per_different_token: u64,
    pub noise_sd: f64,
    pub process_sd: f64,
    pub stall_probability: f64,
    pub nanoseconds: Option<u64>,
    pub sleep: bool,
    /// A counter of microjoules that moves while it computes.
    pub energy_file: Option<PathBuf>,
    /// By how much a second of scripted time.
    pub watts: f64,
    /// Computing commands after which the counter is gone.
    pub energy_ends_after: Option<u32>,
    pub diverge_from_position: Option<u32>,
    pub diverge_from_command: Option<u32>,
    pub diverge_in_processes: Processes,
    pub tokens_off_by: i64,
    pub end_of_text_twice: bool,
    /// How many drafted tokens each verification accepts, in turn, over and over.
    pub accepts: Vec<u32>,
    /// After a rejection one rejected token stays in the cache.
    pub rollback_leaves_token: bool,
    /// Added to the accepted tokens that are reported.
    pub accepted_off_by: i64,
    /// The logits of the token that a scripted divergence chooses lie just below the best.
    pub near_tie: bool,
    /// Added to the width of each evaluation that is reported.
    pub width_off_by: i64,
    /// Added to the drafted tokens that are reported, at the first place.
    pub drafted_off_by: i64,
    /// Tokens of the drafter's vocabulary; as many as the model's when absent.
    pub drafter_vocabulary: Option<u32>,
    /// Decodes one sequence, whatever `slots` says.
    pub ignores_slots: bool,
    pub logits_noise: f32,
    /// Noise only from this position of the text on.
    pub logits_noise_from_position: Option<u32>,
    /// Noise only where the text is evaluated so.
    pub logits_noise_evaluation: Option<Evaluation>,
    pub logits_noise_in_processes: Processes,
    /// Noise only once the process has decoded so many times.
    pub logits_noise_from_command: Option<u32>,
    /// Noise only in texts that have so many different tokens.
    pub logits_noise_distinct_tokens: Option<usize>,
    pub logits_nan_at: Option<u32>,
    pub vocabulary: Option<u32>,
    /// Layers that are reported; as many as the loaded file says when absent.
    pub layers: Option<u32>,
    pub requantise_share_percent: u32,
    pub requantise_short_bytes: usize,
    pub burn: bool,
    pub outlives_input: bool,
    pub stderr_bytes: u64,
    pub unsupported: Vec<String>,
    pub operations: BTreeMap<String, u64>,
    /// Counts by device, beside those on `FAKE`.
    pub operations_on: BTreeMap<String, BTreeMap<String, u64>>,
    /// Buffers that are reported instead of the weights' one.
    pub buffers: Vec<BufferBytes>,
    /// Laid over the settings that are reported to be in effect.
    pub effective: Settings,
    /// Really allocated at load, and touched.
    pub holds_megabytes: usize,
    /// The first timed command takes longer by this factor; the surplus halves with each further
    /// `slow_start_halves_after` commands.
    pub slow_start: f64,
    pub slow_start_halves_after: f64,
    pub observe: Observing,
    pub primitive: Primitives,
    /// Messages that the worker answers as lines that are no request.
    pub unknown: Vec<String>,
    pub protocol_version: u32,
    pub source_blake3: String,
    /// Extensions that the worker says it was compiled for.
    pub instruction_set: Vec<String>,
    pub fault: Option<Fault>,
}

impl Default for Behaviour {
    fn default() -> Behaviour {
        Behaviour {
            decode_nanoseconds_per_token: 1_000_000,
            prefill_nanoseconds_per_token: 100_000,
            nanoseconds_per_different_token: 0,
            noise_sd: 0.0,
            process_sd: 0.0,
            stall_probability: 0.0,
            nanoseconds: None,
            sleep: false,
            energy_file: None,
            watts: 0.0,
            energy_ends_after: None,
            diverge_from_position: None,
            diverge_from_command: None,
            diverge_in_processes: Processes::All,
            tokens_off_by: 0,
            end_of_text_twice: false,
            accepts: Vec::new(),
            rollback_leaves_token: false,
            accepted_off_by: 0,
            near_tie: false,
            width_off_by: 0,
            drafted_off_by: 0,
            drafter_vocabulary: None,
            ignores_slots: false,
            logits_noise: 0.0,
            logits_noise_from_position: None,
            logits_noise_evaluation: None,
            logits_noise_in_processes: Processes::All,
            logits_noise_from_command: None,
            logits_noise_distinct_tokens: None,
            logits_nan_at: None,
            vocabulary: None,
            layers: None,
            requantise_share_percent: 99,
            requantise_short_bytes: 0,
            burn: false,
            outlives_input: false,
            stderr_bytes: 0,
            unsupported: Vec::new(),
            operations: BTreeMap::new(),
            operations_on: BTreeMap::new(),
            buffers: Vec::new(),
            effective: Settings::default(),
            holds_megabytes: 0,
            slow_start: 0.0,
            slow_start_halves_after: 1.0,
            observe: Observing::default(),
            primitive: Primitives::default(),
            unknown: Vec::new(),
            protocol_version: engine_protocol::PROTOCOL_VERSION,
            source_blake3: "fake".to_owned(),
            instruction_set: Vec::new(),
            fault: None,
        }
    }
}

/// Which processes something is true of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Processes {
    All,
    Odd,
}

/// One thing that goes wrong.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    pub kind: FaultKind,
    pub command: String,
    pub nth: u32,
    pub process: Option<u64>,
}

/// What goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    Crash,
    Exit,
    Killed,
    Hang,
    Garbage,
    WrongId,
    CutLine,
    LongLine,
    Problem,
}

impl Script {
    /// Reads a script.
    pub fn read(path: &Path) -> Result<Script, String> {
        let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
        toml::from_str(&text).map_err(|error| error.to_string())
    }

    /// The behaviour of a process under these settings: `[base]` with every table laid over it
    /// whose conditions hold.
    pub fn behaviour(
        text: &str,
        (settings, model): (&Settings, &str),
        process: u64,
    ) -> Result<Behaviour, String> {
        let whole: toml::Table = toml::from_str(text).map_err(|error| error.to_string())?;
        let table = |value: Option<&toml::Value>| {
            value.and_then(toml::Value::as_table).cloned().unwrap_or_default()
        };
        let loaded = toml::Table::try_from(settings).map_err(|error| error.to_string())?;
        let mut merged = table(whole.get("base"));
        let rules = whole.get("when").and_then(toml::Value::as_array).cloned().unwrap_or_default();
        for rule in rules {
            let mut rule = table(Some(&rule));
            let wanted = table(rule.remove("settings").as_ref());
            let settings_hold = wanted.iter().all(|(key, value)| loaded.get(key) == Some(value));
            let process_holds = match rule.remove("processes") {
                Some(numbers) => numbers
                    .try_into::<Vec<u64>>()
                    .map_err(|error| format!("`processes`: {error}"))?
                    .contains(&process),
                None => true,
            };
            let model_holds = match rule.remove("model") {
                Some(end) => end.as_str().is_some_and(|end| model.ends_with(end)),
                None => true,
            };
            let variables = table(rule.remove("environment").as_ref());
            let environment_holds = variables
                .iter()
                .all(|(name, value)| std::env::var(name).ok().as_deref() == value.as_str());
            if settings_hold && process_holds && model_holds && environment_holds {
                merged.extend(rule);
            }
        }
        merged.try_into().map_err(|error: toml::de::Error| error.to_string())
    }
}
