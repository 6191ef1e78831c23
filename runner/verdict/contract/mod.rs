//! Comparisons of an arm's output with off's: pure, streaming, in f64. Each gives a
//! [`ContractFinding`](super::ContractFinding).

mod fork;
mod logits;
mod logits_finding;
mod tokens;

#[cfg(test)]
mod logits_tests;

pub use fork::{ArmSide, Forked};
pub use logits::{LogitFault, LogitFigures, LogitsComparison, Place, Sides};
pub use logits_finding::{LogitsTested, Repeat, SelfFigures, TextFigures, logits_finding, reaches};
pub use tokens::{TokenDivergence, TokenFigures, TokensComparison, identical_finding};
