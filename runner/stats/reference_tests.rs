//! The statistics against values that other programs computed (`testdata/paired.json`) and
//! that papers printed.

use serde::Deserialize;

use super::{
    SignedRankP, equivalence_p, hodges_lehmann, holm, log_of_percent, log_ratios, mean,
    sign_counts, sign_flip_exact_p, sign_test_p, signed_rank_p, standard_deviation, t_interval,
};

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
    /// As the reference saw them, where the last bits matter.
    differences: Option<Vec<f64>>,
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
    tost_p_within_2_percent: Option<f64>,
    sign_p_two_sided: Option<f64>,
    wilcoxon_exact_p_two_sided: Option<f64>,
    wilcoxon_approx_p_two_sided: Option<f64>,
    hodges_lehmann: Option<f64>,
    sign_flip_exact_p_two_sided: Option<f64>,
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
fn every_case_has_its_rank_and_sign_tests() {
    let (mut exact, mut approximate, mut flips, mut signs) = (0, 0, 0, 0);
    for case in reference().paired {
        let differences = case.differences.clone().unwrap_or_else(|| case.differences());
        match (case.expected.wilcoxon_exact_p_two_sided, case.expected.wilcoxon_approx_p_two_sided)
        {
            (Some(right), None) => {
                let Some(SignedRankP::Exact(found)) = signed_rank_p(&differences) else {
                    panic!("{}: not exact", case.name);
                };
                close(&case.name, found, right);
                exact += 1;
            }
            (None, Some(right)) => {
                let Some(SignedRankP::Approximate(found)) = signed_rank_p(&differences) else {
                    panic!("{}: not approximate", case.name);
                };
                close(&case.name, found, right);
                approximate += 1;
            }
            _ => {}
        }
        if let Some(right) = case.expected.sign_flip_exact_p_two_sided {
            close(&case.name, sign_flip_exact_p(&differences).unwrap(), right);
            flips += 1;
        }
        if let Some(right) = case.expected.sign_p_two_sided {
            close(&case.name, sign_test_p(sign_counts(&differences)).unwrap(), right);
            signs += 1;
        }
    }
    assert_eq!((exact, approximate, flips, signs), (9, 2, 5, 11));
}

#[test]
fn every_case_has_its_hodges_lehmann_and_equivalence() {
    let mut checked = (0, 0);
    for case in reference().paired {
        let differences = case.differences();
        if let Some(right) = case.expected.hodges_lehmann {
            close(&case.name, hodges_lehmann(&differences).unwrap(), right);
            checked.0 += 1;
        }
        if let Some(right) = case.expected.tost_p_within_2_percent {
            let count = differences.len() as f64;
            let found = equivalence_p(
                mean(&differences).unwrap(),
                standard_deviation(&differences).unwrap() / count.sqrt(),
                count - 1.0,
                log_of_percent(2.0),
            );
            close(&case.name, found.unwrap(), right);
            checked.1 += 1;
        }
    }
    assert_eq!(checked, (12, 10));
}

#[test]
fn holm_as_elsewhere() {
    let family = reference().holm;
    let given: Vec<Option<f64>> = family.p.iter().copied().map(Some).collect();
    for (found, right) in holm(&given).into_iter().zip(family.adjusted) {
        close("holm", found.unwrap(), right);
    }
}
