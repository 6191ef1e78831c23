//! The statistics against values that other programs computed (`testdata/paired.json`) and
//! that papers printed.

use serde::Deserialize;

use super::{
    Resampling, SignFlipP, SignedRankP, equivalence_p, hodges_lehmann, hodges_lehmann_interval,
    holm, log_of_percent, log_ratios, mean, sign_counts, sign_flip_p, sign_test_p, signed_rank_p,
    standard_deviation, student_quantile, t_interval,
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
#[serde(deny_unknown_fields)]
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
    bca_ci_95_mean: Option<[f64; 2]>,
    bca_tolerance: Option<f64>,
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
            let Some(SignFlipP::Exact { p }) = sign_flip_p(&differences, 0, 0) else {
                panic!("{}: not exact", case.name);
            };
            close(&case.name, p, right);
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

#[test]
fn every_case_has_its_bca_interval() {
    let mut checked = 0;
    for case in reference().paired {
        let resampled =
            Resampling { draws: 40_000, seed: 20_261_129 }.of_values(&case.differences());
        let Some([lo, hi]) = case.expected.bca_ci_95_mean else {
            // Two pairs, and differences that rounding alone sets apart, can be resampled; one
            // pair and equal ones cannot.
            let can = ["two-pairs", "constant-shift"].contains(&case.name.as_str());
            assert_eq!(resampled.is_ok(), can, "{}", case.name);
            continue;
        };
        let found = resampled.unwrap().bca(95.0).unwrap();
        let tolerance = case.expected.bca_tolerance.unwrap();
        let name = &case.name;
        assert!((found.lo - lo).abs() <= tolerance, "{name}: {found:?}, right {lo}");
        assert!((found.hi - hi).abs() <= tolerance, "{name}: {found:?}, right {hi}");
        checked += 1;
    }
    assert_eq!(checked, 9);
}

/// Within 0.005 of the right value, relative.
fn near(found: f64, right: f64) {
    assert!((found / right - 1.0).abs() <= 0.005, "found {found}, right {right}");
}

#[test]
fn bootstrap_intervals_of_r() {
    // R's package `boot`, as in SciPy's test_resampling.py. Its 9,999 resamples have an error of
    // 0.8 % themselves; eight million put the lower BCa end at 32.24.
    let values = [
        10.0, 12.0, 12.5, 12.5, 13.9, 15.0, 21.0, 22.0, 23.0, 34.0, 50.0, 81.0, 89.0, 121.0, 134.0,
        213.0,
    ];
    let resampled = Resampling { draws: 200_000, seed: 1 }.of_values(&values).unwrap();
    let bca = resampled.bca(95.0).unwrap();
    near(bca.lo, 32.31);
    near(bca.hi, 91.43);
    let percentile = resampled.percentile(95.0).unwrap();
    near(percentile.lo, 28.86);
    near(percentile.hi, 84.21);
    let basic = resampled.basic(95.0).unwrap();
    near(basic.lo, 23.77);
    near(basic.hi, 79.12);
}

#[test]
fn two_one_sided_tests_of_r() {
    // As in statsmodels' test_tost.py: printed to six places.
    let p = equivalence_p(0.562_666_7, 0.247_827_6, 14.0, 0.6).unwrap();
    assert!((p - 0.441_203).abs() < 1e-6, "{p}");
    let half = student_quantile(0.10, 14.0).unwrap() * 0.247_827_6;
    assert!((0.562_666_7 - half - 0.126_165).abs() < 1e-6);
    assert!((0.562_666_7 + half - 0.999_168).abs() < 1e-6);
}

#[test]
fn the_least_attainable_p_bounds_every_rank_interval() {
    for (n, least) in [(5_u32, 0.0625), (6, 0.031_25), (8, 0.007_812_5)] {
        let values: Vec<f64> = (1..=n).map(f64::from).collect();
        assert_eq!(signed_rank_p(&values), Some(SignedRankP::Exact(least)));
        let most = 100.0 * (1.0 - least);
        assert_eq!(
            hodges_lehmann_interval(&values, most).unwrap().attained_confidence_percent,
            most
        );
        assert_eq!(hodges_lehmann_interval(&values, most + 0.01), None);
    }
}

#[test]
fn numacc4_and_five_runs_of_twelve_seconds() {
    let mut values = vec![10_000_000.2];
    for _ in 0..500 {
        values.extend([10_000_000.1, 10_000_000.3]);
    }
    // The decimals themselves are rounded to 2e-9 at this size.
    assert!((mean(&values).unwrap() - 10_000_000.2).abs() < 2e-9);
    assert!((standard_deviation(&values).unwrap() - 0.1).abs() < 2e-9);
    let nanoseconds =
        [12_140_144_300.0, 12_308_847_400.0, 12_225_136_900.0, 12_154_929_400.0, 11_909_783_400.0];
    assert!((standard_deviation(&nanoseconds).unwrap() - 148_894_758.2).abs() < 0.05);
}
