//! The early-stopping rule for tail latencies.

use super::binomial::{binomial_at_least, binomial_at_most};

/// More samples than any run takes: a claim that needs more is out of reach.
const MOST_SAMPLES: u64 = 1 << 40;

/// A limit that a quantile of a latency is held against.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TailRule {
    /// Of the quantile, strictly between 0 and 1: 0.9 for p90, 0.99 for p99.
    probability: f64,
    /// Chance of a wrong claim at one look.
    error: f64,
}

/// Why a rule cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TailRuleFault {
    /// The quantile.
    #[error("the quantile's probability must lie strictly between 0 and 1")]
    Probability,
    /// The confidence.
    #[error("the confidence must be at least 50 and under 100 percent")]
    Confidence,
    /// The looks.
    #[error("there must be at least one look")]
    Looks,
}

/// Samples, and how many lay above the limit. A sample that ran out of time is above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TailCounts {
    samples: u64,
    above: u64,
}

impl TailCounts {
    /// `None` when more lie above than there are.
    #[must_use]
    pub fn new(samples: u64, above: u64) -> Option<TailCounts> {
        (above <= samples).then_some(TailCounts { samples, above })
    }

    /// Counts `latencies` against `limit`, both in the same unit; one at the limit is not above
    /// it. `None` for values that are not finite: a sample that ran out of time is no number,
    /// and is to be counted by whoever knows of it.
    #[must_use]
    pub fn of(latencies: &[f64], limit: f64) -> Option<TailCounts> {
        if !limit.is_finite() || latencies.iter().any(|value| !value.is_finite()) {
            return None;
        }
        let above = latencies.iter().filter(|latency| **latency > limit).count();
        TailCounts::new(latencies.len() as u64, above as u64)
    }

    /// All samples.
    #[must_use]
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// Those above the limit.
    #[must_use]
    pub fn above(&self) -> u64 {
        self.above
    }
}

/// What the counts show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TailVerdict {
    /// The quantile lies at or below the limit.
    Below,
    /// The quantile lies above the limit.
    Above,
    /// Neither is shown: more samples may, and after the last look nothing is claimed.
    GoOn,
    /// So few samples could not show `Below` even with none above the limit.
    CannotSupport,
}

/// A verdict with what it rests on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TailFinding {
    /// What the counts show.
    pub verdict: TailVerdict,
    /// `P(so few above | the quantile at the limit)`: at or under the rule's error, `Below`.
    pub p_below: f64,
    /// `P(so many above | the quantile at the limit)`: at or under the rule's error, `Above`.
    pub p_above: f64,
    /// Fewest samples that can show `Below` with none above the limit.
    pub least: u64,
    /// Fewest samples that would show `Below` with as many above as were seen, and no more.
    pub least_as_seen: Option<u64>,
}

impl TailRule {
    /// A rule for the quantile at `probability` that makes a wrong claim with at most
    /// `100 - confidence_percent` percent over `looks` looks together (Bonferroni: each has an
    /// equal share).
    ///
    /// # Errors
    /// [`TailRuleFault`] for an argument outside its range.
    pub fn new(
        probability: f64,
        confidence_percent: f64,
        looks: u32,
    ) -> Result<TailRule, TailRuleFault> {
        if !(probability > 0.0 && probability < 1.0) {
            return Err(TailRuleFault::Probability);
        }
        if !(50.0..100.0).contains(&confidence_percent) {
            return Err(TailRuleFault::Confidence);
        }
        if looks == 0 {
            return Err(TailRuleFault::Looks);
        }
        let error = (100.0 - confidence_percent) / 100.0 / f64::from(looks);
        Ok(TailRule { probability, error })
    }

    /// Judges one look.
    ///
    /// With the quantile exactly at the limit, the number of samples above it is binomial with
    /// chance `1 - probability`. Its lower tail speaks for `Below` and its upper tail for
    /// `Above`, each against the look's share of the error; at most one of the two claims can be
    /// wrong. Both tails move one way with the counts, so samples that are added above the limit
    /// never take `Above` back, nor does one more among as many.
    ///
    /// Source: exact tails of C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial
    /// limits illustrated in the case of the binomial", Biometrika 26 (1934). The lower tail is
    /// the condition by which MLPerf's `LoadGen` ends a run early, at 99 % and a single look;
    /// repeated looks and the upper tail are added here.
    ///
    /// `None` only where the tails have no value (counts beyond what an f64 resolves).
    #[must_use]
    pub fn judge(&self, counts: TailCounts) -> Option<TailFinding> {
        let TailCounts { samples, above } = counts;
        let chance = 1.0 - self.probability;
        let p_below = binomial_at_most(above, samples, chance).filter(|_| samples > 0);
        let p_below = p_below.unwrap_or(1.0);
        let p_above = binomial_at_least(above, samples, chance)?;
        let least = self.least_samples(0)?;
        let verdict = if p_above <= self.error {
            TailVerdict::Above
        } else if samples < least {
            TailVerdict::CannotSupport
        } else if p_below <= self.error {
            TailVerdict::Below
        } else {
            TailVerdict::GoOn
        };
        let least_as_seen = self.least_samples(above);
        Some(TailFinding { verdict, p_below, p_above, least, least_as_seen })
    }

    /// Fewest samples that can show `Below` when `above` of them lie above the limit; `None`
    /// beyond 2^40.
    #[must_use]
    pub fn least_samples(&self, above: u64) -> Option<u64> {
        let chance = 1.0 - self.probability;
        let enough = |samples: u64| Some(binomial_at_most(above, samples, chance)? <= self.error);
        let mut failing = above;
        let mut holding = above.max(1);
        while !enough(holding)? {
            failing = holding;
            holding = holding.checked_mul(2).filter(|samples| *samples <= MOST_SAMPLES)?;
        }
        while holding - failing > 1 {
            let middle = failing + (holding - failing) / 2;
            if enough(middle)? {
                holding = middle;
            } else {
                failing = middle;
            }
        }
        Some(holding)
    }
}

#[cfg(test)]
mod tests {
    use super::{TailCounts, TailRule, TailRuleFault, TailVerdict};

    fn verdict(rule: &TailRule, samples: u64, above: u64) -> TailVerdict {
        rule.judge(TailCounts::new(samples, above).unwrap()).unwrap().verdict
    }

    #[test]
    fn the_least_that_supports_a_claim() {
        // 0.99^299 = 0.0495, 0.99^298 = 0.0500; 0.9^29 = 0.0471, 0.9^28 = 0.0523.
        for (probability, least) in [(0.99, 299), (0.9, 29)] {
            let rule = TailRule::new(probability, 95.0, 1).unwrap();
            assert_eq!(rule.least_samples(0), Some(least));
            assert_eq!(verdict(&rule, least - 1, 0), TailVerdict::CannotSupport);
            assert_eq!(verdict(&rule, least, 0), TailVerdict::Below);
            assert_eq!(verdict(&rule, least, 1), TailVerdict::GoOn);
        }
    }

    #[test]
    fn the_counts_of_loadgen() {
        // MLPerf's floors at 99 %: 459 with none above for p99; with one, 64 for p90 and 662 for
        // p99. Of 2,048 samples 173 may lie above for p90, of 4,776,846 476,159.
        let p90 = TailRule::new(0.9, 99.0, 1).unwrap();
        let p99 = TailRule::new(0.99, 99.0, 1).unwrap();
        assert_eq!(p99.least_samples(0), Some(459));
        assert_eq!(p99.least_samples(1), Some(662));
        assert_eq!(p90.least_samples(1), Some(64));
        assert_eq!(verdict(&p90, 2_048, 173), TailVerdict::Below);
        assert_eq!(verdict(&p90, 2_048, 174), TailVerdict::GoOn);
        assert_eq!(verdict(&p90, 4_776_846, 476_159), TailVerdict::Below);
        assert_eq!(verdict(&p90, 4_776_846, 476_160), TailVerdict::GoOn);
    }

    #[test]
    fn looks_share_the_error() {
        // 0.99^n <= 0.05 / 4 from n = 437.
        let rule = TailRule::new(0.99, 95.0, 4).unwrap();
        assert_eq!(rule.least_samples(0), Some(437));
        assert_eq!(verdict(&rule, 436, 0), TailVerdict::CannotSupport);
    }

    #[test]
    fn one_more_above_never_helps() {
        let order = |verdict: TailVerdict| match verdict {
            TailVerdict::Below => 0,
            TailVerdict::CannotSupport | TailVerdict::GoOn => 1,
            TailVerdict::Above => 2,
        };
        for (probability, looks) in [(0.9, 1), (0.99, 3)] {
            let rule = TailRule::new(probability, 95.0, looks).unwrap();
            for samples in [1, 2, 20, 28, 29, 100, 400] {
                for above in 0..samples {
                    let now = verdict(&rule, samples, above);
                    let one_of_them = verdict(&rule, samples, above + 1);
                    assert!(order(one_of_them) >= order(now), "{samples} {above}");
                    let one_added = verdict(&rule, samples + 1, above + 1);
                    if now == TailVerdict::Above {
                        assert_eq!(one_added, TailVerdict::Above, "{samples} {above}");
                    }
                    let one_good = verdict(&rule, samples + 1, above);
                    if now == TailVerdict::Below {
                        assert_eq!(one_good, TailVerdict::Below, "{samples} {above}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_wrong_claim_is_as_rare_as_promised() {
        // The quantile at the limit: the chance that a look of 500 samples claims `Below`, and
        // that it claims `Above`, added up over all counts.
        let rule = TailRule::new(0.9, 95.0, 1).unwrap();
        let (mut below, mut above) = (0.0, 0.0);
        let mut weight = libm::pow(0.9, 500.0);
        for count in 0..=500_u64 {
            match verdict(&rule, 500, count) {
                TailVerdict::Below => below += weight,
                TailVerdict::Above => above += weight,
                _ => {}
            }
            weight *= (500 - count) as f64 / (count + 1) as f64 / 9.0;
        }
        assert!(below > 0.03 && below <= 0.05, "{below}");
        assert!(above > 0.03 && above <= 0.05, "{above}");
    }

    #[test]
    fn nothing_and_bad_values() {
        let rule = TailRule::new(0.99, 95.0, 1).unwrap();
        let finding = rule.judge(TailCounts::of(&[], 1.0).unwrap()).unwrap();
        assert_eq!(finding.verdict, TailVerdict::CannotSupport);
        assert_eq!((finding.p_below, finding.p_above, finding.least), (1.0, 1.0, 299));
        // A single sample above p99's limit had a chance of one in a hundred.
        assert_eq!(verdict(&rule, 1, 1), TailVerdict::Above);
        assert_eq!(TailCounts::of(&[1.0, f64::INFINITY], 1.0), None);
        assert_eq!(TailCounts::of(&[f64::NAN], 1.0), None);
        assert_eq!(TailCounts::of(&[1.0], f64::NAN), None);
        assert_eq!(TailCounts::of(&[1.0, 1.5], 1.0), TailCounts::new(2, 1));
        assert_eq!(TailCounts::new(1, 2), None);
        assert_eq!(TailRule::new(1.0, 95.0, 1), Err(TailRuleFault::Probability));
        assert_eq!(TailRule::new(f64::NAN, 95.0, 1), Err(TailRuleFault::Probability));
        assert_eq!(TailRule::new(0.9, 100.0, 1), Err(TailRuleFault::Confidence));
        assert_eq!(TailRule::new(0.9, f64::NAN, 1), Err(TailRuleFault::Confidence));
        assert_eq!(TailRule::new(0.9, 95.0, 0), Err(TailRuleFault::Looks));
    }
}
