//! The statistics against values that other programs computed (`testdata/paired.json`) and
//! that papers printed.

use serde::Deserialize;

use super::{holm, log_ratios, mean, sign_counts, standard_deviation, t_interval};

#[derive(Deserialize)]
struct Reference {
    paired: Vec<Case>,
    holm: Family,
}

#[derive(Deserialize)]
struct Family {
    p: Vec<f64>,
    adjusted: Vec<f64>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    baseline: Vec<f64>,
    treatment: Vec<f64>,
    expected: Expected,
}

#[derive(Deserialize)]
struct Expected {
    mean_log_ratio: f64,
    ratio: f64,
    sd: Option<f64>,
    sd_absolute_tolerance: Option<f64>,
    t: Option<f64>,
    t_p_two_sided: Option<f64>,
    t_ci_90: Option<[f64; 2]>,
    t_ci_95: Option<[f64; 2]>,
    t_ci_99: Option<[f64; 2]>,
    sign_agree: Option<[u32; 3]>,
}

fn reference() -> Reference {
    serde_json::from_str(include_str!("testdata/paired.json")).unwrap()
}

impl Case {
    fn differences(&self) -> Vec<f64> {
        log_ratios(&self.treatment, &self.baseline).unwrap()
    }
}

/// Relative 1e-9, and for values near zero absolute 1e-15.
fn close(name: &str, found: f64, right: f64) {
    let tolerance = 1e-9 * right.abs() + 1e-15;
    assert!((found - right).abs() <= tolerance, "{name}: found {found}, right {right}");
}

#[test]
fn every_case_has_its_mean_ratio_and_spread() {
    for case in reference().paired {
        let differences = case.differences();
        let estimate = mean(&differences).unwrap();
        close(&case.name, estimate, case.expected.mean_log_ratio);
        close(&case.name, libm::exp(estimate), case.expected.ratio);
        match (standard_deviation(&differences), case.expected.sd) {
            (Some(found), Some(right)) => {
                let least = case.expected.sd_absolute_tolerance.unwrap_or(0.0);
                let tolerance = least.max(1e-9 * right);
                assert!((found - right).abs() <= tolerance, "{}: {found} {right}", case.name);
            }
            (found, right) => assert_eq!(found, right, "{}", case.name),
        }
    }
}

#[test]
fn every_case_has_its_t_p_and_intervals() {
    let mut checked = 0;
    for case in reference().paired {
        let differences = case.differences();
        let Some(right) = case.expected.t else { continue };
        let found = t_interval(&differences, 95.0).unwrap();
        close(&case.name, found.t.unwrap(), right);
        close(&case.name, found.p.unwrap(), case.expected.t_p_two_sided.unwrap());
        let intervals = [
            (90.0, case.expected.t_ci_90),
            (95.0, case.expected.t_ci_95),
            (99.0, case.expected.t_ci_99),
        ];
        for (confidence, right) in intervals {
            let found = t_interval(&differences, confidence).unwrap();
            let [lo, hi] = right.unwrap();
            close(&case.name, found.lo, lo);
            close(&case.name, found.hi, hi);
        }
        checked += 1;
    }
    assert_eq!(checked, 10);
}

#[test]
fn every_case_has_its_signs() {
    for case in reference().paired {
        let Some([positive, negative, zero]) = case.expected.sign_agree else { continue };
        let found = sign_counts(&case.differences());
        assert_eq!([found.positive, found.negative, found.zero], [positive, negative, zero]);
    }
}

#[test]
fn holm_as_elsewhere() {
    let family = reference().holm;
    let given: Vec<Option<f64>> = family.p.iter().copied().map(Some).collect();
    for (found, right) in holm(&given).into_iter().zip(family.adjusted) {
        close("holm", found.unwrap(), right);
    }
}
