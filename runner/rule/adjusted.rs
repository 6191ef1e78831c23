//! The estimate corrected for the looks, as description.

use super::futility::Course;
use super::looks::Look;
use crate::stats::{normal_upper, stagewise_estimate, student_quantile};

/// Most looks that are corrected for: the cost grows with their square. A confidence sequence has
/// more, and needs none: its intervals hold at all times together.
pub const MOST_LOOKS_ADJUSTED: usize = 20;

/// A log ratio with its interval, corrected for the looks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Adjusted {
    /// As likely to lie above the truth as below it.
    pub log_ratio: f64,
    /// Lower end.
    pub lo: f64,
    /// Upper end.
    pub hi: f64,
}

/// The median-unbiased estimate, and its interval of two-sided error `alpha`, of a comparison that
/// ended at the look of place `stopped` (from 0) with `course`. `margin` is a log ratio.
///
/// A rule stops for a win where its interval passes the margin, and for a loss on the other side:
/// in standard errors, where the estimate is over the look's t and the margin together. The
/// boundaries are put there, with the spread that was found, and results are ordered by stages
/// ([`stagewise_estimate`]). With one look it is the ordinary t interval.
///
/// A description, and approximate: the spread counts as known but for a wider interval (the error
/// is the one whose z is t's quantile), and stops for `level` or futility are not in the ordering.
///
/// `None` without a spread, beyond [`MOST_LOOKS_ADJUSTED`] looks, or where no number solves it.
#[must_use]
pub fn adjusted_estimate(
    looks: &[Look],
    stopped: usize,
    course: &Course,
    margin: f64,
    alpha: f64,
) -> Option<Adjusted> {
    let seen = looks.get(..=stopped).filter(|seen| seen.len() <= MOST_LOOKS_ADJUSTED)?;
    let now = seen.last()?;
    let Course { estimate, sd, units } = *course;
    let freedom = units.checked_sub(1).filter(|freedom| *freedom > 0)?;
    let numbers = [estimate, sd, margin].iter().all(|value| value.is_finite());
    if !numbers || sd <= 0.0 || margin < 0.0 || now.rounds == 0 {
        return None;
    }
    // Units of earlier looks, in this one's proportion to rounds.
    let units_a_round = f64::from(units) / f64::from(now.rounds);
    let information: Vec<f64> =
        seen.iter().map(|look| f64::from(look.rounds) * units_a_round).collect();
    let boundaries: Vec<f64> = seen
        .iter()
        .zip(&information)
        .map(|(look, units)| {
            let own = look.quantile(look.rounds).unwrap_or(f64::INFINITY);
            own + margin / sd * libm::sqrt(*units)
        })
        .collect();
    let z = estimate / sd * libm::sqrt(f64::from(units));
    let widened = 2.0 * normal_upper(student_quantile(alpha, f64::from(freedom))?);
    let found = stagewise_estimate(&boundaries, &information, stopped, z, widened).ok()?;
    Some(Adjusted { log_ratio: found.drift * sd, lo: found.lo * sd, hi: found.hi * sd })
}

#[cfg(test)]
mod tests {
    use super::adjusted_estimate;
    use crate::manifest::{Spending, Stop};
    use crate::rule::{Course, Look, looks};
    use crate::stats::student_quantile;

    const SEEN: Course = Course { estimate: 0.06, sd: 0.03, units: 16 };

    fn two_looks() -> Vec<Look> {
        let stop = Stop::GroupSequential {
            looks_at_rounds: vec![8, 16],
            spending: Spending::Pocock,
            futility_percent: None,
            cap_minutes: 60.0,
        };
        looks(&stop, 16, 0.05).unwrap()
    }

    #[test]
    fn one_look_is_the_ordinary_t_interval() {
        let one = [Look { number: 1, rounds: 16, information: 1.0, nominal_p: 0.05 }];
        let found = adjusted_estimate(&one, 0, &SEEN, 0.02, 0.05).unwrap();
        let half = student_quantile(0.05, 15.0).unwrap() * 0.03 / 4.0;
        assert!((found.log_ratio - 0.06).abs() < 1e-12, "{found:?}");
        assert!((found.lo - (0.06 - half)).abs() < 1e-10, "{found:?}");
        assert!((found.hi - (0.06 + half)).abs() < 1e-10, "{found:?}");
    }

    #[test]
    fn a_second_look_draws_it_towards_what_did_not_stop_the_first() {
        let looks = two_looks();
        let found = adjusted_estimate(&looks, 1, &SEEN, 0.02, 0.05).unwrap();
        assert!(found.log_ratio < 0.055 && found.log_ratio > 0.04, "{found:?}");
        let down = Course { estimate: -0.06, ..SEEN };
        let down = adjusted_estimate(&looks, 1, &down, 0.02, 0.05).unwrap();
        assert!((down.log_ratio + found.log_ratio).abs() < 1e-9, "{down:?}");
    }

    #[test]
    fn what_has_no_spread_or_place_has_none() {
        let looks = two_looks();
        assert_eq!(adjusted_estimate(&looks, 2, &SEEN, 0.02, 0.05), None);
        assert_eq!(adjusted_estimate(&[], 0, &SEEN, 0.02, 0.05), None);
        for course in [
            Course { sd: 0.0, ..SEEN },
            Course { sd: f64::NAN, ..SEEN },
            Course { estimate: f64::INFINITY, ..SEEN },
            Course { units: 1, ..SEEN },
        ] {
            assert_eq!(adjusted_estimate(&looks, 1, &course, 0.02, 0.05), None, "{course:?}");
        }
        assert_eq!(adjusted_estimate(&looks, 1, &SEEN, -0.02, 0.05), None);
        assert_eq!(adjusted_estimate(&looks, 1, &SEEN, 0.02, 1.0), None);
    }
}
