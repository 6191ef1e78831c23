//! Comparisons of an arm's output with off's: pure, streaming, in f64. Each gives a
//! [`ContractFinding`](super::ContractFinding).

mod logits;
mod tokens;

#[cfg(test)]
mod logits_tests;

pub use logits::{LogitFault, LogitFigures, LogitsComparison};
pub use tokens::{TokenDivergence, TokenFigures, TokensComparison, identical_finding};
