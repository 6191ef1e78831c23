//! Where a series shifts from one level to another.

use super::spread::mean;

/// Two-sided p at or below which a shift is taken for real when warm-up is looked for. It is
/// described and decides nothing, and every record has several series: one in a hundred.
const WARM_UP_P: f64 = 0.01;

/// The likeliest single shift of a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChangePoint {
    /// Values before it: 1 to n - 1.
    pub after: usize,
    /// Mean after it less mean before it, in the unit of the values.
    pub size: f64,
    /// Two-sided p of no shift, approximate.
    pub p: f64,
}

/// The place at which a series most likely shifts, by ranks: one stalled value cannot feign a
/// shift. `p = 2 exp(-6 K^2 / (n^3 + n^2))`, never over 1, which is conservative in short
/// series: under eleven values it cannot fall below 0.05. A steady drift is found as a shift too.
/// `None` under two values, for values that are not finite, and where no place stands out
/// (equal values).
///
/// Source: A. N. Pettitt, "A non-parametric approach to the change-point problem", Applied
/// Statistics 28 (1979), with midranks for ties.
#[must_use]
pub fn change_point(values: &[f64]) -> Option<ChangePoint> {
    if values.len() < 2 || values.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let ranks = doubled_midranks(values);
    let count = values.len() as i128;
    // U_t = 2 (ranks up to t) - t (n + 1), in whole numbers
    let mut up_to = 0_i128;
    let mut best = (0_i128, 0_usize);
    for (after, rank) in ranks.iter().take(values.len() - 1).enumerate() {
        up_to += i128::from(*rank) - (count + 1);
        if up_to.abs() > best.0 {
            best = (up_to.abs(), after + 1);
        }
    }
    let (greatest, after) = best;
    if greatest == 0 {
        return None;
    }
    let (before, behind) = values.split_at_checked(after)?;
    let size = mean(behind)? - mean(before)?;
    let (statistic, count) = (greatest as f64, count as f64);
    let exponent = -6.0 * statistic * statistic / (count * count * (count + 1.0));
    let p = (2.0 * libm::exp(exponent)).min(1.0);
    size.is_finite().then_some(ChangePoint { after, size, p })
}

/// Whether a shift in off's own speed (log rate, more is better) says that the run began before
/// the machine had warmed up: `shift` lies in the first half of `count` blocks, goes up, and has
/// p of 0.01 or less.
#[must_use]
pub fn is_warm_up(shift: &ChangePoint, count: usize) -> bool {
    shift.size > 0.0 && shift.p <= WARM_UP_P && shift.after * 2 <= count
}

/// Twice the rank of each value, ties sharing the mean of their ranks: whole numbers.
fn doubled_midranks(values: &[f64]) -> Vec<u64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|one, other| values[*one].total_cmp(&values[*other]));
    let mut ranks = vec![0; values.len()];
    let mut below = 0_u64;
    for tie in order.chunk_by(|one, other| values[*one] == values[*other]) {
        let many = tie.len() as u64;
        for place in tie {
            ranks[*place] = 2 * below + many + 1;
        }
        below += many;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::{change_point, is_warm_up};
    use crate::Draws;

    #[test]
    fn by_hand() {
        // ranks 1, 2, 4, 3, 5, 6: U = -5, -8, -7, -8, -5; the first greatest is after 2
        let found = change_point(&[1.0, 2.0, 4.0, 3.0, 5.0, 6.0]).unwrap();
        assert_eq!(found.after, 2);
        assert_eq!(found.size, 3.0);
        let right = 2.0 * (-6.0 * 64.0 / (216.0 + 36.0_f64)).exp();
        assert!((found.p - right).abs() < 1e-15, "{found:?} {right}");
    }

    #[test]
    fn a_shift_is_found_where_it_is() {
        let mut draws = Draws::new(29, "shift");
        let series: Vec<f64> =
            (0..90).map(|place| draws.normal() + if place < 20 { 0.0 } else { 2.0 }).collect();
        let found = change_point(&series).unwrap();
        assert!(found.after.abs_diff(20) <= 3, "{found:?}");
        assert!((found.size - 2.0).abs() < 0.7 && found.p < 1e-4, "{found:?}");
        assert!(is_warm_up(&found, series.len()));
        let falling: Vec<f64> = series.iter().map(|value| -value).collect();
        assert!(!is_warm_up(&change_point(&falling).unwrap(), series.len()));
        let late: Vec<f64> = falling.into_iter().rev().collect();
        assert!(!is_warm_up(&change_point(&late).unwrap(), series.len()), "in the second half");
    }

    #[test]
    fn without_a_shift_it_is_seldom_seen_and_a_stall_is_none() {
        let mut draws = Draws::new(31, "no shift");
        let seen = (0..1_000)
            .filter(|_| {
                let series: Vec<f64> = (0..40).map(|_| draws.normal()).collect();
                change_point(&series).unwrap().p <= 0.05
            })
            .count();
        assert!(seen <= 65, "{seen}");
        let mut series: Vec<f64> = (0..40).map(|_| draws.normal()).collect();
        let before = change_point(&series).unwrap();
        let top = series.iter().copied().fold(f64::MIN, f64::max);
        let place = series.iter().position(|value| *value == top).unwrap();
        series[place] = 1e6;
        let after = change_point(&series).unwrap();
        assert_eq!((before.after, before.p), (after.after, after.p));
    }

    #[test]
    fn short_flat_and_broken_series_are_defined() {
        for none in [&[][..], &[1.0], &[1.0, 1.0], &[1.0, f64::NAN], &[f64::INFINITY, 1.0]] {
            assert_eq!(change_point(none), None, "{none:?}");
        }
        assert_eq!(change_point(&vec![0.1; 1_000_000]), None);
        let two = change_point(&[1.0, 2.0]).unwrap();
        assert_eq!((two.after, two.size, two.p), (1, 1.0, 1.0));
    }
}
