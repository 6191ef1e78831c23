//! A stopping rule ready to be asked many times: its looks with their t quantiles.

use super::floor::AaState;
use super::futility::{Course, chance_by_the_last_look};
use super::look_verdict::{LookOutcome, LookVerdict, at_look, decided, half_width, is_futile};
use super::looks::{Look, LookFault, looks};
use crate::manifest::Stop;

/// One comparison's rule: looks, margin, futility. Quantiles for as many units as rounds are
/// computed once, so that simulations of thousands of experiments are cheap.
#[derive(Debug, Clone, PartialEq)]
pub struct RegisteredRule {
    looks: Vec<Look>,
    /// For as many units as the look has rounds.
    quantiles: Vec<Option<f64>>,
    margin: f64,
    futility_percent: Option<f64>,
}

impl RegisteredRule {
    /// The rule of `stop` over `rounds` at a two-sided error `alpha` of one comparison, against
    /// `margin` (a log ratio).
    ///
    /// # Errors
    /// As [`looks`].
    pub fn new(
        stop: &Stop,
        rounds: u32,
        alpha: f64,
        margin: f64,
    ) -> Result<RegisteredRule, LookFault> {
        let looks = looks(stop, rounds, alpha)?;
        let quantiles = looks.iter().map(|look| look.quantile(look.rounds)).collect();
        Ok(RegisteredRule { looks, quantiles, margin, futility_percent: stop.futility_percent() })
    }

    /// In order; one or more.
    #[must_use]
    pub fn looks(&self) -> &[Look] {
        &self.looks
    }

    /// Margin, a log ratio.
    #[must_use]
    pub fn margin(&self) -> f64 {
        self.margin
    }

    /// The last look.
    #[must_use]
    pub fn last(&self) -> Option<&Look> {
        self.looks.last()
    }

    /// Place of the look after exactly this many whole rounds.
    #[must_use]
    pub fn look_after(&self, rounds: u32) -> Option<usize> {
        self.looks.binary_search_by_key(&rounds, |look| look.rounds).ok()
    }

    /// Student's t at a look for `units` values; from the table when they are as many as rounds.
    #[must_use]
    pub fn quantile(&self, place: usize, units: u32) -> Option<f64> {
        let look = self.looks.get(place)?;
        if look.rounds == units { *self.quantiles.get(place)? } else { look.quantile(units) }
    }

    /// [`at_look`] at the look of this place, from 0; `None` beyond the last.
    #[must_use]
    pub fn judge(&self, place: usize, course: &Course, aa: AaState) -> Option<LookVerdict> {
        let look = self.looks.get(place)?;
        Some(at_look(course, look, self.last()?, self.margin, aa, self.futility_percent))
    }

    /// The outcome alone, for simulations: the same as that of [`RegisteredRule::judge`], without
    /// a chance that nobody asks for, and with quantiles from the table.
    #[must_use]
    pub fn outcome(&self, place: usize, course: &Course, aa: AaState) -> Option<LookOutcome> {
        let look = self.looks.get(place)?;
        let interval = self
            .quantile(place, course.units)
            .and_then(|t| half_width(course, t))
            .map(|width| (course.estimate - width, course.estimate + width))
            .filter(|(lo, hi)| lo.is_finite() && hi.is_finite());
        if let Some(outcome) = decided(interval, look.rounds, self.margin, aa) {
            return Some(outcome);
        }
        let last = self.looks.len() - 1;
        if place == last {
            return Some(LookOutcome::Undecided);
        }
        if self.futility_percent.is_none() {
            return Some(LookOutcome::GoOn);
        }
        let more = self.looks.get(last)?.rounds.saturating_sub(look.rounds);
        let all = course.units.saturating_add(more);
        let chance = self
            .quantile(last, all)
            .and_then(|t| chance_by_the_last_look(course, all, t, self.margin));
        let futile = is_futile(chance, aa, self.futility_percent);
        Some(if futile { LookOutcome::Futile } else { LookOutcome::GoOn })
    }
}

#[cfg(test)]
mod tests {
    use super::RegisteredRule;
    use crate::manifest::Stop;
    use crate::rule::{AaState, Course, LookOutcome};

    #[test]
    fn a_fixed_rule_has_one_look() {
        let stop = Stop::Fixed { cap_minutes: 10.0 };
        let rule = RegisteredRule::new(&stop, 16, 0.05, 0.02).unwrap();
        assert_eq!(
            (rule.looks().len(), rule.look_after(16), rule.look_after(8)),
            (1, Some(0), None)
        );
        let course = Course { estimate: 0.05, sd: 0.02, units: 16 };
        assert_eq!(rule.outcome(0, &course, AaState::Sound), Some(LookOutcome::Win));
        assert_eq!(rule.judge(1, &course, AaState::Sound), None);
    }
}
