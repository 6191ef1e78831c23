//! The estimate corrected for having been looked at, as description.

use super::description::{AdjustedEstimate, LookFigure};
use super::estimate::Estimate;
use crate::manifest::{InputScope, Stop};
use crate::rule::Look;
use crate::stats::{normal_quantile, stagewise_estimate, student_quantile};

/// What the looks of a comparison were.
pub(super) struct LooksTaken<'a> {
    pub stop: &'a Stop,
    pub scope: InputScope,
    /// Those of the rule up to the one that ended the comparison.
    pub looks: &'a [Look],
    /// What each came to.
    pub figures: &'a [LookFigure],
    /// Log ratio.
    pub margin: f64,
    pub confidence_percent: f64,
}

/// The median-unbiased estimate, and its interval, of a comparison that a group-sequential rule
/// ended. `None` for a comparison that is still open, for other rules, for a claim about a class,
/// without spread beyond the clock's resolution, or where the looks lack units.
///
/// With information as units over the squared spread of the last look, a look stops outside
/// `margin` and its own t standard errors; a stop for level or futility counts as a last look. The
/// spread is taken as known, and widened by the ratio of Student's t to the normal quantile, so
/// that a stop at the first look gives Student's interval.
///
/// Source: the stage-wise ordering, see [`stagewise_estimate`].
pub(super) fn adjusted(
    taken: &LooksTaken<'_>,
    registered: Option<&Estimate>,
) -> Option<AdjustedEstimate> {
    match (taken.stop, taken.scope) {
        (Stop::GroupSequential { .. }, InputScope::Set) => {}
        (Stop::Fixed { .. } | Stop::ConfidenceSequence { .. }, _) | (_, InputScope::Class) => {
            return None;
        }
    }
    let ended = taken.figures.last()?.outcome.ends_comparison();
    let registered = registered.filter(|found| ended && !found.resolution_limited)?;
    let effect = &registered.effect;
    let alpha = (100.0 - taken.confidence_percent) / 100.0;
    let students = student_quantile(alpha, f64::from(effect.n.checked_sub(1)?))?;
    let widening = students / normal_quantile(1.0 - alpha / 2.0)?;
    let sd = Some(effect.sd * widening).filter(|sd| *sd > 0.0 && sd.is_finite())?;
    let mut information = Vec::new();
    let mut boundaries = Vec::new();
    for (look, figure) in taken.looks.iter().zip(taken.figures) {
        let root = libm::sqrt(f64::from(figure.units)) / sd;
        // A look without a quantile cannot stop.
        let own = look.quantile(figure.units).map_or(f64::INFINITY, |t| t / widening);
        information.push(root * root);
        boundaries.push(own + taken.margin * root);
    }
    let z = effect.log_ratio * libm::sqrt(*information.last()?);
    let stopped_look = information.len() - 1;
    let found = stagewise_estimate(&boundaries, &information, stopped_look, z, alpha).ok()?;
    Some(AdjustedEstimate { log_ratio: found.drift, lo: found.lo, hi: found.hi })
}

#[cfg(test)]
mod tests {
    use crate::design::test_plan::plan;
    use crate::manifest::{InputScope, Spending, Stop};
    use crate::stats::t_interval;
    use crate::verdict::test_evidence::{World, evidence};
    use crate::verdict::{Comparison, judge};

    fn judged(effect: f64, scope: InputScope) -> Comparison {
        let mut plan = plan(16, 4);
        plan.design.input_scope = scope;
        plan.stop = Stop::GroupSequential {
            looks_at_rounds: vec![8, 16],
            spending: Spending::OBrienFleming,
            futility_percent: None,
            cap_minutes: 20.0,
        };
        let run = evidence(&plan, &World::quiet(51, &[("fast", effect)]));
        judge(&plan, &run).comparisons.remove(0)
    }

    #[test]
    fn a_stop_at_the_first_look_gives_students_interval() {
        let found = judged(0.06, InputScope::Set);
        assert_eq!(found.looks.len(), 1);
        let units = found.description.as_ref().unwrap().rounds.iter().map(|round| round.value);
        let plain = t_interval(&units.collect::<Vec<_>>(), 95.0).unwrap();
        let adjusted = found.adjusted.unwrap();
        for (left, right) in
            [(adjusted.log_ratio, plain.mean), (adjusted.lo, plain.lo), (adjusted.hi, plain.hi)]
        {
            assert!((left - right).abs() < 1e-9, "{adjusted:?} {plain:?}");
        }
    }

    #[test]
    fn a_stop_at_a_later_look_is_drawn_towards_no_effect() {
        let found = judged(0.0215, InputScope::Set);
        assert_eq!(found.looks.len(), 2, "{:?}", found.looks);
        let (effect, adjusted) = (found.effect.unwrap(), found.adjusted.unwrap());
        assert!(adjusted.lo < adjusted.log_ratio && adjusted.log_ratio < adjusted.hi);
        assert!(adjusted.log_ratio <= effect.log_ratio + 1e-12, "{adjusted:?} {effect:?}");
        assert!((adjusted.log_ratio - effect.log_ratio).abs() < effect.sd);
    }

    #[test]
    fn a_claim_about_a_class_has_none() {
        assert_eq!(judged(0.06, InputScope::Class).adjusted, None);
    }
}
