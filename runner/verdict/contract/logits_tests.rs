//! Rows of logits with answers known by hand.

use super::LogitsComparison;
use crate::manifest::Contract;
use crate::verdict::ContractState;

fn cosine(at_least: f64, positions: u32) -> Contract {
    Contract::Cosine { at_least, basis: "test".to_owned(), positions }
}

fn kl(mean_at_most: f64, p99_at_most: f64) -> Contract {
    Contract::Kl { mean_at_most, p99_at_most, basis: "test".to_owned(), positions: 1 }
}

fn argmax(agreement_at_least: f64) -> Contract {
    Contract::Argmax { agreement_at_least, basis: "test".to_owned(), positions: 1 }
}

#[test]
fn equal_rows_are_equal_in_every_sense() {
    let mut comparison = LogitsComparison::new();
    for position in 0..4 {
        comparison.add(position, &[1.0, -2.0, 3.5], &[1.0, -2.0, 3.5]);
    }
    let figures = comparison.finish();
    let (least, position) = figures.cosine_min.unwrap();
    assert!((least - 1.0).abs() < 1e-15 && position == 0);
    assert_eq!(figures.kl_max, Some(0.0));
    assert_eq!(figures.argmax_agreement, Some(1.0));
    for contract in [cosine(0.999999, 4), kl(0.0, 0.0), argmax(1.0)] {
        assert_eq!(figures.finding("fast", &contract).state, ContractState::Kept);
    }
}

#[test]
fn divergence_and_cosine_by_hand() {
    // softmax(0, ln 3) = (1/4, 3/4), softmax(0, 0) = (1/2, 1/2):
    // KL = 1/4 ln(1/2) + 3/4 ln(3/2) = 0.130812.
    let third = 3.0_f32.ln();
    let mut comparison = LogitsComparison::new();
    comparison.add(7, &[0.0, third], &[1e-30, 1e-30]);
    let figures = comparison.finish();
    assert!((figures.kl_mean.unwrap() - 0.130_812).abs() < 1e-6, "{figures:?}");
    assert!((figures.cosine_min.unwrap().0 - 0.5_f64.sqrt()).abs() < 1e-7);
    assert_eq!(
        figures.first_argmax_difference.as_deref(),
        Some("position 7: off prefers token 1, the arm token 0")
    );
    let broken = figures.finding("fast", &kl(0.1, 1.0));
    assert_eq!(broken.state, ContractState::Broken);
    assert_eq!(
        broken.detail,
        "KL mean 0.130812 (bar 0.1), p99 0.130812 (bar 1), median 0.130812, max 0.130812 nats, \
         1 positions"
    );
    assert_eq!(figures.finding("fast", &kl(0.2, 0.2)).state, ContractState::Kept);
    assert_eq!(figures.finding("fast", &argmax(0.5)).state, ContractState::Broken);
}

#[test]
fn a_large_offset_changes_no_distribution() {
    let mut comparison = LogitsComparison::new();
    comparison.add(0, &[1.0, 2.0, 3.0], &[60_001.0, 60_002.0, 60_003.0]);
    assert!(comparison.finish().kl_max.unwrap() < 1e-12);
}

#[test]
fn the_least_cosine_names_its_position() {
    let mut comparison = LogitsComparison::new();
    comparison.add(512, &[1.0, 0.0], &[1.0, 0.1]);
    comparison.add(513, &[1.0, 0.0], &[1.0, 1.0]);
    comparison.add(514, &[1.0, 0.0], &[1.0, 0.2]);
    let finding = comparison.finish().finding("fast", &cosine(0.99, 3));
    assert_eq!(finding.state, ContractState::Broken);
    assert!(
        finding.detail.starts_with("cosine min 0.707107 (bar 0.99) at position 513"),
        "{}",
        finding.detail
    );
}

#[test]
fn nan_and_infinity_fail_and_say_where() {
    for (bad, side, off, arm) in [
        (f32::NAN, "off", [1.0, f32::NAN], [1.0, 2.0]),
        (f32::NAN, "the arm", [1.0, 2.0], [1.0, f32::NAN]),
        (f32::INFINITY, "the arm", [1.0, 2.0], [1.0, f32::INFINITY]),
        (f32::NEG_INFINITY, "off", [1.0, f32::NEG_INFINITY], [1.0, 2.0]),
    ] {
        let mut comparison = LogitsComparison::new();
        comparison.add(0, &[1.0, 2.0], &[1.0, 2.0]);
        comparison.add(1, &off, &arm);
        let figures = comparison.finish();
        for contract in [cosine(-1.0, 1), kl(9.0, 9.0), argmax(0.0)] {
            let finding = figures.finding("fast", &contract);
            assert_eq!(finding.state, ContractState::Broken);
            let place = format!("position 1: the logit of token 1 is {bad} in {side}");
            assert_eq!(finding.first_divergence, Some(place));
        }
    }
}

#[test]
fn zero_positions_too_few_and_unlike_rows_fail() {
    let nothing = LogitsComparison::new().finish();
    let finding = nothing.finding("fast", &argmax(0.0));
    assert_eq!((finding.state, finding.compared), (ContractState::Broken, 0));
    assert_eq!(finding.detail, "no position was compared");
    assert!(finding.figures.iter().all(|figure| figure.value.is_none()));

    let mut few = LogitsComparison::new();
    few.add(0, &[1.0, 2.0], &[1.0, 2.0]);
    let finding = few.finish().finding("fast", &cosine(0.9, 512));
    assert_eq!(finding.state, ContractState::Broken);
    assert!(finding.detail.starts_with("1 of 512 positions compared"), "{}", finding.detail);

    for (off, arm) in [(&[1.0, 2.0][..], &[1.0][..]), (&[], &[]), (&[0.0, 0.0], &[1.0, 2.0])] {
        let mut unlike = LogitsComparison::new();
        unlike.add(3, off, arm);
        let finding = unlike.finish().finding("fast", &kl(9.0, 9.0));
        assert_eq!(finding.state, ContractState::Broken, "{off:?} {arm:?}");
    }
}

#[test]
fn logits_cannot_answer_for_tokens() {
    let finding = LogitsComparison::new().finish().finding("fast", &Contract::Identical);
    assert_eq!(finding.state, ContractState::NotRun);
}
