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
mod text;
mod weights;

pub use checklist::Checklist;
pub use control::{ControlRow, ControlState, Fault, NotPossible, Planted};
pub use divergence::{Divergence, FormComparison, PerplexityRatio};
pub use doc::document;
pub use form::{FormBar, FormReport};
pub use gate::{Bar, Counts, Gate, GateKind, GateState};
pub use greedy::{Fork, GreedyComparison};
pub use hidden::HiddenComparison;
pub use logits::LogitsComparison;
pub use names::{HeadCounts, Mapped, Rule, mapped};
pub use report::{GoldenReport, LadderRow, ParityReport};
pub use slots::SlotsComparison;
pub use text::checklist_text;
pub use weights::{Held, WeightsComparison};
