//! The engine held against a reference: gates, a checklist of those that are required, and what
//! each found. Pure: rows and tokens come as arguments, text goes out.

mod checklist;
mod control;
mod divergence;
mod doc;
mod form;
mod gate;
mod greedy;
mod hidden;
mod logits;
mod names;
mod report;
mod rows;
mod slots;
mod weights;

pub use checklist::Checklist;
pub use control::{ControlRow, ControlState, Fault, NotPossible};
pub use divergence::{Divergence, FormComparison, PerplexityRatio};
pub use doc::document;
pub use form::{FormBar, FormReport};
pub use gate::{Gate, GateKind, GateState};
pub use greedy::{Fork, GreedyComparison};
pub use hidden::HiddenComparison;
pub use logits::LogitsComparison;
pub use names::{EngineTensor, Layout, Mapping, mapping};
pub use report::{GoldenReport, LadderRow, ParityReport};
pub use rows::{argmax, centred_cosine, cosine, kl_divergence, negative_log_likelihood};
pub use slots::SlotsComparison;
pub use weights::WeightsComparison;

#[cfg(test)]
mod tests;
