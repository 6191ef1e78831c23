//! The chance of crossing a boundary at each look: recursive numerical integration.

use super::fault::SequentialFault;
use crate::gauss_legendre::nodes;
use crate::normal::{normal_density, normal_upper};

/// Beyond this many standard deviations lies nothing that counts: 1e-17.
const REACH: f64 = 8.5;

/// Width of a panel of ten points, in the narrowest standard deviation that the integrand has.
/// Half of it changes no probability by more than 1e-12 (tested).
const PANEL: f64 = 1.5;

/// Least gain of information between looks, as a share.
const LEAST_GAIN: f64 = 1e-5;

/// Values of the statistic with which a study goes on, z scale: `lower <= z < upper`. An infinite
/// one is never crossed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Continuation {
    /// Crossed from above.
    pub lower: f64,
    /// Crossed from below.
    pub upper: f64,
}

impl Continuation {
    /// `-boundary` to `boundary`.
    #[must_use]
    pub fn symmetric(boundary: f64) -> Continuation {
        Continuation { lower: -boundary, upper: boundary }
    }
}

/// Chances of stopping at one look, having gone on at all looks before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crossing {
    /// Below the lower boundary.
    pub below: f64,
    /// Above the upper boundary.
    pub above: f64,
}

/// Where studies stand that have gone on at every look so far.
#[derive(Debug, Clone)]
pub(super) struct Standing {
    information: f64,
    /// Values of z with the probability of the surroundings of each.
    paths: Vec<Path>,
    panel: f64,
}

#[derive(Debug, Clone, Copy)]
struct Path {
    z: f64,
    probability: f64,
}

impl Standing {
    /// Before the first look.
    pub fn start() -> Standing {
        Standing::with_panel(PANEL)
    }

    fn with_panel(panel: f64) -> Standing {
        let paths = vec![Path { z: 0.0, probability: 1.0 }];
        Standing { information: 0.0, paths, panel }
    }

    /// Chance of going on so far and then of `z` or more at `information`.
    pub fn above(&self, information: f64, drift: f64, z: f64) -> f64 {
        let step = Step::new(self.information, information, drift);
        self.paths
            .iter()
            .map(|path| path.probability * normal_upper(step.distance(path.z, z)))
            .sum()
    }

    /// Chance of going on so far and then of less than `z` at `information`.
    pub fn below(&self, information: f64, drift: f64, z: f64) -> f64 {
        let step = Step::new(self.information, information, drift);
        self.paths
            .iter()
            .map(|path| path.probability * normal_upper(-step.distance(path.z, z)))
            .sum()
    }

    /// Where they stand after a look at `information`; `next` is that of the look after.
    pub fn after(&self, information: f64, drift: f64, go_on: Continuation, next: f64) -> Standing {
        let step = Step::new(self.information, information, drift);
        let middle = drift * libm::sqrt(information);
        let lo = go_on.lower.max(middle - REACH);
        let hi = go_on.upper.min(middle + REACH);
        // On the scale of this look's z: how sharply the density can bend, and the next kernel.
        let own = libm::sqrt((information - self.information) / information);
        let coming = libm::sqrt((next - information) / information);
        let panel = self.panel * own.min(coming).min(1.0);
        let scale = libm::sqrt(information) / step.deviation;
        let paths = nodes(lo, hi, panel)
            .into_iter()
            .map(|node| {
                let density: f64 = self
                    .paths
                    .iter()
                    .map(|path| (path.probability, step.distance(path.z, node.at)))
                    .filter(|(_, distance)| distance.abs() < REACH)
                    .map(|(probability, distance)| probability * normal_density(distance))
                    .sum();
                Path { z: node.at, probability: density * scale * node.weight }
            })
            .collect();
        Standing { information, paths, panel: self.panel }
    }
}

/// From one look to the next. The score statistic `z sqrt(information)` grows by a normal value
/// of mean `drift` and variance 1 for each unit of information.
struct Step {
    from: f64,
    to: f64,
    mean: f64,
    deviation: f64,
}

impl Step {
    fn new(before: f64, after: f64, drift: f64) -> Step {
        let gain = after - before;
        Step {
            from: libm::sqrt(before),
            to: libm::sqrt(after),
            mean: drift * gain,
            deviation: libm::sqrt(gain),
        }
    }

    /// Standard deviations from what is expected after `z_before` to `z_after`.
    fn distance(&self, z_before: f64, z_after: f64) -> f64 {
        (z_after * self.to - z_before * self.from - self.mean) / self.deviation
    }
}

/// Chance of crossing either boundary at each look. `information` in any unit, with `drift` the
/// mean of the score for each unit of it, so that z has the mean `drift sqrt(information)`.
/// Absolute error 1e-12.
///
/// Source: the recursion of P. Armitage, C. K. McPherson and B. C. Rowe, "Repeated significance
/// tests on accumulating data", JRSS A 132 (1969), as in C. Jennison and B. W. Turnbull, Group
/// Sequential Methods (2000), chapter 19. In place of their Simpson's grid: ten-point
/// Gauss-Legendre panels that end at the boundaries, as wide as the sharpest bend allows.
///
/// # Errors
/// [`SequentialFault::Information`], [`SequentialFault::Boundaries`].
pub fn crossing_probabilities(
    regions: &[Continuation],
    information: &[f64],
    drift: f64,
) -> Result<Vec<Crossing>, SequentialFault> {
    crossings(Standing::start(), regions, information, drift)
}

fn crossings(
    start: Standing,
    regions: &[Continuation],
    information: &[f64],
    drift: f64,
) -> Result<Vec<Crossing>, SequentialFault> {
    check_information(information)?;
    // in this form a NaN is refused
    let ordered = regions.iter().all(|region| region.lower <= region.upper);
    if regions.len() != information.len() || !ordered || !drift.is_finite() {
        return Err(SequentialFault::Boundaries);
    }
    let mut standing = start;
    let mut found = Vec::with_capacity(regions.len());
    for (look, (region, now)) in regions.iter().zip(information).enumerate() {
        found.push(Crossing {
            below: standing.below(*now, drift, region.lower),
            above: standing.above(*now, drift, region.upper),
        });
        if let Some(next) = information.get(look + 1) {
            standing = standing.after(*now, drift, *region, *next);
        }
    }
    Ok(found)
}

/// Finite, above zero, increasing.
pub(super) fn check_information(information: &[f64]) -> Result<(), SequentialFault> {
    let mut before = 0.0;
    for &now in information {
        let gain = (now - before) / now;
        if !(now.is_finite() && now > 0.0 && gain >= LEAST_GAIN) {
            return Err(SequentialFault::Information);
        }
        before = now;
    }
    if information.is_empty() { Err(SequentialFault::Information) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::{Continuation, PANEL, Standing, crossing_probabilities, crossings};
    use crate::normal::normal_upper;
    use crate::sequential::SequentialFault;

    #[test]
    fn half_the_panels_change_nothing() {
        let designs: [(&[f64], f64, f64); 4] = [
            (&[0.2, 0.4, 0.6, 0.8, 1.0], 2.4132, 0.0),
            (&[0.1, 0.35, 0.4, 1.0], 1.96, 2.5),
            (&[8.0, 9.0, 12.0, 40.0, 41.0], 2.2, 0.3),
            (&[0.04, 0.5, 0.51, 1.0], 7.5, -1.0),
        ];
        for (information, boundary, drift) in designs {
            let regions = vec![Continuation::symmetric(boundary); information.len()];
            let at = |panel| {
                crossings(Standing::with_panel(panel), &regions, information, drift).unwrap()
            };
            for (one, other) in at(PANEL).iter().zip(at(PANEL / 2.0)) {
                assert!((one.above - other.above).abs() < 1e-12, "{one:?} {other:?}");
                assert!((one.below - other.below).abs() < 1e-12, "{one:?} {other:?}");
            }
        }
    }

    #[test]
    fn one_look_is_the_normal_tail() {
        let region = Continuation { lower: -1.5, upper: 1.96 };
        let found = crossing_probabilities(&[region], &[4.0], 0.7).unwrap();
        assert!((found[0].above - normal_upper(1.96 - 1.4)).abs() < 1e-15);
        assert!((found[0].below - normal_upper(1.5 + 1.4)).abs() < 1e-15);
    }

    #[test]
    fn a_look_that_never_stops_is_no_look() {
        let information = [0.3, 1.0];
        let never = Continuation::symmetric(f64::INFINITY);
        let then = Continuation::symmetric(1.96);
        let found = crossing_probabilities(&[never, then], &information, 0.0).unwrap();
        assert_eq!((found[0].above, found[0].below), (0.0, 0.0));
        assert!((found[1].above - normal_upper(1.96)).abs() < 1e-13, "{found:?}");
    }

    #[test]
    fn all_chances_add_up() {
        let information = [0.25, 0.5, 1.0];
        let last = Continuation { lower: 0.3, upper: 0.3 };
        let wide = Continuation { lower: -1.0, upper: 2.0 };
        let found = crossing_probabilities(&[wide, wide, last], &information, 0.8).unwrap();
        let all: f64 = found.iter().map(|look| look.below + look.above).sum();
        assert!((all - 1.0).abs() < 1e-12, "{all}");
    }

    #[test]
    fn what_is_out_of_order_is_refused() {
        let two = [Continuation::symmetric(2.0); 2];
        for information in [[0.0, 1.0], [1.0, 1.0], [1.0, 0.5], [0.5, f64::NAN], [-1.0, 1.0]] {
            let found = crossing_probabilities(&two, &information, 0.0);
            assert_eq!(found, Err(SequentialFault::Information), "{information:?}");
        }
        assert_eq!(crossing_probabilities(&[], &[], 0.0), Err(SequentialFault::Information));
        let crossed = [Continuation { lower: 1.0, upper: -1.0 }];
        let nan = [Continuation::symmetric(f64::NAN)];
        for regions in [&crossed[..], &nan[..], &two[..]] {
            let found = crossing_probabilities(regions, &[1.0], 0.0);
            assert_eq!(found, Err(SequentialFault::Boundaries));
        }
    }
}
