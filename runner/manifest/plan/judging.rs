//! Metrics, gate, decision, claims.

use serde::{Deserialize, Serialize};

/// What is judged and what is described.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MetricPlan {
    /// Verdicts belong to this one.
    pub primary: Metric,
    /// Described only.
    pub secondary: Vec<Metric>,
}

impl MetricPlan {
    /// Whether a metric is asked for at all.
    #[must_use]
    pub fn asks_for(&self, metric: Metric) -> bool {
        self.primary == metric || self.secondary.contains(&metric)
    }
}

/// The metrics of version 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "`facts` defines each")]
pub enum Metric {
    DecodeTokensPerSecond,
    PrefillTokensPerSecond,
    PromptMilliseconds,
    BytesPerSecond,
    OperationsPerSecond,
    JoulesPerToken,
}

/// Which way of a metric is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Better {
    /// More of it: a speed.
    More,
    /// Less of it: a time, an energy. Ratios are then of off over the arm.
    Less,
}

impl Metric {
    /// Every metric, in the order of the reference.
    pub const ALL: [Metric; 6] = [
        Metric::DecodeTokensPerSecond,
        Metric::PrefillTokensPerSecond,
        Metric::PromptMilliseconds,
        Metric::BytesPerSecond,
        Metric::OperationsPerSecond,
        Metric::JoulesPerToken,
    ];

    /// The key in manifests and records.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Metric::DecodeTokensPerSecond => "decode_tokens_per_second",
            Metric::PrefillTokensPerSecond => "prefill_tokens_per_second",
            Metric::PromptMilliseconds => "prompt_milliseconds",
            Metric::BytesPerSecond => "bytes_per_second",
            Metric::OperationsPerSecond => "operations_per_second",
            Metric::JoulesPerToken => "joules_per_token",
        }
    }

    /// The unit as printed.
    #[must_use]
    pub fn unit(self) -> &'static str {
        match self {
            Metric::DecodeTokensPerSecond | Metric::PrefillTokensPerSecond => "tokens/s",
            Metric::PromptMilliseconds => "ms",
            Metric::BytesPerSecond => "GB/s",
            Metric::OperationsPerSecond => "Gop/s",
            Metric::JoulesPerToken => "J/token",
        }
    }

    /// Which way of it is better.
    #[must_use]
    pub fn better(self) -> Better {
        match self {
            Metric::DecodeTokensPerSecond
            | Metric::PrefillTokensPerSecond
            | Metric::BytesPerSecond
            | Metric::OperationsPerSecond => Better::More,
            Metric::PromptMilliseconds | Metric::JoulesPerToken => Better::Less,
        }
    }
}

/// How quiet the machine must be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// Most CPU time of other processes over the window, percent of one processor.
    pub others_cpu_percent: f64,
    /// Most CPU pressure (`some`) over a second in which our workers are idle, percent.
    pub pressure_percent: f64,
    /// Longest wait for quiet before any one block, seconds.
    pub wait_seconds: f64,
    /// Greatest share of flagged blocks, percent; over it the run is void.
    pub contaminated_percent: f64,
}

/// The decision rule's numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// The smallest effect that matters, percent.
    pub margin_percent: f64,
    /// Of the simultaneous intervals, percent.
    pub confidence_percent: f64,
    /// Who or what resolves a parked result.
    pub parked_resolution: String,
}

/// Wordings; `None` is the default one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[expect(missing_docs, reason = "one wording for each decision")]
pub struct Claim {
    pub win: Option<String>,
    pub loss: Option<String>,
    pub level: Option<String>,
    pub parked: Option<String>,
}
