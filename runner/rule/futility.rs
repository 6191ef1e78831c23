//! Whether a decision is still in reach.

use super::looks::Look;

/// Where a comparison stands at a look. Log ratios.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Course {
    /// Estimate so far.
    pub estimate: f64,
    /// Standard deviation of the units.
    pub sd: f64,
    /// Units so far.
    pub units: u32,
}

/// Chance, 0 to 1, that the interval of the last look will be a win, a loss or level, if the
/// effect is what it seems to be now, with as many units then as rounds. `None` where there is no
/// spread to judge by, or a number is not finite.
///
/// Source: conditional power under the current trend, as in C. Jennison and B. W. Turnbull,
/// Group Sequential Methods (2000), section 10.3.
#[must_use]
pub fn chance_of_decision(course: &Course, last: &Look, margin: f64) -> Option<f64> {
    let all = last.rounds.max(course.units);
    chance_by_the_last_look(course, all, last.quantile(all)?, margin)
}

/// The same with `all` units at the last look and its Student's t. The spread is taken as known.
/// A decision at a look between now and then that the last one would not repeat is not counted;
/// intervals only get narrower, so that is rare.
pub(super) fn chance_by_the_last_look(
    course: &Course,
    all: u32,
    t: f64,
    margin: f64,
) -> Option<f64> {
    let Course { estimate, sd, units } = *course;
    if units < 2 || units > all || sd <= 0.0 {
        return None;
    }
    if ![estimate, sd, t, margin].iter().all(|value| value.is_finite()) {
        return None;
    }
    let (units, all) = (f64::from(units), f64::from(all));
    let half_width = t * sd / libm::sqrt(all);
    // spread of the final estimate, of which the part that is seen already is fixed
    let spread = sd * libm::sqrt(all - units) / all;
    let below = |limit: f64| -> f64 {
        let distance = limit - estimate;
        if spread > 0.0 {
            0.5 * libm::erfc(-distance / spread / std::f64::consts::SQRT_2)
        } else if distance > 0.0 {
            1.0
        } else {
            0.0
        }
    };
    let win = 1.0 - below(margin + half_width);
    let loss = below(-margin - half_width);
    let room = margin - half_width;
    let level = if room > 0.0 { below(room) - below(-room) } else { 0.0 };
    Some((win + loss + level).clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::{Course, chance_of_decision};
    use crate::rule::{Decision, Look, decide};
    use crate::stats::Draws;

    fn chance(estimate: f64) -> f64 {
        let last =
            Look { number: 2, rounds: 16, information: 1.0, nominal_p: 0.05, own_quantile: None };
        chance_of_decision(&Course { estimate, sd: 0.02, units: 8 }, &last, 0.02).unwrap()
    }

    #[test]
    fn far_from_a_margin_a_decision_is_near() {
        assert!(chance(0.08) > 0.999);
        assert!(chance(0.0) > 0.99);
        // at the margin itself the interval crosses it nearly always
        assert!(chance(0.02) < 0.01);
    }

    #[test]
    fn no_spread_has_no_chance() {
        let last =
            Look { number: 1, rounds: 8, information: 1.0, nominal_p: 0.05, own_quantile: None };
        for sd in [0.0, f64::NAN, f64::INFINITY] {
            let course = Course { estimate: 0.01, sd, units: 8 };
            assert_eq!(chance_of_decision(&course, &last, 0.02), None);
        }
        let course = Course { estimate: 0.01, sd: 0.1, units: 1 };
        assert_eq!(chance_of_decision(&course, &last, 0.02), None);
    }

    #[test]
    fn what_is_no_number_has_no_chance() {
        let last =
            Look { number: 2, rounds: 16, information: 1.0, nominal_p: 0.05, own_quantile: None };
        for estimate in [f64::NAN, f64::INFINITY] {
            let course = Course { estimate, sd: 0.1, units: 8 };
            assert_eq!(chance_of_decision(&course, &last, 0.02), None);
        }
        let course = Course { estimate: 0.01, sd: 0.1, units: 8 };
        assert_eq!(chance_of_decision(&course, &last, f64::NAN), None);
        let shut = Look { nominal_p: 0.0, own_quantile: None, ..last };
        assert_eq!(chance_of_decision(&course, &shut, 0.02), None);
    }

    /// The chance is that of experiments that go on as they began.
    #[test]
    fn the_chance_is_as_simulated() {
        const EXPERIMENTS: u32 = 4_000;
        let last =
            Look { number: 2, rounds: 24, information: 1.0, nominal_p: 0.05, own_quantile: None };
        let course = Course { estimate: 0.03, sd: 0.02, units: 8 };
        let right = chance_of_decision(&course, &last, 0.02).unwrap();
        let half_width = last.quantile(24).unwrap() * 0.02 / 24_f64.sqrt();
        let mut draws = Draws::new(3, "futility");
        let decided = (0..EXPERIMENTS)
            .filter(|_| {
                let more: f64 = (0..16).map(|_| 0.03 + 0.02 * draws.normal()).sum();
                let estimate = (8.0 * 0.03 + more) / 24.0;
                decide(estimate - half_width, estimate + half_width, 0.02) != Decision::Undecided
            })
            .count();
        let found = decided as f64 / f64::from(EXPERIMENTS);
        let error = (right * (1.0 - right) / f64::from(EXPERIMENTS)).sqrt();
        assert!((found - right).abs() < 3.5 * error, "{found} {right}");
        assert!(right > 0.1 && right < 0.95, "{right}");
    }
}
