//! The estimate corrected for having been looked at.

use super::description::{AdjustedEstimate, LookOutcome};
use super::estimate::Estimate;
use crate::rule::Look;
use crate::stats::{normal_upper_quantile, stagewise_estimate, student_two_sided_p};

/// The median-unbiased estimate, with its interval at `confidence_percent`, of a comparison that
/// ended as a win or a loss at the last of `looks_taken`, as description; `margin` is a log ratio.
///
/// Results are ordered by the look at which they stopped (stage-wise): an earlier crossing is
/// more extreme. The rule stops against a margin and not against zero, so the drift that is
/// estimated is that of the effect beyond the margin that was crossed; the boundary is taken as
/// symmetric about that margin, which is where the rule would have stopped for the opposite
/// reason. Student's t of the look is turned into the z of the same probability.
///
/// `None` for other outcomes, which have no such order, and for a stop at the first look, which
/// needs no correction.
pub(super) fn adjusted(
    looks_taken: &[Look],
    outcome: LookOutcome,
    registered: Option<&Estimate>,
    margin: f64,
    confidence_percent: f64,
) -> Option<AdjustedEstimate> {
    let crossed = match outcome {
        LookOutcome::Win => margin,
        LookOutcome::Loss => -margin,
        LookOutcome::Level | LookOutcome::Futile | LookOutcome::GoOn | LookOutcome::Undecided => {
            return None;
        }
    };
    let effect = &registered?.effect;
    let stopped = looks_taken.len().checked_sub(1).filter(|last| *last > 0)?;
    let look = looks_taken.get(stopped)?;
    let units = f64::from(effect.n);
    let t = (effect.log_ratio - crossed) * libm::sqrt(units) / effect.sd;
    let tail = student_two_sided_p(t, units - 1.0)? / 2.0;
    let z = libm::copysign(normal_upper_quantile(tail)?, t);
    let boundaries: Option<Vec<f64>> =
        looks_taken.iter().map(|look| normal_upper_quantile(look.nominal_p / 2.0)).collect();
    let information: Vec<f64> = looks_taken.iter().map(|look| look.information).collect();
    let alpha = (100.0 - confidence_percent) / 100.0;
    let found = stagewise_estimate(&boundaries?, &information, stopped, z, alpha).ok()?;
    // drift is the mean of z at all of the information
    let all_units = units / look.information;
    let back = |drift: f64| crossed + drift * effect.sd / libm::sqrt(all_units);
    let adjusted =
        AdjustedEstimate { log_ratio: back(found.drift), lo: back(found.lo), hi: back(found.hi) };
    [adjusted.log_ratio, adjusted.lo, adjusted.hi]
        .iter()
        .all(|value| value.is_finite())
        .then_some(adjusted)
}

#[cfg(test)]
mod tests {
    use super::adjusted;
    use crate::manifest::{Spending, Stop};
    use crate::rule::{Look, LookOutcome, looks};
    use crate::verdict::Effect;
    use crate::verdict::estimate::Estimate;

    fn found(log_ratio: f64, n: u32) -> Estimate {
        let effect =
            Effect { log_ratio, sd: 0.02, lo: None, hi: None, confidence_percent: 95.0, n };
        Estimate {
            effect,
            rounds: n,
            units: Vec::new(),
            p: None,
            resolution: 0.0,
            resolution_limited: false,
        }
    }

    fn two_looks() -> Vec<Look> {
        let stop = Stop::GroupSequential {
            looks_at_rounds: vec![8, 16],
            spending: Spending::Pocock,
            futility_percent: None,
            cap_minutes: 20.0,
        };
        looks(&stop, 16, 0.05).unwrap()
    }

    #[test]
    fn a_late_win_is_drawn_back_and_a_loss_mirrors_it() {
        let looks = two_looks();
        let estimate = found(0.035, 16);
        let up = adjusted(&looks, LookOutcome::Win, Some(&estimate), 0.02, 95.0).unwrap();
        assert!(up.log_ratio < 0.035 && up.lo < up.log_ratio && up.log_ratio < up.hi, "{up:?}");
        let estimate = found(-0.035, 16);
        let down = adjusted(&looks, LookOutcome::Loss, Some(&estimate), 0.02, 95.0).unwrap();
        assert!((up.log_ratio + down.log_ratio).abs() < 1e-12, "{up:?} {down:?}");
    }

    #[test]
    fn what_has_no_order_or_no_second_look_has_none() {
        let looks = two_looks();
        let estimate = found(0.035, 16);
        let at = |looks: &[Look], outcome| adjusted(looks, outcome, Some(&estimate), 0.02, 95.0);
        assert_eq!(at(&looks, LookOutcome::Level), None);
        assert_eq!(at(&looks, LookOutcome::Undecided), None);
        assert_eq!(at(&looks[..1], LookOutcome::Win), None);
        assert_eq!(at(&[], LookOutcome::Win), None);
        assert_eq!(adjusted(&looks, LookOutcome::Win, None, 0.02, 95.0), None);
        let mut still = found(0.035, 16);
        still.effect.sd = 0.0;
        assert_eq!(adjusted(&looks, LookOutcome::Win, Some(&still), 0.02, 95.0), None);
    }
}
