//! The root of a monotone function.

/// Steps after which the best place so far is taken; bisection alone would need 60.
const MOST_STEPS: u32 = 100;

/// Where `function` passes zero between `lo` and `hi`, to 1e-13 of the place. `None` when it has
/// the same sign at both ends or is no number.
///
/// Source: the "Illinois" form of false position, M. Dowell and P. Jarratt, BIT 11 (1971), with
/// a bisection wherever the bracket was not halved in three steps.
pub(super) fn root(lo: f64, hi: f64, function: impl Fn(f64) -> f64) -> Option<f64> {
    let (mut left, mut right) = (lo, hi);
    let (mut at_left, mut at_right) = (function(lo), function(hi));
    if at_left == 0.0 {
        return Some(lo);
    }
    if at_right == 0.0 {
        return Some(hi);
    }
    if at_left.is_nan() || at_right.is_nan() || (at_left > 0.0) == (at_right > 0.0) {
        return None;
    }
    let mut width_before = right - left;
    for step in 1..=MOST_STEPS {
        let width = right - left;
        if width.abs() <= 1e-13 * left.abs().max(right.abs()) {
            break;
        }
        let slow = step % 3 == 0 && width.abs() > 0.5 * width_before.abs();
        if step % 3 == 0 {
            width_before = width;
        }
        let straight = left - at_left * width / (at_right - at_left);
        let within = straight > left.min(right) && straight < left.max(right);
        let place = if slow || !within { left + width / 2.0 } else { straight };
        let value = function(place);
        if value.is_nan() {
            return None;
        }
        if value == 0.0 {
            return Some(place);
        }
        if (value > 0.0) == (at_left > 0.0) {
            (left, at_left) = (place, value);
            at_right /= 2.0;
        } else {
            (right, at_right) = (left, at_left);
            (left, at_left) = (place, value);
        }
    }
    Some(left)
}

#[cfg(test)]
mod tests {
    use super::root;

    #[test]
    fn roots_that_are_known() {
        assert!((root(0.0, 2.0, |x| x * x - 2.0).unwrap() - 2_f64.sqrt()).abs() < 1e-12);
        assert!((root(2.0, 0.0, |x| x * x - 2.0).unwrap() - 2_f64.sqrt()).abs() < 1e-12);
        assert!((root(-5.0, 50.0, |x| x.exp() - 3.0).unwrap() - 3_f64.ln()).abs() < 1e-12);
        // flat for most of the way
        let flat = root(0.0, 1.0, |x| x.powi(41) - 1e-9).unwrap();
        assert!((flat.powi(41) / 1e-9 - 1.0).abs() < 1e-9, "{flat}");
        assert_eq!(root(1.0, 2.0, |x| x - 2.0), Some(2.0));
    }

    #[test]
    fn no_change_of_sign_has_none() {
        assert_eq!(root(0.0, 1.0, |x| x + 1.0), None);
        assert_eq!(root(0.0, 1.0, |_| f64::NAN), None);
    }
}
