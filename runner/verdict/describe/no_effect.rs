//! Tests of "no effect" that assume no distribution.

use super::resampled::stream_seed;
use super::whole::DescribeInputs;
use crate::stats::{SignFlipP, SignedRankP, sign_counts, sign_flip_p, sign_test_p, signed_rank_p};
use crate::verdict::description::{Test, TestFigure};

/// Sign patterns that are drawn where there are too many to try: the standard error of a p of 0.05
/// is 0.002.
const SIGN_FLIP_DRAWS: u32 = 10_000;

/// Signed-rank, sign and sign-flip over round values. A value that the clock cannot tell from
/// zero counts as zero; where all of them do, there is nothing to test.
pub(super) fn tests_of_no_effect(inputs: &DescribeInputs<'_>) -> Vec<TestFigure> {
    let resolution = inputs.registered.resolution;
    let resolved = |value: &f64| if value.abs() <= resolution { 0.0 } else { *value };
    let values: Vec<f64> = inputs.registered.units.iter().map(resolved).collect();
    let nothing = values.iter().all(|value| *value == 0.0);
    let figure = |test, found: Option<(f64, String)>| match found {
        Some((p, method)) => TestFigure { test, p: Some(p), method },
        None => TestFigure { test, p: None, method: "no round differs from zero".to_owned() },
    };
    if nothing {
        return [Test::SignedRank, Test::Sign, Test::SignFlip]
            .map(|test| figure(test, None))
            .into();
    }
    let signed_rank = signed_rank_p(&values).map(|found| match found {
        SignedRankP::Exact(p) => (p, "exact".to_owned()),
        SignedRankP::Approximate(p) => (p, "approximate".to_owned()),
    });
    let sign = sign_test_p(sign_counts(&values)).map(|p| (p, "exact".to_owned()));
    let flip =
        sign_flip_p(&values, SIGN_FLIP_DRAWS, stream_seed(inputs)).map(|found| match found {
            SignFlipP::Exact { p } => (p, "exact".to_owned()),
            SignFlipP::Sampled { p, draws, seed } => {
                (p, format!("sampled, {draws} draws, seed {seed}"))
            }
        });
    let mut figures = vec![figure(Test::SignedRank, signed_rank), figure(Test::Sign, sign)];
    figures.extend(flip.map(|found| figure(Test::SignFlip, Some(found))));
    figures
}
