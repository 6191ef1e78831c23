//! Boundaries from a list of errors spent.

use super::crossing::{Continuation, Standing, check_information};
use super::fault::SequentialFault;
use crate::normal::normal_upper;
use crate::root::root;

/// A look whose boundary would lie farther out cannot stop: its boundary is infinite, and what it
/// may spend (under 1.3e-15) is left to the next.
pub const FARTHEST_BOUNDARY: f64 = 8.0;

/// Two-sided symmetric z boundaries, one a look, that spend `cumulative` (two-sided error up to
/// and with each look, each below 1) at these amounts of information. Infinite where a look may
/// spend nothing. Exact to 1e-10.
///
/// Source: K. K. G. Lan and D. L. DeMets, "Discrete sequential boundaries for clinical trials",
/// Biometrika 70 (1983).
///
/// # Errors
/// [`SequentialFault::Information`]; [`SequentialFault::Boundaries`] for another number of errors
/// than of looks; [`SequentialFault::Spending`].
pub fn boundaries_of_spending(
    cumulative: &[f64],
    information: &[f64],
) -> Result<Vec<f64>, SequentialFault> {
    check_information(information)?;
    if cumulative.len() != information.len() {
        return Err(SequentialFault::Boundaries);
    }
    let mut before = 0.0;
    for &now in cumulative {
        // in this form a NaN is refused
        if !(now >= before && now < 1.0) {
            return Err(SequentialFault::Spending);
        }
        before = now;
    }
    let mut standing = Standing::start();
    let mut spent = 0.0;
    let mut found = Vec::with_capacity(cumulative.len());
    for (look, (&goal, &now)) in cumulative.iter().zip(information).enumerate() {
        let boundary = boundary(&standing, now, goal - spent)?;
        spent += 2.0 * standing.above(now, 0.0, boundary);
        found.push(boundary);
        if let Some(&next) = information.get(look + 1) {
            standing = standing.after(now, 0.0, Continuation::symmetric(boundary), next);
        }
    }
    Ok(found)
}

/// The boundary that spends `goal`, both sides together.
fn boundary(standing: &Standing, information: f64, goal: f64) -> Result<f64, SequentialFault> {
    if goal <= 2.0 * normal_upper(FARTHEST_BOUNDARY) {
        return Ok(f64::INFINITY);
    }
    // On a log scale the tail is nearly a parabola.
    let log_goal = libm::log(goal / 2.0);
    let excess = |z: f64| libm::log(standing.above(information, 0.0, z)) - log_goal;
    if excess(FARTHEST_BOUNDARY) >= 0.0 {
        return Ok(f64::INFINITY);
    }
    root(0.0, FARTHEST_BOUNDARY, excess).ok_or(SequentialFault::NoSolution)
}

#[cfg(test)]
mod tests {
    use super::{SequentialFault, boundaries_of_spending};
    use crate::normal::normal_upper_quantile;
    use crate::sequential::{Continuation, crossing_probabilities};

    #[test]
    fn what_was_asked_is_spent() {
        let information = [0.2, 0.3, 0.7, 1.0];
        let cumulative = [0.001, 0.001, 0.02, 0.05];
        let found = boundaries_of_spending(&cumulative, &information).unwrap();
        assert_eq!(found[1], f64::INFINITY);
        let regions: Vec<_> = found.iter().map(|z| Continuation::symmetric(*z)).collect();
        let crossed = crossing_probabilities(&regions, &information, 0.0).unwrap();
        let mut spent = 0.0;
        for (crossing, goal) in crossed.iter().zip(cumulative) {
            spent += crossing.below + crossing.above;
            assert!((spent - goal).abs() < 1e-12, "{spent} {goal}");
        }
    }

    #[test]
    fn one_look_is_the_normal_quantile() {
        let found = boundaries_of_spending(&[0.05], &[3.0]).unwrap();
        assert!((found[0] - normal_upper_quantile(0.025).unwrap()).abs() < 1e-12);
    }

    #[test]
    fn an_error_too_small_for_a_look_goes_to_the_next() {
        for small in [0.0, 1e-300, 1e-15] {
            let found = boundaries_of_spending(&[small, 0.05], &[0.5, 1.0]).unwrap();
            assert_eq!(found[0], f64::INFINITY);
            assert!((found[1] - 1.959_963_984_540_054).abs() < 1e-12, "{small}: {found:?}");
        }
        let found = boundaries_of_spending(&[1e-12, 0.05], &[0.5, 1.0]).unwrap();
        assert!(found[0] > 7.0 && found[0] < 8.0, "{found:?}");
        assert_eq!(boundaries_of_spending(&[0.0], &[1.0]), Ok(vec![f64::INFINITY]));
    }

    #[test]
    fn spending_that_falls_or_passes_the_whole_is_refused() {
        let looks = [0.5, 1.0];
        for spent in [[0.03, 0.02], [0.5, 1.0], [-0.1, 0.05], [f64::NAN, 0.05], [0.01, f64::NAN]] {
            let found = boundaries_of_spending(&spent, &looks);
            assert_eq!(found, Err(SequentialFault::Spending), "{spent:?}");
        }
        let short = boundaries_of_spending(&[0.05], &looks);
        assert_eq!(short, Err(SequentialFault::Boundaries));
        let falling = boundaries_of_spending(&[0.01, 0.05], &[1.0, 0.5]);
        assert_eq!(falling, Err(SequentialFault::Information));
    }
}
