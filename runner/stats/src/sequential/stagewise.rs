//! The estimate of an effect after looking more than once.

use super::crossing::{Continuation, Standing, check_information};
use super::fault::SequentialFault;
use crate::normal::normal_quantile;
use crate::root::root;

/// Doublings of the distance within which a drift is sought.
const WIDENINGS: u32 = 12;

/// Beyond the z of any chance that a double holds.
const FAR: f64 = 40.0;

/// A drift with its interval: in the unit in which z has the mean `drift sqrt(information)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StagewiseEstimate {
    /// As likely to lie above the truth as below it.
    pub drift: f64,
    /// Lower end.
    pub lo: f64,
    /// Upper end.
    pub hi: f64,
}

/// The median-unbiased estimate and the two-sided interval of error `alpha` after a study with
/// symmetric z `boundaries` stopped at `stopped_look` (from 0) with `z`. Results are ordered by
/// stages: those that cross the upper boundary earlier are more extreme than those that cross it
/// later, and at one look a greater z is more extreme. The estimate is the drift under which
/// results as extreme or more have the chance one half; the ends have `alpha / 2` and
/// `1 - alpha / 2`. With a z between the boundaries the look counts as the last.
///
/// Source: A. A. Tsiatis, G. L. Rosner and C. R. Mehta, "Exact confidence intervals following a
/// group sequential test", Biometrics 40 (1984); C. Jennison and B. W. Turnbull, Group Sequential
/// Methods (2000), sections 8.4 and 8.5.
///
/// # Errors
/// [`SequentialFault`]; boundaries may be infinite.
pub fn stagewise_estimate(
    boundaries: &[f64],
    information: &[f64],
    stopped_look: usize,
    z: f64,
    alpha: f64,
) -> Result<StagewiseEstimate, SequentialFault> {
    check_information(information)?;
    // in this form a NaN is refused
    if boundaries.len() != information.len() || !boundaries.iter().all(|z| *z >= 0.0) {
        return Err(SequentialFault::Boundaries);
    }
    if !(alpha > 0.0 && alpha < 1.0) {
        return Err(SequentialFault::Alpha);
    }
    let seen = (boundaries.get(..=stopped_look), information.get(..=stopped_look));
    let (Some(boundaries), Some(information)) = seen else {
        return Err(SequentialFault::Stop);
    };
    let Some(&now) = information.last().filter(|_| z.is_finite()) else {
        return Err(SequentialFault::Stop);
    };
    let plain = z / libm::sqrt(now);
    let unit = 1.0 / libm::sqrt(now);
    let drift_with = |chance: f64| -> Result<f64, SequentialFault> {
        // As z, the chance grows nearly in proportion to the drift.
        let goal = z_of(chance);
        let excess = |drift: f64| z_of(more_extreme(boundaries, information, z, drift)) - goal;
        let mut distance = 2.0 * unit;
        for _ in 0..WIDENINGS {
            let (lo, hi) = (plain - distance, plain + distance);
            if excess(lo) <= 0.0 && excess(hi) >= 0.0 {
                return root(lo, hi, excess).ok_or(SequentialFault::NoSolution);
            }
            distance *= 2.0;
        }
        Err(SequentialFault::NoSolution)
    };
    Ok(StagewiseEstimate {
        drift: drift_with(0.5)?,
        lo: drift_with(alpha / 2.0)?,
        hi: drift_with(1.0 - alpha / 2.0)?,
    })
}

/// The z below which lies `chance`; far out for none or all of it.
fn z_of(chance: f64) -> f64 {
    normal_quantile(chance).unwrap_or(if chance > 0.5 { FAR } else { -FAR })
}

/// Chance of a result as extreme as `z` at the last of these looks, or more: it grows with the
/// drift.
fn more_extreme(boundaries: &[f64], information: &[f64], z: f64, drift: f64) -> f64 {
    let mut standing = Standing::start();
    let mut total = 0.0;
    for (look, (&boundary, &now)) in boundaries.iter().zip(information).enumerate() {
        match information.get(look + 1) {
            Some(&next) => {
                total += standing.above(now, drift, boundary);
                standing = standing.after(now, drift, Continuation::symmetric(boundary), next);
            }
            None => total += standing.above(now, drift, z),
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::stagewise_estimate;
    use crate::Draws;
    use crate::sequential::{SequentialFault, obrien_fleming_boundaries};

    #[test]
    fn one_look_is_the_ordinary_estimate() {
        let found = stagewise_estimate(&[1.96], &[4.0], 0, 3.0, 0.05).unwrap();
        assert!((found.drift - 1.5).abs() < 1e-12, "{found:?}");
        assert!((found.lo - (3.0 - 1.959_963_984_540_054) / 2.0).abs() < 1e-12);
        assert!((found.hi - (3.0 + 1.959_963_984_540_054) / 2.0).abs() < 1e-12);
        // and so is a stop at the first of several
        let first = stagewise_estimate(&[1.96, 1.8], &[4.0, 9.0], 0, 3.0, 0.05).unwrap();
        assert_eq!(first, found);
    }

    #[test]
    fn the_estimate_is_drawn_towards_zero_and_mirrors() {
        let boundaries = [2.2, 2.2, 2.2];
        let information = [0.3, 0.6, 1.0];
        for z in [2.3, 3.5] {
            let up = stagewise_estimate(&boundaries, &information, 2, z, 0.05).unwrap();
            assert!(up.lo < up.drift && up.drift < up.hi);
            assert!(up.drift < z, "{up:?}");
            let down = stagewise_estimate(&boundaries, &information, 2, -z, 0.05).unwrap();
            assert!((up.drift + down.drift).abs() < 1e-9, "{up:?} {down:?}");
            assert!((up.lo + down.hi).abs() < 1e-9);
        }
    }

    /// The estimate lies below the truth as often as above it, and the interval covers it as
    /// often as it says. The naive estimate does not: it is too large after an early stop.
    #[test]
    fn simulated_estimates_are_median_unbiased() {
        const STUDIES: u32 = 1_000;
        let information = [0.5, 1.0];
        let boundaries = obrien_fleming_boundaries(&information, 0.05).unwrap();
        let drift = 2.8;
        let mut draws = Draws::new(20_261_129, "stagewise");
        let (mut above, mut covered, mut naive_above) = (0, 0, 0);
        for _ in 0..STUDIES {
            let root_half = 0.5_f64.sqrt();
            let score = drift * 0.5 + draws.normal() * root_half;
            let first = score / root_half;
            let (look, z) = if first.abs() >= boundaries[0] {
                (0, first)
            } else {
                (1, score + drift * 0.5 + draws.normal() * root_half)
            };
            let found = stagewise_estimate(&boundaries, &information, look, z, 0.10).unwrap();
            above += u32::from(found.drift > drift);
            covered += u32::from(found.lo <= drift && drift <= found.hi);
            naive_above += u32::from(z / information[look].sqrt() > drift);
        }
        // standard errors 16 and 9.5; three and a half of them
        assert!(above.abs_diff(500) < 56, "{above}");
        assert!(covered.abs_diff(900) < 34, "{covered}");
        assert!(naive_above > 500, "{naive_above}");
    }

    #[test]
    fn what_did_not_stop_is_refused() {
        let two = [0.5, 1.0];
        let at = |look, z, alpha| stagewise_estimate(&[3.0, 2.0], &two, look, z, alpha);
        assert_eq!(at(2, 2.5, 0.05), Err(SequentialFault::Stop));
        assert_eq!(at(1, f64::NAN, 0.05), Err(SequentialFault::Stop));
        assert_eq!(at(1, f64::INFINITY, 0.05), Err(SequentialFault::Stop));
        assert_eq!(at(1, 2.5, 1.0), Err(SequentialFault::Alpha));
        let wrong = stagewise_estimate(&[f64::NAN, 2.0], &two, 1, 2.5, 0.05);
        assert_eq!(wrong, Err(SequentialFault::Boundaries));
        let wrong = stagewise_estimate(&[2.0], &two, 0, 2.5, 0.05);
        assert_eq!(wrong, Err(SequentialFault::Boundaries));
        let never = stagewise_estimate(&[f64::INFINITY, 2.0], &two, 1, 2.5, 0.05).unwrap();
        assert!((never.drift - 2.5).abs() < 1e-9, "{never:?}");
    }

    #[test]
    fn far_values_have_an_estimate() {
        let found = stagewise_estimate(&[3.0, 2.0], &[0.5, 1.0], 1, 30.0, 0.05).unwrap();
        assert!(found.drift.is_finite() && found.lo < found.hi, "{found:?}");
    }
}
