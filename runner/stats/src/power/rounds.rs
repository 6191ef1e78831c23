//! The effect that a number of values resolves, and the number that an effect needs.

use std::ops::RangeInclusive;

use super::chances::{DecisionChances, decision_chances};
use crate::root::root;

/// Doublings within which an effect is sought: 2^40 standard errors.
const WIDENINGS: u32 = 40;

/// The least true effect, in the unit of `sd` and `margin`, whose interval lies above the margin
/// with a chance of `power` (strictly between 0 and 1) or more: what `n` values resolve. With no
/// spread the margin itself. `None` for arguments outside, as in [`decision_chances`].
#[must_use]
pub fn resolvable_effect(n: u32, sd: f64, margin: f64, alpha: f64, power: f64) -> Option<f64> {
    let unit = sd / libm::sqrt(f64::from(n));
    let win = |above: f64| Some(decision_chances(n, margin + above, sd, margin, alpha)?.win);
    if sd == 0.0 {
        win(0.0)?;
        return (power > 0.0 && power < 1.0).then_some(margin);
    }
    Some(margin + least_effect(unit, power, win)?)
}

/// The least number of values within `numbers` whose interval lies within the margins with a chance
/// of `power` or more when `effect` is true. `None` when none has (as when the effect is no smaller
/// than the margin), or for arguments outside.
#[must_use]
pub fn rounds_for_level(
    effect: f64,
    sd: f64,
    margin: f64,
    alpha: f64,
    power: f64,
    numbers: RangeInclusive<u32>,
) -> Option<u32> {
    let level = |chances: DecisionChances| chances.level;
    least_number(numbers, power, |n| decision_chances(n, effect, sd, margin, alpha).map(level))
}

/// The same for an interval above the margin; below minus the margin for a negative effect.
#[must_use]
pub fn rounds_for_win(
    effect: f64,
    sd: f64,
    margin: f64,
    alpha: f64,
    power: f64,
    numbers: RangeInclusive<u32>,
) -> Option<u32> {
    let win = |chances: DecisionChances| chances.win;
    least_number(numbers, power, |n| decision_chances(n, effect.abs(), sd, margin, alpha).map(win))
}

/// The first number whose chance is `power` or more, where chances grow with the number.
pub(super) fn least_number(
    numbers: RangeInclusive<u32>,
    power: f64,
    chance: impl Fn(u32) -> Option<f64>,
) -> Option<u32> {
    if !(power > 0.0 && power < 1.0) {
        return None;
    }
    // Powers of two away from the start, so that a small answer under a high cap is cheap.
    let (first, cap) = (*numbers.start(), *numbers.end());
    let enough = |n: u32| Some(chance(n)? >= power);
    let (mut too_few, mut step) = (None, 1_u32);
    let mut will_do = first;
    while will_do <= cap && !enough(will_do)? {
        if will_do == cap {
            return None;
        }
        too_few = Some(will_do);
        will_do = will_do.saturating_add(step).min(cap);
        step = step.saturating_mul(2);
    }
    if will_do > cap {
        return None;
    }
    let Some(mut too_few) = too_few else { return Some(will_do) };
    while will_do - too_few > 1 {
        let middle = too_few + (will_do - too_few) / 2;
        if enough(middle)? {
            will_do = middle;
        } else {
            too_few = middle;
        }
    }
    Some(will_do)
}

/// The least effect from 0 on whose chance is `power` or more, where chances grow with the effect;
/// `unit` is one of its standard errors.
pub(super) fn least_effect(
    unit: f64,
    power: f64,
    chance: impl Fn(f64) -> Option<f64>,
) -> Option<f64> {
    if !(power > 0.0 && power < 1.0) {
        return None;
    }
    if chance(0.0)? >= power {
        return Some(0.0);
    }
    let excess = |effect: f64| chance(effect).unwrap_or(f64::NAN) - power;
    let (mut lo, mut hi) = (0.0, 4.0 * unit);
    for _ in 0..WIDENINGS {
        if chance(hi)? >= power {
            return root(lo, hi, excess);
        }
        lo = hi;
        hi *= 2.0;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{resolvable_effect, rounds_for_level, rounds_for_win};
    use crate::decision_chances;

    #[test]
    fn the_resolvable_effect_has_the_power() {
        for power in [0.8, 0.9] {
            let effect = resolvable_effect(16, 0.015, 0.02, 0.05, power).unwrap();
            let found = decision_chances(16, effect, 0.015, 0.02, 0.05).unwrap();
            assert!((found.win - power).abs() < 1e-9, "{found:?}");
        }
        assert_eq!(resolvable_effect(16, 0.0, 0.02, 0.05, 0.8), Some(0.02));
        assert_eq!(resolvable_effect(16, 0.015, 0.02, 0.05, 0.01), Some(0.02));
        // two values: a quantile of 12.7 on one degree of freedom
        assert!(resolvable_effect(2, 0.015, 0.02, 0.05, 0.8).unwrap() > 0.15);
    }

    #[test]
    fn the_rounds_are_the_least_that_do() {
        let level = |n| decision_chances(n, 0.0, 0.03, 0.02, 0.05).unwrap().level;
        let n = rounds_for_level(0.0, 0.03, 0.02, 0.05, 0.8, 3..=200).unwrap();
        assert!(level(n) >= 0.8 && level(n - 1) < 0.8, "{n}");
        let n = rounds_for_win(0.05, 0.03, 0.02, 0.05, 0.9, 3..=200).unwrap();
        assert_eq!(rounds_for_win(-0.05, 0.03, 0.02, 0.05, 0.9, 3..=200), Some(n));
        assert!(decision_chances(n - 1, 0.05, 0.03, 0.02, 0.05).unwrap().win < 0.9);
        // every number at which the search could have stopped
        for cap in 3..=30 {
            let found = rounds_for_win(0.05, 0.03, 0.02, 0.05, 0.9, 3..=cap);
            assert_eq!(found, (cap >= n).then_some(n));
        }
        assert_eq!(rounds_for_win(0.5, 0.001, 0.02, 0.05, 0.8, 3..=200), Some(3));
    }

    #[test]
    fn what_no_number_reaches_has_none() {
        assert_eq!(rounds_for_level(0.02, 0.03, 0.02, 0.05, 0.8, 3..=100_000), None);
        assert_eq!(rounds_for_level(0.0, 0.03, 0.0, 0.05, 0.8, 3..=200), None);
        assert_eq!(rounds_for_win(0.02, 0.03, 0.02, 0.05, 0.8, 3..=200), None);
        assert_eq!(rounds_for_win(0.05, f64::NAN, 0.02, 0.05, 0.8, 3..=200), None);
        assert_eq!(rounds_for_win(0.05, 0.03, 0.02, 0.05, 1.0, 3..=200), None);
        #[expect(clippy::reversed_empty_ranges, reason = "an empty range is what is tested")]
        let empty = 5..=4;
        assert_eq!(rounds_for_win(0.05, 0.03, 0.02, 0.05, 0.8, empty), None);
        assert_eq!(resolvable_effect(1, 0.03, 0.02, 0.05, 0.8), None);
        assert_eq!(resolvable_effect(8, 0.03, -0.02, 0.05, 0.8), None);
        assert_eq!(resolvable_effect(8, f64::INFINITY, 0.02, 0.05, 0.8), None);
    }
}
