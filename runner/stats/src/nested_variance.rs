//! Variance by level of nested repetition: rounds, blocks in rounds, chunks in blocks.

use super::sum::sum;

/// Values nested in groups: a tree whose leaves all lie equally deep.
#[derive(Debug, Clone, PartialEq)]
pub enum Nested {
    /// One value.
    Value(f64),
    /// A group of groups, or of values.
    Group(Vec<Nested>),
}

/// The variance at one level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LevelVariance {
    /// `S^2`: variance of this level's means within their group. What lies below adds to it.
    pub biased: f64,
    /// `T^2`: what this level adds of its own, unbiased. Below zero by chance where it is small.
    pub own: f64,
    /// Degrees of freedom: units of this level less groups that they lie in.
    pub freedom: u32,
}

impl LevelVariance {
    /// `T^2`, and zero for an estimate below zero: no variance is negative.
    #[must_use]
    pub fn clipped(&self) -> f64 {
        self.own.max(0.0)
    }

    /// Whether `T^2` came out below zero.
    #[must_use]
    pub fn is_below_zero(&self) -> bool {
        self.own < 0.0
    }
}

/// Variances of nested values, in the square of their unit.
#[derive(Debug, Clone, PartialEq)]
pub struct NestedVariances {
    /// From the lowest level (single values in their group) up to the highest.
    pub levels: Vec<LevelVariance>,
    /// Mean of all values, each with the same weight.
    pub mean: f64,
    /// Number of values.
    pub count: usize,
}

/// Variance by level of the values in `root`, one level for each depth of groups: a root whose
/// groups (rounds) hold groups (blocks) of values (chunks) has three.
///
/// Balanced: `S_i^2` is the mean over groups of the sample variance of level i's means, and
/// `T_1^2 = S_1^2`, `T_i^2 = S_i^2 - S_(i-1)^2 / r_(i-1)` with `r` units in a group (T. Kalibera
/// and R. Jones, "Rigorous benchmarking in reasonable time", ISMM 2013). Unbalanced:
/// the analysis of variance of nested classes by the method of moments, whose sums of squares
/// are set equal to their expectations (D. A. Gates and C. Shiue, "The analysis of variance of
/// the s-stage hierarchical classification", Biometrics 18 (1962); S. R. Searle, G. Casella and
/// C. E. McCulloch, Variance Components, 1992); where every group holds as many it
/// is the balanced formula. `S_i^2` is then the mean square over the effective number of values
/// in a unit.
///
/// `T_i^2` is taken from the unclipped `S^2` below it: an estimate below zero stays where it
/// is, and [`LevelVariance::clipped`] leaves it out.
///
/// `None` when leaves lie at different depths, a level has no degree of freedom (a single round,
/// blocks of one chunk each), a group is empty, or a value is not finite.
#[must_use]
pub fn nested_variances(root: &Nested) -> Option<NestedVariances> {
    let depth = depth_of(root)?;
    if depth == 0 {
        return None;
    }
    let first = first_value(root)?;
    let mut walk = Walk {
        first,
        squares: vec![Vec::new(); depth],
        units: vec![0; depth + 1],
        shares: vec![vec![0.0; depth + 1]; depth + 1],
    };
    let whole = walk.visit(root, depth);
    let count = whole.counts[0];
    let mut levels: Vec<LevelVariance> = Vec::with_capacity(depth);
    for level in 0..depth {
        let freedom = walk.units[level].checked_sub(walk.units[level + 1])?;
        if freedom == 0 {
            return None;
        }
        let mean_square = sum(&walk.squares[level]) / freedom as f64;
        // expectation of the mean square: a weight for each level up to this one
        let weight =
            |of: usize| (walk.shares[level][of] - walk.shares[level + 1][of]) / freedom as f64;
        let below: Vec<f64> =
            levels.iter().enumerate().map(|(of, lower)| weight(of) * lower.own).collect();
        let effective = weight(level);
        let found = LevelVariance {
            biased: mean_square / effective,
            own: (mean_square - sum(&below)) / effective,
            freedom: u32::try_from(freedom).ok()?,
        };
        if !(found.biased.is_finite() && found.own.is_finite()) {
            return None;
        }
        levels.push(found);
    }
    Some(NestedVariances { levels, mean: first + whole.total / count, count: walk.units[0] })
}

/// Depth of every leaf; `None` when they differ or a group is empty.
fn depth_of(node: &Nested) -> Option<usize> {
    match node {
        Nested::Value(value) => value.is_finite().then_some(0),
        Nested::Group(parts) => {
            let mut depths = parts.iter().map(depth_of);
            let first = depths.next()??;
            depths.all(|depth| depth == Some(first)).then_some(first + 1)
        }
    }
}

fn first_value(node: &Nested) -> Option<f64> {
    match node {
        Nested::Value(value) => Some(*value),
        Nested::Group(parts) => parts.first().and_then(first_value),
    }
}

/// A unit of some level, seen from above.
struct Unit {
    /// Sum of its values, less `first` each.
    total: f64,
    /// For each level up to its own, the sum over units of that level within it of their number
    /// of values, squared; at level 0 that is its own number of values.
    counts: Vec<f64>,
}

struct Walk {
    /// Taken off every value, so that equal values have no variance at all.
    first: f64,
    /// For each level, the squares that its sum of squares is made of.
    squares: Vec<Vec<f64>>,
    /// Units at each level; the root is one of the highest.
    units: Vec<usize>,
    /// For units of a level (first index), the sum of `counts[of] / values` over them.
    shares: Vec<Vec<f64>>,
}

impl Walk {
    fn visit(&mut self, node: &Nested, level: usize) -> Unit {
        self.units[level] += 1;
        let unit = match node {
            Nested::Value(value) => Unit { total: value - self.first, counts: vec![1.0] },
            Nested::Group(parts) => {
                let parts: Vec<Unit> =
                    parts.iter().map(|part| self.visit(part, level - 1)).collect();
                let total = sum(&parts.iter().map(|part| part.total).collect::<Vec<f64>>());
                let values: f64 = parts.iter().map(|part| part.counts[0]).sum();
                let centre = total / values;
                for part in &parts {
                    let distance = part.total / part.counts[0] - centre;
                    self.squares[level - 1].push(part.counts[0] * distance * distance);
                }
                let mut counts: Vec<f64> =
                    (0..level).map(|of| parts.iter().map(|part| part.counts[of]).sum()).collect();
                counts.push(values * values);
                Unit { total, counts }
            }
        };
        for of in 0..self.shares[level].len() {
            // a level above this unit's own has it whole
            let own = unit.counts.get(of).copied();
            let values = unit.counts[0];
            self.shares[level][of] += own.map_or(values, |own| own / values);
        }
        unit
    }
}

#[cfg(test)]
mod tests {
    use super::{Nested, nested_variances};
    use crate::{Draws, mean};

    fn values(values: &[f64]) -> Nested {
        Nested::Group(values.iter().copied().map(Nested::Value).collect())
    }

    fn published() -> Nested {
        Nested::Group(vec![
            Nested::Group(vec![values(&[9.0, 5.0]), values(&[8.0, 3.0])]),
            Nested::Group(vec![values(&[10.0, 6.0]), values(&[7.0, 11.0])]),
            Nested::Group(vec![values(&[1.0, 12.0]), values(&[2.0, 4.0])]),
        ])
    }

    #[test]
    fn as_published_by_kalibera_and_jones() {
        let found = nested_variances(&published()).unwrap();
        // Printed: S2 16.5, 2.6, 3.6 and T2 16.5, -5.7, 2.3. By hand: pairs vary by 8, 12.5, 8,
        // 8, 60.5, 2 (mean 16.5), their means by 1.125, 0.5, 6.125 (mean 31/12), those of the
        // three by 57/16.
        let biased = [16.5, 31.0 / 12.0, 57.0 / 16.0];
        let own = [16.5, 31.0 / 12.0 - 8.25, 57.0 / 16.0 - 31.0 / 24.0];
        for (level, (biased, own)) in found.levels.iter().zip(biased.into_iter().zip(own)) {
            assert!((level.biased - biased).abs() < 1e-13, "{level:?} {biased}");
            assert!((level.own - own).abs() < 1e-13, "{level:?} {own}");
        }
        let printed = |value: f64| format!("{value:.1}");
        let all = |of: fn(&super::LevelVariance) -> f64| -> Vec<String> {
            found.levels.iter().map(|level| printed(of(level))).collect()
        };
        assert_eq!(all(|level| level.biased), ["16.5", "2.6", "3.6"]);
        assert_eq!(all(|level| level.own), ["16.5", "-5.7", "2.3"]);
        assert_eq!(found.levels.iter().map(|level| level.freedom).collect::<Vec<_>>(), [6, 3, 2]);
        assert_eq!((found.mean, found.count), (6.5, 12));
    }

    #[test]
    fn an_estimate_below_zero_is_clipped_and_does_not_reach_the_next_level() {
        let found = nested_variances(&published()).unwrap();
        assert!(found.levels[1].is_below_zero());
        assert_eq!(found.levels[1].clipped(), 0.0);
        // the level above is as printed, made from S2 and not from the clipped one
        assert!(!found.levels[2].is_below_zero());
        assert_eq!(found.levels[2].clipped(), found.levels[2].own);
    }

    #[test]
    fn two_unbalanced_levels_as_by_hand() {
        // Groups (1, 3) and (2, 4, 9): SS within 2 + 26 = 28 on 3; means 2 and 5, total 3.8, SS
        // between 2 * 1.8^2 + 3 * 1.2^2 = 10.8 on 1; effective count (5 - 13 / 5) / 1 = 2.4.
        let tree = Nested::Group(vec![values(&[1.0, 3.0]), values(&[2.0, 4.0, 9.0])]);
        let found = nested_variances(&tree).unwrap();
        let [within, between] = found.levels[..] else { panic!("{found:?}") };
        assert!((within.own - 28.0 / 3.0).abs() < 1e-13);
        assert!((between.biased - 10.8 / 2.4).abs() < 1e-13);
        assert!((between.own - (10.8 - 28.0 / 3.0) / 2.4).abs() < 1e-13);
        assert_eq!((within.freedom, between.freedom), (3, 1));
    }

    /// Rounds of 2 to 5 blocks of 1 to 4 chunks with standard deviations 1, 2 and 3.
    fn unbalanced(draws: &mut Draws, rounds: usize) -> Nested {
        let round = |index: usize, draws: &mut Draws| {
            let of_round = draws.normal() * 3.0;
            let blocks = (0..2 + index % 4).map(|block| {
                let of_block = of_round + draws.normal() * 2.0;
                let chunks = 1 + (index + block) % 4;
                values(&(0..chunks).map(|_| of_block + draws.normal()).collect::<Vec<f64>>())
            });
            Nested::Group(blocks.collect())
        };
        Nested::Group((0..rounds).map(|index| round(index, draws)).collect())
    }

    #[test]
    fn unbalanced_estimates_are_unbiased_at_every_level() {
        let mut draws = Draws::new(11, "nested");
        let found: Vec<Vec<f64>> = (0..400)
            .map(|_| {
                let found = nested_variances(&unbalanced(&mut draws, 12)).unwrap();
                found.levels.iter().map(|level| level.own).collect()
            })
            .collect();
        for (level, right) in [1.0, 4.0, 9.0].into_iter().enumerate() {
            let all: Vec<f64> = found.iter().map(|levels| levels[level]).collect();
            // standard errors of these means: 0.5, 2 and 2.5 %
            let ratio = mean(&all).unwrap() / right;
            assert!((ratio - 1.0).abs() < 0.08, "level {level}: {ratio}");
        }
    }

    #[test]
    fn equal_values_have_no_variance_and_no_nan() {
        let round = Nested::Group(vec![values(&[0.1; 3]), values(&[0.1; 7])]);
        let found = nested_variances(&Nested::Group(vec![round.clone(), round])).unwrap();
        assert!(found.levels.iter().all(|level| (level.biased, level.own) == (0.0, 0.0)));
        let many = Nested::Group(vec![values(&[0.1; 500_000]), values(&[0.1; 500_000])]);
        let found = nested_variances(&many).unwrap();
        assert!(found.levels.iter().all(|level| level.own == 0.0));
        assert_eq!(found.mean, 0.1);
    }

    #[test]
    fn what_cannot_be_told_apart_has_none() {
        let none = [
            Nested::Value(1.0),
            Nested::Group(Vec::new()),
            values(&[1.0]),
            // one round; blocks of one chunk each; an empty block; unlike depths
            Nested::Group(vec![values(&[1.0, 2.0])]),
            Nested::Group(vec![values(&[1.0]), values(&[2.0])]),
            Nested::Group(vec![values(&[1.0, 2.0]), values(&[])]),
            Nested::Group(vec![values(&[1.0, 2.0]), Nested::Value(1.0)]),
            Nested::Group(vec![values(&[1.0, f64::NAN]), values(&[1.0, 2.0])]),
            Nested::Group(vec![values(&[1.0, f64::INFINITY]), values(&[1.0, 2.0])]),
            Nested::Group(vec![values(&[1e300, -1e300]), values(&[1.0, 2.0])]),
        ];
        for tree in none {
            assert_eq!(nested_variances(&tree), None, "{tree:?}");
        }
        let two = nested_variances(&values(&[1.0, 3.0])).unwrap();
        assert_eq!((two.levels[0].own, two.levels[0].freedom), (2.0, 1));
    }
}
