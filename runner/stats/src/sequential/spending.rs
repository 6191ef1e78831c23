//! How much error is spent by a share of the information.

use crate::normal::{normal_upper, normal_upper_quantile};

/// Error of both sides together that may be spent by the share `information` (0 to 1; all of it
/// beyond) of a two-sided error `alpha`, in the manner of O'Brien and Fleming: each side spends
/// `2 (1 - Phi(z(a / 2) / sqrt(information)))` of its own `a = alpha / 2`. May underflow to 0 early
/// on. `None` unless `alpha` lies strictly between 0 and 1, or for NaN or a negative share.
///
/// Source: K. K. G. Lan and D. L. DeMets, Biometrika 70 (1983), their first function.
#[must_use]
pub fn obrien_fleming_spending(alpha: f64, information: f64) -> Option<f64> {
    let share = share(alpha, information)?;
    if share == 0.0 {
        return Some(0.0);
    }
    if share == 1.0 {
        return Some(alpha);
    }
    let z = normal_upper_quantile(alpha / 4.0)?;
    Some(4.0 * normal_upper(z / libm::sqrt(share)))
}

/// The same in the manner of Pocock: `alpha ln(1 + (e - 1) information)`.
///
/// Source: as above, their second function.
#[must_use]
pub fn pocock_spending(alpha: f64, information: f64) -> Option<f64> {
    let share = share(alpha, information)?;
    if share == 1.0 {
        return Some(alpha);
    }
    Some(alpha * libm::log1p((std::f64::consts::E - 1.0) * share))
}

fn share(alpha: f64, information: f64) -> Option<f64> {
    (alpha > 0.0 && alpha < 1.0 && information >= 0.0).then(|| information.min(1.0))
}

#[cfg(test)]
mod tests {
    use super::{obrien_fleming_spending, pocock_spending};

    #[test]
    fn nothing_at_the_start_and_all_at_the_end() {
        for spending in [obrien_fleming_spending, pocock_spending] {
            assert_eq!(spending(0.05, 0.0), Some(0.0));
            assert_eq!(spending(0.05, 1.0), Some(0.05));
            assert_eq!(spending(0.05, 1.5), Some(0.05));
            let mut before = 0.0;
            for step in 1..=100 {
                let now = spending(0.05, f64::from(step) / 100.0).unwrap();
                assert!(now >= before, "{step}");
                before = now;
            }
            // no jump at the end
            assert!((spending(0.05, 1.0 - 1e-12).unwrap() - 0.05).abs() < 1e-12);
        }
        assert_eq!(obrien_fleming_spending(0.05, 0.001), Some(0.0));
    }

    #[test]
    fn arguments_outside_have_none() {
        for spending in [obrien_fleming_spending, pocock_spending] {
            for alpha in [0.0, 1.0, -1.0, f64::NAN] {
                assert_eq!(spending(alpha, 0.5), None);
            }
            assert_eq!(spending(0.05, -0.1), None);
            assert_eq!(spending(0.05, f64::NAN), None);
        }
    }
}
