//! The boundaries of a group-sequential rule.

use super::looks::{EARLIEST_LOOK, LookFault};
use crate::manifest::Spending;
use crate::stats::{
    Continuation, SequentialFault, boundaries_of_spending, crossing_probabilities,
    obrien_fleming_boundaries, obrien_fleming_spending, pocock_boundaries, pocock_spending,
};

/// z boundaries of looks at these rounds, the last of them `rounds`: those whose nominal p, as
/// Student's t, spend what is registered of `alpha`.
pub(super) fn group_sequential_z(
    spending: &Spending,
    looks_at_rounds: &[u32],
    rounds: u32,
    alpha: f64,
) -> Result<Vec<f64>, LookFault> {
    check_order(looks_at_rounds, rounds)?;
    let information: Vec<f64> =
        looks_at_rounds.iter().map(|look| f64::from(*look) / f64::from(rounds)).collect();
    boundaries(spending, looks_at_rounds, &information, alpha).map_err(fault_of)
}

fn check_order(looks_at_rounds: &[u32], rounds: u32) -> Result<(), LookFault> {
    let increasing = looks_at_rounds.windows(2).all(|pair| pair[0] < pair[1]);
    let late_enough = looks_at_rounds.first().is_some_and(|first| *first >= EARLIEST_LOOK);
    let complete = looks_at_rounds.last() == Some(&rounds);
    if increasing && late_enough && complete { Ok(()) } else { Err(LookFault::Order) }
}

fn fault_of(fault: SequentialFault) -> LookFault {
    match fault {
        SequentialFault::Information | SequentialFault::Stop => LookFault::Order,
        SequentialFault::Boundaries | SequentialFault::Spending => LookFault::Spending,
        SequentialFault::Alpha | SequentialFault::NoSolution => LookFault::Alpha,
    }
}

fn boundaries(
    spending: &Spending,
    looks_at_rounds: &[u32],
    information: &[f64],
    alpha: f64,
) -> Result<Vec<f64>, SequentialFault> {
    let spent = |by: fn(f64, f64) -> Option<f64>| -> Result<Vec<f64>, SequentialFault> {
        information.iter().map(|share| by(alpha, *share).ok_or(SequentialFault::Alpha)).collect()
    };
    let cumulative = match spending {
        Spending::OBrienFleming => spent(obrien_fleming_spending)?,
        Spending::Pocock => spent(pocock_spending)?,
        Spending::ExactOBrienFleming => {
            errors_spent(&obrien_fleming_boundaries(information, alpha)?, information)?
        }
        Spending::ExactPocock => {
            errors_spent(&pocock_boundaries(information, alpha)?, information)?
        }
        Spending::Listed { cumulative_percent } => {
            listed(cumulative_percent, information.len(), alpha)?
        }
    };
    let known = boundaries_of_spending(&cumulative, information)?;
    boundaries_of_spending(&cumulative, &told_with_t(looks_at_rounds, &known))
}

/// Two-sided error that symmetric boundaries spend up to and with each look.
fn errors_spent(boundaries: &[f64], information: &[f64]) -> Result<Vec<f64>, SequentialFault> {
    let regions: Vec<Continuation> =
        boundaries.iter().map(|z| Continuation::symmetric(*z)).collect();
    let mut total = 0.0;
    Ok(crossing_probabilities(&regions, information, 0.0)?
        .iter()
        .map(|crossing| {
            total += crossing.below + crossing.above;
            total
        })
        .collect())
}

/// What the looks tell, the first being 1, when the spread is found from the same rounds.
///
/// The boundaries' recursion takes the spread as known. With t, neighbouring looks agree less with
/// each other, since their spreads differ too, and so the rule errs more often than it should. To
/// first order: the log of the spread over `n` rounds has the variance `1 / (2 n)`, and moves a
/// statistic near the boundary `z` by `z` times as much; the part that is new at `m` rounds adds
/// `z^2 / 2 (1 / n - 1 / m)` to the log of the information gained. It vanishes with many rounds.
///
/// Simulated at an error of 5 % over designs of 2 to 17 looks between 8 and 40 rounds (400,000
/// experiments each): 4.98 to 5.16 % with it, 5.08 to 5.41 % without.
fn told_with_t(looks_at_rounds: &[u32], boundaries: &[f64]) -> Vec<f64> {
    let mut information = 1.0;
    let mut found = vec![information];
    for (rounds, z) in looks_at_rounds.windows(2).zip(boundaries.windows(2)) {
        let (earlier, later) = (f64::from(rounds[0]), f64::from(rounds[1]));
        // a look that cannot stop has no boundary to be near to
        let z = z.iter().copied().find(|z| z.is_finite()).unwrap_or(0.0);
        let new = z * z / 2.0 * (1.0 / earlier - 1.0 / later);
        information *= later / earlier * libm::exp(new);
        found.push(information);
    }
    found
}

/// Errors spent from a registered list of percents: increasing from 0 or more, the last 100.
fn listed(
    cumulative_percent: &[f64],
    looks: usize,
    alpha: f64,
) -> Result<Vec<f64>, SequentialFault> {
    let increasing = cumulative_percent.windows(2).all(|pair| pair[0] < pair[1]);
    let begins = cumulative_percent.first().is_some_and(|first| *first >= 0.0);
    let complete = cumulative_percent.last() == Some(&100.0);
    if cumulative_percent.len() == looks && increasing && begins && complete {
        Ok(cumulative_percent.iter().map(|percent| alpha * (percent / 100.0)).collect())
    } else {
        Err(SequentialFault::Spending)
    }
}

#[cfg(test)]
mod tests {
    use super::{boundaries, told_with_t};
    use crate::manifest::Spending;

    #[test]
    fn listed_errors_of_a_known_way_give_its_boundary() {
        // two looks of Pocock's own boundary: 2.1783 spends 0.029383 at the first
        let listed = Spending::Listed { cumulative_percent: vec![58.766, 100.0] };
        let at = [8, 16];
        let information = [0.5, 1.0];
        let one = boundaries(&listed, &at, &information, 0.05).unwrap();
        let other = boundaries(&Spending::ExactPocock, &at, &information, 0.05).unwrap();
        assert!(one.iter().zip(&other).all(|(one, other)| (one - other).abs() < 1e-4), "{one:?}");
    }

    #[test]
    fn what_t_tells_increases_and_is_rounds_in_the_limit() {
        let told = told_with_t(&[8, 16, 24], &[f64::INFINITY, 3.0, 2.0]);
        assert_eq!(told[0], 1.0);
        assert!(told[1] > 2.0 && told[2] > 1.5 * told[1], "{told:?}");
        let many = told_with_t(&[800_000, 1_600_000], &[2.8, 2.0]);
        assert!((many[1] - 2.0).abs() < 1e-4, "{many:?}");
        let never = told_with_t(&[8, 16], &[f64::INFINITY; 2]);
        assert_eq!(never, [1.0, 2.0]);
    }
}
