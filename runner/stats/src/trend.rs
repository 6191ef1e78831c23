//! Drift: whether a series rises or falls from its first value to its last.

use super::spread::mean;
use super::student::student_two_sided_p;
use super::sum::sum;

/// A straight line through a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trend {
    /// Change from the first place to the last along the line, in the unit of the values.
    pub change: f64,
    /// Two-sided p of no trend; `None` under three values and where nothing varies.
    pub p: Option<f64>,
}

/// The least-squares line of `values` over their places 0, 1, 2, …, with the t test of its
/// slope on n - 2 degrees of freedom. The test takes the values for independent and normal:
/// [`mann_kendall`] needs the first alone. `None` under two values or for values that are not
/// finite.
///
/// Source: N. R. Draper and H. Smith, Applied Regression Analysis, chapter 1.
#[must_use]
pub fn linear_trend(values: &[f64]) -> Option<Trend> {
    if values.len() < 2 || values.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let first = *values.first()?;
    let shifted: Vec<f64> = values.iter().map(|value| value - first).collect();
    let centre = mean(&shifted)?;
    let middle = (values.len() - 1) as f64 / 2.0;
    let places: Vec<f64> = (0..values.len()).map(|place| place as f64 - middle).collect();
    let squares = sum(&places.iter().map(|place| place * place).collect::<Vec<f64>>());
    let products: Vec<f64> =
        places.iter().zip(&shifted).map(|(place, value)| place * (value - centre)).collect();
    let slope = sum(&products) / squares;
    let change = slope * (values.len() - 1) as f64;
    if !change.is_finite() {
        return None;
    }
    let rest: Vec<f64> = places
        .iter()
        .zip(&shifted)
        .map(|(place, value)| {
            let distance = value - centre - slope * place;
            distance * distance
        })
        .collect();
    let freedom = values.len() as f64 - 2.0;
    let error = libm::sqrt(sum(&rest) / freedom / squares);
    let p = match (freedom > 0.0, slope == 0.0, error > 0.0) {
        (false, ..) | (true, true, false) => None,
        // a line without any rest: division gives the infinity that it is
        (true, ..) => student_two_sided_p(slope / error, freedom),
    };
    Some(Trend { change, p })
}

/// Kendall's rank correlation of a series with time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MannKendall {
    /// Pairs that rise less pairs that fall, over all pairs: -1 to 1.
    pub tau: f64,
    /// Two-sided p of no trend; `None` where all values are equal.
    pub p: Option<f64>,
}

/// The test of Mann and Kendall for a monotone trend, which one stalled value cannot tip: by
/// the normal approximation with ties and continuity corrected for. It needs independent values
/// and no distribution. `None` under three values or for a NaN.
///
/// Source: M. G. Kendall, Rank Correlation Methods (1975); H. B. Mann, Econometrica 13
/// (1945).
#[must_use]
pub fn mann_kendall(values: &[f64]) -> Option<MannKendall> {
    if values.len() < 3 || values.iter().any(|value| value.is_nan()) {
        return None;
    }
    let mut ordered: Vec<f64> = values.to_vec();
    let falling = sorted_inversions(&mut ordered) as f64;
    let count = values.len() as f64;
    let pairs = count * (count - 1.0) / 2.0;
    let cube = |count: f64| count * (count - 1.0) * (2.0 * count + 5.0);
    let (mut tied_pairs, mut tied_cubes) = (0.0, 0.0);
    for tie in ordered.chunk_by(|one, other| one == other).map(|tie| tie.len() as f64) {
        tied_pairs += tie * (tie - 1.0) / 2.0;
        tied_cubes += cube(tie);
    }
    let score = pairs - tied_pairs - 2.0 * falling;
    let variance = (cube(count) - tied_cubes) / 18.0;
    let p = (variance > 0.0).then(|| {
        let z = (score.abs() - 1.0).max(0.0) / libm::sqrt(variance);
        libm::erfc(z / std::f64::consts::SQRT_2)
    });
    Some(MannKendall { tau: score / pairs, p })
}

/// Sorts, and counts the pairs of which the earlier value was the greater.
fn sorted_inversions(values: &mut [f64]) -> u64 {
    if values.len() < 2 {
        return 0;
    }
    let (front, back) = values.split_at_mut(values.len() / 2);
    let mut inversions = sorted_inversions(front) + sorted_inversions(back);
    let mut merged = Vec::with_capacity(front.len() + back.len());
    let (mut left, mut right) = (0, 0);
    while left < front.len() && right < back.len() {
        if front[left] <= back[right] {
            merged.push(front[left]);
            left += 1;
        } else {
            inversions += (front.len() - left) as u64;
            merged.push(back[right]);
            right += 1;
        }
    }
    merged.extend_from_slice(&front[left..]);
    merged.extend_from_slice(&back[right..]);
    values.copy_from_slice(&merged);
    inversions
}

#[cfg(test)]
mod tests {
    use super::{linear_trend, mann_kendall};

    const SERIES: [f64; 8] = [1.0, 2.5, 2.0, 4.1, 3.9, 4.1, 6.0, 5.2];

    #[test]
    fn as_scipy_has_them() {
        // SciPy: linregress; 2 norm.sf((21 - 1) / sqrt(variance)) with 21 pairs more that rise, and
        // one tie of two.
        let line = linear_trend(&SERIES).unwrap();
        assert!((line.change - 4.416_666_666_666_666).abs() < 1e-12, "{line:?}");
        assert!((line.p.unwrap() / 0.000_904_839_220_735_979_7 - 1.0).abs() < 1e-9, "{line:?}");
        let ranks = mann_kendall(&SERIES).unwrap();
        assert!((ranks.tau - 21.0 / 28.0).abs() < 1e-15, "{ranks:?}");
        assert!((ranks.p.unwrap() / 0.012_648_527_380_247_998 - 1.0).abs() < 1e-9, "{ranks:?}");
    }

    #[test]
    fn a_stall_tips_the_line_and_not_the_ranks() {
        let mut values: Vec<f64> = (0..40).map(|place| f64::from(place * 3 % 5)).collect();
        values[38] = 500.0;
        assert!(linear_trend(&values).unwrap().change > 20.0);
        assert!(mann_kendall(&values).unwrap().p.unwrap() > 0.4);
    }

    #[test]
    fn short_flat_and_broken_series_are_defined() {
        for none in [&[][..], &[1.0]] {
            assert_eq!(linear_trend(none), None);
            assert_eq!(mann_kendall(none), None);
        }
        let two = linear_trend(&[1.0, 3.0]).unwrap();
        assert_eq!((two.change, two.p), (2.0, None));
        assert_eq!(mann_kendall(&[1.0, 3.0]), None);
        for bad in [f64::NAN, f64::INFINITY] {
            assert_eq!(linear_trend(&[1.0, bad, 2.0]), None);
        }
        assert_eq!(mann_kendall(&[1.0, f64::NAN, 2.0]), None);
        assert!(mann_kendall(&[1.0, f64::INFINITY, 2.0]).is_some());
        let flat = vec![0.1; 1_000_000];
        let line = linear_trend(&flat).unwrap();
        assert_eq!((line.change, line.p), (0.0, None));
        let ranks = mann_kendall(&flat).unwrap();
        assert_eq!((ranks.tau, ranks.p), (0.0, None));
        let straight = linear_trend(&[1.0, 2.0, 3.0, 4.0]).unwrap();
        assert_eq!((straight.change, straight.p), (3.0, Some(0.0)));
    }
}
