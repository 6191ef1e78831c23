//! `cosine`, `kl` and `argmax` over rows of logits, one row at a time.

use crate::manifest::Contract;
use crate::stats::{mean, median, quantile};
use crate::verdict::{ContractFinding, ContractState, NamedFigure};

/// Compares rows of two sources of logits as they are read; only four numbers a row are kept.
#[derive(Debug, Clone, Default)]
pub struct LogitsComparison {
    positions: Vec<u64>,
    cosines: Vec<f64>,
    divergences: Vec<f64>,
    argmax_agreed: u64,
    first_argmax_difference: Option<String>,
    fault: Option<LogitFault>,
}

/// Why rows cannot be compared, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("position {position}: {what}")]
pub struct LogitFault {
    /// Position in the text.
    pub position: u64,
    /// What is wrong, and on which side.
    pub what: String,
}

/// What comparing rows of logits found.
#[derive(Debug, Clone, PartialEq)]
pub struct LogitFigures {
    /// Positions compared.
    pub compared: u64,
    /// Least cosine, and the position where it is.
    pub cosine_min: Option<(f64, u64)>,
    /// Mean cosine.
    pub cosine_mean: Option<f64>,
    /// KL(off || arm) over positions, nats.
    pub kl_mean: Option<f64>,
    /// Median.
    pub kl_median: Option<f64>,
    /// 99th percentile (type 7).
    pub kl_p99: Option<f64>,
    /// Greatest.
    pub kl_max: Option<f64>,
    /// Share of positions with the same most likely token, 0 to 1.
    pub argmax_agreement: Option<f64>,
    /// The first position where the most likely tokens differ, in words.
    pub first_argmax_difference: Option<String>,
    /// A row that could not be compared: the contract fails, whatever the other rows say.
    pub fault: Option<LogitFault>,
}

impl LogitsComparison {
    /// Nothing compared yet.
    #[must_use]
    pub fn new() -> LogitsComparison {
        LogitsComparison::default()
    }

    /// Compares one position. Rows are raw logits over the vocabulary, of the same length.
    /// After a fault further rows are ignored.
    pub fn add(&mut self, position: u64, off: &[f32], arm: &[f32]) {
        if self.fault.is_some() {
            return;
        }
        if let Some(what) = fault_of(off, arm) {
            self.fault = Some(LogitFault { position, what });
            return;
        }
        self.positions.push(position);
        self.cosines.push(cosine(off, arm));
        self.divergences.push(kl_divergence(off, arm));
        let (off_best, arm_best) = (argmax(off), argmax(arm));
        if off_best == arm_best {
            self.argmax_agreed += 1;
        } else if self.first_argmax_difference.is_none() {
            self.first_argmax_difference = Some(format!(
                "position {position}: off prefers token {off_best}, the arm token {arm_best}"
            ));
        }
    }

    /// What was found over all rows.
    #[must_use]
    pub fn finish(self) -> LogitFigures {
        let compared = self.positions.len() as u64;
        // The first of equal ones.
        let cosine_min = self
            .cosines
            .iter()
            .zip(&self.positions)
            .min_by(|left, right| left.0.total_cmp(right.0))
            .map(|(cosine, position)| (*cosine, *position));
        LogitFigures {
            compared,
            cosine_min,
            cosine_mean: mean(&self.cosines),
            kl_mean: mean(&self.divergences),
            kl_median: median(&self.divergences),
            kl_p99: quantile(&self.divergences, 0.99),
            kl_max: quantile(&self.divergences, 1.0),
            argmax_agreement: (compared > 0).then(|| self.argmax_agreed as f64 / compared as f64),
            first_argmax_difference: self.first_argmax_difference,
            fault: self.fault,
        }
    }
}

fn fault_of(off: &[f32], arm: &[f32]) -> Option<String> {
    if off.len() != arm.len() {
        return Some(format!("off has {} logits, the arm {}", off.len(), arm.len()));
    }
    if off.is_empty() {
        return Some("there are no logits".to_owned());
    }
    for (side, row) in [("off", off), ("the arm", arm)] {
        if let Some(token) = row.iter().position(|logit| !logit.is_finite()) {
            return Some(format!("the logit of token {token} is {} in {side}", row[token]));
        }
        if row.iter().all(|logit| *logit == 0.0) {
            return Some(format!("every logit is zero in {side}"));
        }
    }
    None
}

fn cosine(off: &[f32], arm: &[f32]) -> f64 {
    let (mut product, mut off_square, mut arm_square) = (0.0_f64, 0.0_f64, 0.0_f64);
    for (&left, &right) in off.iter().zip(arm) {
        let (left, right) = (f64::from(left), f64::from(right));
        product += left * right;
        off_square += left * left;
        arm_square += right * right;
    }
    (product / (libm::sqrt(off_square) * libm::sqrt(arm_square))).clamp(-1.0, 1.0)
}

/// KL(off || arm) in nats of the two softmax distributions; rounding below zero is zero.
fn kl_divergence(off: &[f32], arm: &[f32]) -> f64 {
    let (off_greatest, arm_greatest) = (greatest(off), greatest(arm));
    let (mut off_total, mut arm_total, mut weighted) = (0.0_f64, 0.0_f64, 0.0_f64);
    for (&left, &right) in off.iter().zip(arm) {
        let left = f64::from(left) - off_greatest;
        let right = f64::from(right) - arm_greatest;
        let weight = libm::exp(left);
        off_total += weight;
        arm_total += libm::exp(right);
        weighted += weight * (left - right);
    }
    // sum p (log p - log q) with log p = left - ln(off_total) and log q = right - ln(arm_total).
    (weighted / off_total - libm::log(off_total) + libm::log(arm_total)).max(0.0)
}

fn greatest(row: &[f32]) -> f64 {
    f64::from(row.iter().copied().fold(f32::NEG_INFINITY, f32::max))
}

/// The first of the greatest logits.
fn argmax(row: &[f32]) -> usize {
    let mut best = 0;
    for (token, logit) in row.iter().enumerate() {
        if *logit > row[best] {
            best = token;
        }
    }
    best
}

impl LogitFigures {
    /// The finding of a `cosine`, `kl` or `argmax` contract. It fails when a row could not be
    /// compared, and when fewer positions were compared than the contract says. `identical` is
    /// about tokens and cannot be answered here.
    #[must_use]
    pub fn finding(&self, arm: &str, contract: &Contract) -> ContractFinding {
        let (key, kept, figures_text, wanted) = match contract {
            Contract::Identical => ("identical", None, String::new(), 0),
            Contract::Cosine { at_least, positions, .. } => (
                "cosine",
                self.cosine_min.map(|(least, _)| least >= *at_least),
                format!(
                    "cosine min {} (bar {at_least}){}, mean {}",
                    shown(self.cosine_min.map(|(least, _)| least)),
                    self.cosine_min
                        .map(|(_, position)| format!(" at position {position}"))
                        .unwrap_or_default(),
                    shown(self.cosine_mean)
                ),
                *positions,
            ),
            Contract::Kl { mean_at_most, p99_at_most, positions, .. } => (
                "kl",
                self.kl_mean
                    .zip(self.kl_p99)
                    .map(|(mean, p99)| mean <= *mean_at_most && p99 <= *p99_at_most),
                format!(
                    "KL mean {} (bar {mean_at_most}), p99 {} (bar {p99_at_most}), median {}, \
                     max {} nats",
                    shown(self.kl_mean),
                    shown(self.kl_p99),
                    shown(self.kl_median),
                    shown(self.kl_max)
                ),
                *positions,
            ),
            Contract::Argmax { agreement_at_least, positions, .. } => (
                "argmax",
                self.argmax_agreement.map(|agreement| agreement >= *agreement_at_least),
                format!(
                    "argmax agreement {} (bar {agreement_at_least})",
                    shown(self.argmax_agreement)
                ),
                *positions,
            ),
        };
        let enough = self.compared > 0 && self.compared >= u64::from(wanted);
        let detail = match &self.fault {
            Some(fault) => format!("{fault}; {} positions before it were sound", self.compared),
            None if key == "identical" => "logits say nothing about tokens".to_owned(),
            None if self.compared == 0 => "no position was compared".to_owned(),
            None if !enough => {
                format!("{} of {wanted} positions compared: {figures_text}", self.compared)
            }
            None => format!("{figures_text}, {} positions", self.compared),
        };
        let state = match kept {
            None if key == "identical" => ContractState::NotRun,
            Some(true) if enough && self.fault.is_none() => ContractState::Kept,
            _ => ContractState::Broken,
        };
        let first_divergence = match &self.fault {
            Some(fault) => Some(fault.to_string()),
            None => self.first_argmax_difference.clone(),
        };
        ContractFinding {
            arm: arm.to_owned(),
            contract: key.to_owned(),
            state,
            compared: self.compared,
            detail,
            first_divergence,
            figures: self.named(),
        }
    }

    fn named(&self) -> Vec<NamedFigure> {
        let figure = |name: &str, value: Option<f64>| NamedFigure { name: name.to_owned(), value };
        vec![
            figure("cosine_min", self.cosine_min.map(|(least, _)| least)),
            figure("cosine_min_position", self.cosine_min.map(|(_, position)| position as f64)),
            figure("cosine_mean", self.cosine_mean),
            figure("kl_mean", self.kl_mean),
            figure("kl_median", self.kl_median),
            figure("kl_p99", self.kl_p99),
            figure("kl_max", self.kl_max),
            figure("argmax_agreement", self.argmax_agreement),
        ]
    }
}

/// Cosines near 1 need their nines, divergences near 0 their zeros.
fn shown(value: Option<f64>) -> String {
    match value {
        Some(value) if value != 0.0 && value.abs() < 1e-3 => format!("{value:.2e}"),
        Some(value) => format!("{value:.6}"),
        None => "none".to_owned(),
    }
}
