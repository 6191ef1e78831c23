//! Two rows of logits: the values themselves, and the distributions that they stand for.

use super::exponential::exponential;
use super::fault::{RowFault, Side};
use super::lanes::{LANES, Lanes, each, each_pair, total};
use super::survey::{Top, check, top};
use super::values::{ValueDivergence, compare_sound, same_length};

/// What the softmax of a row is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Softmax {
    /// The most likely token, its logit, and its margin over the second.
    pub top: Top,
    /// ln of the sum of e^(logit - greatest logit): 0 or more.
    pub log_total: f64,
}

impl Softmax {
    /// -ln of the probability of a token of this row, nats; 0 or more. `None` when the row has no
    /// such token. `row` is the row that this was made of.
    #[must_use]
    pub fn negative_log_likelihood(&self, row: &[f32], token: usize) -> Option<f64> {
        let logit = row.get(token)?;
        Some((f64::from(self.top.logit) - f64::from(*logit) + self.log_total).max(0.0))
    }
}

/// How far two rows of logits are apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogitDivergence {
    /// The logits as values.
    pub values: ValueDivergence,
    /// KL(here || there) of the two softmaxes, nats: 0 or more.
    pub kl: f64,
    /// The first row's distribution.
    pub here: Softmax,
    /// The second row's.
    pub there: Softmax,
}

impl LogitDivergence {
    /// Whether both find the same token the most likely.
    #[must_use]
    pub fn same_top(&self) -> bool {
        self.here.top.token == self.there.top.token
    }
}

/// Compares two rows of raw logits over one vocabulary.
///
/// # Errors
/// [`RowFault`] as for [`compare_values`](super::compare_values); a row has two logits or more.
pub fn compare_logits(here: &[f32], there: &[f32]) -> Result<LogitDivergence, RowFault> {
    same_length(here, there, 2)?;
    check(here, Side::Here)?;
    check(there, Side::There)?;
    let values = compare_sound(here, there);
    let (here_top, there_top) = (top(here), top(there));
    let greatest = (f64::from(here_top.logit), f64::from(there_top.logit));
    let mut sums = Totals::default();
    each_pair(here, there, |lane, here, there| sums.take(lane, here, there, greatest));
    let (here_total, there_total) = (total(&sums.here), total(&sums.there));
    let (here_log, there_log) = (libm::log(here_total), libm::log(there_total));
    // the sum of p (ln p - ln q), with ln p = logit - greatest - ln(total)
    let kl = (total(&sums.weighted) / here_total - here_log + there_log).max(0.0);
    Ok(LogitDivergence {
        values,
        kl,
        here: Softmax { top: here_top, log_total: here_log },
        there: Softmax { top: there_top, log_total: there_log },
    })
}

/// The softmax of one row of raw logits.
///
/// # Errors
/// [`RowFault`] as for [`compare_logits`]; the side is [`Side::Here`].
pub fn softmax(row: &[f32]) -> Result<Softmax, RowFault> {
    same_length(row, row, 2)?;
    check(row, Side::Here)?;
    let top = top(row);
    let greatest = f64::from(top.logit);
    let mut sums: Lanes = [0.0; LANES];
    each(row, |lane, logit| sums[lane] += exponential(f64::from(logit) - greatest));
    Ok(Softmax { top, log_total: libm::log(total(&sums)) })
}

#[derive(Default)]
struct Totals {
    here: Lanes,
    there: Lanes,
    weighted: Lanes,
}

impl Totals {
    #[inline(always)]
    fn take(&mut self, lane: usize, here: f32, there: f32, greatest: (f64, f64)) {
        let here = f64::from(here) - greatest.0;
        let there = f64::from(there) - greatest.1;
        let weight = exponential(here);
        self.here[lane] += weight;
        self.there[lane] += exponential(there);
        self.weighted[lane] += weight * (here - there);
    }
}
