//! The boundaries of O'Brien and Fleming and of Pocock, for looks at any information.

use super::boundaries::FARTHEST_BOUNDARY;
use super::crossing::{Continuation, Standing, check_information};
use super::fault::SequentialFault;
use crate::normal::normal_upper_quantile;
use crate::root::root;

/// Two-sided z boundaries `c sqrt(last information / information)`, with the `c` that gives the
/// error `alpha` over all looks. Those beyond [`FARTHEST_BOUNDARY`] are infinite.
///
/// Source: P. C. O'Brien and T. R. Fleming, "A multiple testing procedure for clinical trials",
/// Biometrics 35 (1979); for unequal information as in C. Jennison and B. W. Turnbull, Group
/// Sequential Methods (2000), section 7.2.
///
/// # Errors
/// [`SequentialFault::Information`], [`SequentialFault::Alpha`].
pub fn obrien_fleming_boundaries(
    information: &[f64],
    alpha: f64,
) -> Result<Vec<f64>, SequentialFault> {
    let last = information.last().copied().unwrap_or(0.0);
    let shape = information.iter().map(|now| libm::sqrt(last / now)).collect();
    scaled(shape, information, alpha)
}

/// Two-sided z boundaries, the same at each look, with the error `alpha` over all looks.
///
/// Source: S. J. Pocock, "Group sequential methods in the design and analysis of clinical
/// trials", Biometrika 64 (1977).
///
/// # Errors
/// [`SequentialFault::Information`], [`SequentialFault::Alpha`].
pub fn pocock_boundaries(information: &[f64], alpha: f64) -> Result<Vec<f64>, SequentialFault> {
    scaled(vec![1.0; information.len()], information, alpha)
}

/// `shape` times the constant that gives the error; 1 at the last look.
fn scaled(shape: Vec<f64>, information: &[f64], alpha: f64) -> Result<Vec<f64>, SequentialFault> {
    check_information(information)?;
    if !(alpha > 0.0 && alpha < 1.0) {
        return Err(SequentialFault::Alpha);
    }
    let at = |constant: f64| -> Vec<f64> {
        let far = |z: f64| if z > FARTHEST_BOUNDARY { f64::INFINITY } else { z };
        shape.iter().map(|shape| far(shape * constant)).collect()
    };
    let excess = |constant: f64| libm::log(error(&at(constant), information)) - libm::log(alpha);
    // One look alone needs no less, and all looks together no more than Bonferroni's share each;
    // either end may be the root itself.
    let least = normal_upper_quantile(alpha / 2.0);
    let most = normal_upper_quantile(alpha / 2.0 / information.len() as f64);
    let (Some(least), Some(most)) = (least, most) else {
        return Err(SequentialFault::NoSolution);
    };
    let constant = root(least - 1e-6, most + 1e-6, excess).ok_or(SequentialFault::NoSolution)?;
    Ok(at(constant))
}

/// Chance of crossing any of the symmetric boundaries without an effect.
fn error(boundaries: &[f64], information: &[f64]) -> f64 {
    let mut standing = Standing::start();
    let mut total = 0.0;
    for (look, (&boundary, &now)) in boundaries.iter().zip(information).enumerate() {
        total += 2.0 * standing.above(now, 0.0, boundary);
        if let Some(&next) = information.get(look + 1) {
            standing = standing.after(now, 0.0, Continuation::symmetric(boundary), next);
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::{obrien_fleming_boundaries, pocock_boundaries};
    use crate::sequential::{Continuation, SequentialFault, crossing_probabilities};

    #[test]
    fn unequal_information_spends_the_error_too() {
        let information = [8.0, 10.0, 30.0];
        for boundaries in [
            obrien_fleming_boundaries(&information, 0.01).unwrap(),
            pocock_boundaries(&information, 0.01).unwrap(),
        ] {
            let regions: Vec<_> = boundaries.iter().map(|z| Continuation::symmetric(*z)).collect();
            let crossed = crossing_probabilities(&regions, &information, 0.0).unwrap();
            let total: f64 = crossed.iter().map(|look| look.below + look.above).sum();
            assert!((total - 0.01).abs() < 1e-12, "{total}");
        }
    }

    #[test]
    fn one_look_is_the_normal_quantile_and_an_early_one_cannot_stop() {
        let one = pocock_boundaries(&[1.0], 0.05).unwrap();
        assert!((one[0] - 1.959_963_984_540_054).abs() < 1e-10, "{one:?}");
        let early = obrien_fleming_boundaries(&[0.01, 1.0], 0.05).unwrap();
        assert_eq!(early[0], f64::INFINITY);
        assert!((early[1] - 1.959_963_984_540_054).abs() < 1e-10, "{early:?}");
    }

    #[test]
    fn arguments_outside_are_refused() {
        for alpha in [0.0, 1.0, -0.05, f64::NAN] {
            assert_eq!(pocock_boundaries(&[0.5, 1.0], alpha), Err(SequentialFault::Alpha));
        }
        assert_eq!(pocock_boundaries(&[], 0.05), Err(SequentialFault::Information));
        assert_eq!(obrien_fleming_boundaries(&[], 0.05), Err(SequentialFault::Information));
        let falling = obrien_fleming_boundaries(&[1.0, 0.5], 0.05);
        assert_eq!(falling, Err(SequentialFault::Information));
    }
}
