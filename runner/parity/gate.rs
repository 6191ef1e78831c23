//! One gate: what it asks, of how much, and how it ended.

use std::fmt;

use serde::Serialize;

/// Least cosine of two rows that should be the same but for the order of additions.
pub(super) const LEAST_COSINE: f64 = 0.9999;
/// Largest difference of one logit between the reference's 32-bit arithmetic and the engine's.
pub(super) const MOST_LOGIT_DIFFERENCE: f64 = 0.02;

/// How a gate ended. Only `Pass` passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GateState {
    /// All that is required was compared, and the bar was kept.
    Pass,
    /// The bar was not kept, or less was compared than is required.
    Fail,
    /// The golden has nothing to compare with.
    Missing,
    /// Nothing was compared.
    NotRun,
}

impl fmt::Display for GateState {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            GateState::Pass => "pass",
            GateState::Fail => "FAIL",
            GateState::Missing => "MISSING",
            GateState::NotRun => "NOT RUN",
        })
    }
}

/// What a gate asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GateKind {
    /// Cosine of every whole row of logits.
    LogitCosine,
    /// The most likely token at every position that the golden knows.
    Argmax,
    /// The greatest logits, one by one.
    TopLogits,
    /// The greedy continuation, token for token.
    Greedy,
    /// Hidden states after each block.
    Hidden,
    /// Every loaded tensor against the checkpoint.
    Weights,
    /// A sequence among others, and among other others.
    SlotsEqualBatch,
    /// A sequence alone, and among others.
    SlotsAlone,
    /// A quantised form against its own weights in 32-bit floats.
    Form,
}

impl GateKind {
    /// What every golden is asked.
    pub const REQUIRED: [GateKind; 5] = [
        GateKind::LogitCosine,
        GateKind::Argmax,
        GateKind::TopLogits,
        GateKind::Greedy,
        GateKind::Hidden,
    ];

    /// What is counted.
    #[must_use]
    pub fn unit(self) -> &'static str {
        match self {
            GateKind::LogitCosine | GateKind::Argmax | GateKind::Form => "positions",
            GateKind::TopLogits => "logits",
            GateKind::Greedy | GateKind::SlotsEqualBatch | GateKind::SlotsAlone => "tokens",
            GateKind::Hidden => "states",
            GateKind::Weights => "tensors",
        }
    }

    /// The bar, in words.
    #[must_use]
    pub fn bar(self) -> String {
        match self {
            GateKind::LogitCosine => {
                format!("cosine {LEAST_COSINE} or more at every position whose row is whole")
            }
            GateKind::Argmax => {
                "the same token at every position with a row, whole or its greatest logits"
                    .to_owned()
            }
            GateKind::TopLogits => format!("each within {MOST_LOGIT_DIFFERENCE}"),
            GateKind::Greedy => "the same tokens, one by one".to_owned(),
            GateKind::Hidden => format!("cosine {LEAST_COSINE} or more after every block"),
            GateKind::Weights => {
                "equal where unquantised, within 1 ulp where dequantised".to_owned()
            }
            GateKind::SlotsEqualBatch => "the same tokens when the others change".to_owned(),
            GateKind::SlotsAlone => {
                format!(
                    "the same tokens, or a fork at a margin of {} or less",
                    super::slots::MOST_FORK_MARGIN
                )
            }
            GateKind::Form => "below half the distance of the tightest broken control".to_owned(),
        }
    }
}

impl fmt::Display for GateKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            GateKind::LogitCosine => "logit cosine",
            GateKind::Argmax => "argmax",
            GateKind::TopLogits => "greatest logits",
            GateKind::Greedy => "greedy continuation",
            GateKind::Hidden => "hidden states",
            GateKind::Weights => "weights",
            GateKind::SlotsEqualBatch => "slots, equal batch",
            GateKind::SlotsAlone => "slots, alone",
            GateKind::Form => "form",
        })
    }
}

/// One line of a checklist.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Gate {
    /// What it asks.
    pub gate: GateKind,
    /// How it ended.
    pub state: GateState,
    /// How many were compared.
    pub compared: u64,
    /// How many had to be.
    pub required: u64,
    /// In so many prompts.
    pub prompts: u64,
    /// The figure that is held against the bar, where there is one.
    pub figure: Option<f64>,
    /// What was found, with its place.
    pub detail: String,
}

/// Whether the values that were compared kept the bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bar {
    /// All did.
    Kept,
    /// One did not, or was no number.
    Broken,
}

/// How much was compared, of how much.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Compared.
    pub compared: u64,
    /// Required.
    pub required: u64,
    /// Prompts with at least one.
    pub prompts: u64,
}

impl Gate {
    /// A gate that ran. It passes only when the bar was kept over all that is required, and that
    /// is not nothing.
    #[must_use]
    pub fn judged(
        gate: GateKind,
        bar: Bar,
        counts: Counts,
        figure: Option<f64>,
        detail: String,
    ) -> Gate {
        let Counts { compared, required, prompts } = counts;
        if required == 0 {
            return Gate::missing(gate, "the golden has none: nothing could be compared");
        }
        let whole = compared >= required;
        let state = if whole && bar == Bar::Kept { GateState::Pass } else { GateState::Fail };
        let detail = if whole {
            detail
        } else {
            format!("{compared} of {required} {} compared; {detail}", gate.unit())
        };
        Gate { gate, state, compared, required, prompts, figure, detail }
    }

    /// A gate for which the golden has nothing.
    #[must_use]
    pub fn missing(gate: GateKind, detail: impl Into<String>) -> Gate {
        Gate::empty(gate, GateState::Missing, detail.into())
    }

    /// A gate that did not run.
    #[must_use]
    pub fn not_run(gate: GateKind, detail: impl Into<String>) -> Gate {
        Gate::empty(gate, GateState::NotRun, detail.into())
    }

    fn empty(gate: GateKind, state: GateState, detail: String) -> Gate {
        Gate { gate, state, compared: 0, required: 0, prompts: 0, figure: None, detail }
    }

    /// `1,024 of 1,024 positions`.
    #[must_use]
    pub fn denominators(&self) -> String {
        format!("{} of {} {}", self.compared, self.required, self.gate.unit())
    }
}
