//! Expectations over the standard deviation that a sample will show.

use crate::gauss_legendre::nodes;

/// `e^-x` bounds what is left out on either side: 4e-18.
const LEFT_OUT: f64 = 40.0;

/// Width of a panel of ten points in standard deviations of the spread; half of it changes no
/// power by 1e-11 (tested).
const PANEL: f64 = 1.5;

/// Beyond this many of its widths a transition is over.
const TRANSITION: f64 = 9.0;

/// A place near which a function of the spread turns, with the width of the turn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turn {
    pub at: f64,
    pub width: f64,
}

/// The expectation of `function(s)`, where `s` is the sample's standard deviation over the true
/// one, with `freedom` degrees of freedom: `s^2 freedom` is chi-squared. Only `s` below `most`
/// count (infinite: all); `turns` are where the function bends more sharply than the density.
/// `None` unless `freedom` is finite and 1 or more.
///
/// Source of the range: B. Laurent and P. Massart, Annals of Statistics 28 (2000), lemma 1. The
/// density's factor comes from the same nodes, so that it needs no gamma function.
pub(super) fn expectation(
    freedom: f64,
    most: f64,
    turns: &[Turn],
    function: impl Fn(f64) -> f64,
) -> Option<f64> {
    expectation_with(PANEL, freedom, most, turns, function)
}

fn expectation_with(
    panel: f64,
    freedom: f64,
    most: f64,
    turns: &[Turn],
    function: impl Fn(f64) -> f64,
) -> Option<f64> {
    if !(freedom.is_finite() && freedom >= 1.0) {
        return None;
    }
    let away = 2.0 * libm::sqrt(LEFT_OUT / freedom);
    let lo = libm::sqrt((1.0 - away).max(0.0));
    let hi = libm::sqrt(1.0 + away + 2.0 * LEFT_OUT / freedom);
    let deviation = panel / libm::sqrt(2.0 * freedom);
    // relative to the density at 1, so that no number of degrees of freedom overflows
    let density = |s: f64| {
        let log = (freedom - 1.0) * libm::log(s) - freedom * (s * s - 1.0) / 2.0;
        libm::exp(log)
    };
    let whole: f64 =
        nodes(lo, hi, deviation).iter().map(|node| node.weight * density(node.at)).sum();
    let end = hi.min(most);
    if most.is_nan() {
        return None;
    }
    if end <= lo {
        return Some(0.0);
    }
    let mut cuts = vec![lo, end];
    for turn in turns {
        for cut in [turn.at - TRANSITION * turn.width, turn.at + TRANSITION * turn.width] {
            if cut > lo && cut < end {
                cuts.push(cut);
            }
        }
    }
    cuts.sort_by(f64::total_cmp);
    let mut part = 0.0;
    for pair in cuts.windows(2) {
        let middle = (pair[0] + pair[1]) / 2.0;
        let within = |turn: &&Turn| (middle - turn.at).abs() < TRANSITION * turn.width;
        let width =
            turns.iter().filter(within).map(|turn| panel * turn.width).fold(deviation, f64::min);
        part += nodes(pair[0], pair[1], width)
            .iter()
            .map(|node| node.weight * density(node.at) * function(node.at))
            .sum::<f64>();
    }
    let found = part / whole;
    found.is_finite().then_some(found)
}

#[cfg(test)]
mod tests {
    use super::{PANEL, Turn, expectation, expectation_with};
    use crate::normal::normal_upper;

    #[test]
    fn moments_that_are_known() {
        for freedom in [1.0, 2.0, 3.0, 7.0, 31.0, 1e3, 1e6] {
            let all = |f: &dyn Fn(f64) -> f64| expectation(freedom, f64::INFINITY, &[], f).unwrap();
            assert!((all(&|_| 1.0) - 1.0).abs() < 1e-14, "{freedom}");
            assert!((all(&|s| s * s) - 1.0).abs() < 1e-12, "{freedom}");
            // E s^4 = 1 + 2 / freedom
            assert!((all(&|s| s * s * s * s) - 1.0 - 2.0 / freedom).abs() < 1e-12, "{freedom}");
        }
    }

    #[test]
    fn half_the_panels_change_nothing() {
        for freedom in [1.0, 2.0, 5.0, 15.0, 200.0] {
            for slope in [0.5, 2.3, 60.0, 1e5] {
                let turn = [Turn { at: 1.5 / slope, width: 1.0 / slope }];
                let at = |panel| {
                    expectation_with(panel, freedom, f64::INFINITY, &turn, |s| {
                        normal_upper(slope * s - 1.5)
                    })
                    .unwrap()
                };
                assert!((at(PANEL) - at(PANEL / 2.0)).abs() < 1e-12, "{freedom} {slope}");
            }
        }
    }

    #[test]
    fn a_range_that_is_empty_gives_zero_and_no_freedom_gives_none() {
        assert_eq!(expectation(5.0, 0.0, &[], |_| 1.0), Some(0.0));
        assert_eq!(expectation(5.0, -1.0, &[], |_| 1.0), Some(0.0));
        for freedom in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(expectation(freedom, 1.0, &[], |_| 1.0), None);
        }
    }
}
