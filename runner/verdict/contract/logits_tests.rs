//! Rows of logits with answers known by hand.

use super::{
    LogitFigures, LogitsComparison, LogitsTested, Repeat, SelfFigures, Sides, TextFigures,
    logits_finding,
};
use crate::manifest::Contract;
use crate::verdict::{ContractFinding, ContractState};

fn cosine(at_least: f64, positions: u32) -> Contract {
    Contract::Cosine { at_least, basis: "test".to_owned(), positions }
}

fn kl(mean_at_most: f64, p99_at_most: f64) -> Contract {
    Contract::Kl { mean_at_most, p99_at_most, basis: "test".to_owned(), positions: 1 }
}

fn argmax(agreement_at_least: f64) -> Contract {
    Contract::Argmax { agreement_at_least, basis: "test".to_owned(), positions: 1 }
}

/// Rows from position `from` on, each followed by token 0.
fn compared(from: u64, rows: &[(&[f32], &[f32])]) -> LogitFigures {
    let mut comparison = LogitsComparison::of(Sides::OffAndArm);
    for (position, (off, arm)) in (from..).zip(rows) {
        comparison.add(position, Some(0), off, arm);
    }
    comparison.finish()
}

fn text(set: &str, wanted: u64, figures: LogitFigures) -> TextFigures {
    TextFigures { set: set.to_owned(), text: format!("`{set}`"), wanted, figures }
}

fn found(contract: &Contract, texts: Vec<TextFigures>) -> ContractFinding {
    let tested = LogitsTested {
        how: "teacher-forced".to_owned(),
        condition: None,
        texts,
        selves: Vec::new(),
    };
    logits_finding("fast", contract, &tested)
}

fn one(contract: &Contract, wanted: u64, figures: &LogitFigures) -> ContractFinding {
    found(contract, vec![text("own", wanted, figures.clone())])
}

#[test]
fn equal_rows_are_equal_in_every_sense() {
    let row: &[f32] = &[1.0, -2.0, 3.5];
    let figures = compared(0, &[(row, row); 4]);
    let least = figures.cosine_min.unwrap();
    assert!((least.value - 1.0).abs() < 1e-15 && least.position == 0);
    assert_eq!(figures.kl_max.unwrap().value, 0.0);
    assert_eq!(figures.argmax_agreement, Some(1.0));
    assert_eq!(figures.perplexity_ratio, Some(1.0));
    assert_eq!(figures.largest_difference.unwrap().value, 0.0);
    for contract in [cosine(0.999999, 4), kl(0.0, 0.0), argmax(1.0)] {
        assert_eq!(one(&contract, 4, &figures).state, ContractState::Kept);
    }
}

#[test]
fn divergence_and_cosine_by_hand() {
    // softmax(0, ln 3) = (1/4, 3/4), softmax(0, 0) = (1/2, 1/2):
    // KL = 1/4 ln(1/2) + 3/4 ln(3/2) = 0.130812; of token 0, 1/4 against 1/2.
    let third = 3.0_f32.ln();
    let figures = compared(7, &[(&[0.0, third], &[1e-30, 1e-30])]);
    assert!((figures.kl_mean.unwrap() - 0.130_812).abs() < 1e-6, "{figures:?}");
    assert!((figures.cosine_min.unwrap().value - 0.5_f64.sqrt()).abs() < 1e-7);
    assert!((figures.perplexity_ratio.unwrap() - 0.5).abs() < 1e-7, "{figures:?}");
    assert_eq!(figures.centred_cosine_min, None, "the second row is constant");
    let place = "position 7: off prefers token 1 (by 1.098612), the arm token 0 (by 0.000000)";
    assert_eq!(figures.first_argmax_difference.as_deref(), Some(place));
    assert_eq!(figures.clearest_disagreement.unwrap().value, 0.0, "a tie on one side");
    let broken = one(&kl(0.1, 1.0), 1, &figures);
    assert_eq!(broken.state, ContractState::Broken);
    assert_eq!(
        broken.detail,
        "teacher-forced: worst on `own`: KL mean 0.130812 (bar 0.1), p99 0.130812 (bar 1), median \
         0.130812, max 0.130812 nats at position 7 (margins of the best token 1.098612 and \
         0.000000), perplexity x0.500000, 1 positions"
    );
    assert_eq!(one(&kl(0.2, 0.2), 1, &figures).state, ContractState::Kept);
    assert_eq!(one(&argmax(0.5), 1, &figures).state, ContractState::Broken);
}

#[test]
fn the_least_cosine_names_its_position() {
    let off: &[f32] = &[1.0, 0.0];
    let figures = compared(512, &[(off, &[1.0, 0.1]), (off, &[1.0, 1.0]), (off, &[1.0, 0.2])]);
    let finding = one(&cosine(0.99, 3), 3, &figures);
    assert_eq!(finding.state, ContractState::Broken);
    let start = "teacher-forced: worst on `own`: cosine min 0.707107 (bar 0.99) at position 513";
    assert!(finding.detail.starts_with(start), "{}", finding.detail);
}

#[test]
fn the_worst_text_is_held_against_the_bar_and_each_is_named() {
    let off: &[f32] = &[1.0, 0.0];
    let good = compared(0, &[(off, &[1.0, 0.001])]);
    let bad = compared(0, &[(off, &[1.0, 1.0])]);
    for order in [["own", "prose-48"], ["prose-48", "own"]] {
        let figures = [good.clone(), bad.clone()];
        let texts = order.iter().zip(figures).map(|(set, figures)| text(set, 1, figures));
        let finding = found(&cosine(0.99, 1), texts.collect());
        assert_eq!((finding.state, finding.compared), (ContractState::Broken, 2));
        let worst = format!("worst on `{}`: cosine min 0.707107", order[1]);
        let other = format!("; on `{}`: cosine min 1.000000, 1 positions", order[0]);
        assert!(finding.detail.contains(&worst), "{}", finding.detail);
        assert!(finding.detail.contains(&other), "{}", finding.detail);
        let figure = |name: &str| {
            let figure = finding.figures.iter().find(|figure| figure.name == name).unwrap();
            figure.value.unwrap()
        };
        assert!(figure("cosine_min") < 0.8);
        assert!(figure(&format!("cosine_min on {}", order[0])) > 0.99);
    }
}

#[test]
fn a_side_that_differs_from_itself_is_measured_by_the_same_bar() {
    let off: &[f32] = &[1.0, 0.0];
    let row = compared(0, &[(off, &[1.0, 0.001])]);
    let with = |repeat: Repeat| {
        let tested = LogitsTested {
            how: "teacher-forced".to_owned(),
            condition: None,
            texts: vec![text("own", 1, row.clone())],
            selves: vec![SelfFigures { arm: "fast".to_owned(), repeat }],
        };
        logits_finding("fast", &cosine(0.99, 1), &tested)
    };
    let kept = with(Repeat::EqualBytes { positions: 1 });
    assert_eq!(kept.state, ContractState::Kept);
    assert!(kept.detail.contains("`fast` equals itself to the last bit"), "{}", kept.detail);
    let apart = |arm: &[f32]| Repeat::Apart(Box::new(compared(0, &[(off, arm)])));
    let within = with(apart(&[1.0, 0.01]));
    assert_eq!(within.state, ContractState::Kept);
    assert!(within.detail.contains("`fast` differs from itself"), "{}", within.detail);
    assert_eq!(with(apart(&[1.0, 1.0])).state, ContractState::NotSelfEqual);
    assert_eq!(with(apart(&[1.0, f32::NAN])).state, ContractState::NotSelfEqual);
    assert_eq!(with(Repeat::EqualBytes { positions: 0 }).state, ContractState::NotSelfEqual);
}

#[test]
fn nan_and_infinity_fail_and_say_where() {
    for (bad, side, off, arm) in [
        (f32::NAN, "off", [1.0, f32::NAN], [1.0, 2.0]),
        (f32::NAN, "the arm", [1.0, 2.0], [1.0, f32::NAN]),
        (f32::INFINITY, "the arm", [1.0, 2.0], [1.0, f32::INFINITY]),
        (f32::NEG_INFINITY, "off", [1.0, f32::NEG_INFINITY], [1.0, 2.0]),
    ] {
        let figures = compared(0, &[(&[1.0, 2.0], &[1.0, 2.0]), (&off, &arm)]);
        for contract in [cosine(-1.0, 1), kl(9.0, 9.0), argmax(0.0)] {
            let finding = one(&contract, 1, &figures);
            assert_eq!(finding.state, ContractState::Broken);
            let place = format!("position 1: the logit of token 1 is {bad} in {side}");
            assert_eq!(finding.first_divergence, Some(place));
        }
    }
}

#[test]
fn zero_positions_too_few_and_unlike_rows_fail() {
    let finding = one(&argmax(0.0), 0, &compared(0, &[]));
    assert_eq!((finding.state, finding.compared), (ContractState::Broken, 0));
    assert!(finding.detail.ends_with("no position was compared"), "{}", finding.detail);
    assert!(finding.figures.iter().all(|figure| figure.value.is_none()));
    let finding = found(&argmax(0.0), Vec::new());
    assert_eq!((finding.state, finding.compared), (ContractState::Broken, 0));

    let row: &[f32] = &[1.0, 2.0];
    let finding = one(&cosine(0.9, 512), 512, &compared(0, &[(row, row)]));
    assert_eq!(finding.state, ContractState::Broken);
    assert!(finding.detail.contains("1 of 512 positions compared"), "{}", finding.detail);

    for (off, arm) in [(&[1.0, 2.0][..], &[1.0][..]), (&[], &[]), (&[0.0, 0.0], &[1.0, 2.0])] {
        let finding = one(&kl(9.0, 9.0), 1, &compared(3, &[(off, arm)]));
        assert_eq!(finding.state, ContractState::Broken, "{off:?} {arm:?}");
    }
}

#[test]
fn halves_put_together_are_the_whole() {
    let rows: Vec<(Vec<f32>, Vec<f32>)> = (0..9_u8)
        .map(|row| (vec![1.0, f32::from(row), 0.5], vec![0.5, f32::from(row) + 0.25, 1.5]))
        .collect();
    let part = |from: usize, until: usize| {
        let mut comparison = LogitsComparison::of(Sides::OffAndArm);
        for (position, (off, arm)) in rows.iter().enumerate().take(until).skip(from) {
            comparison.add(position as u64, Some(1), off, arm);
        }
        comparison
    };
    let mut halves = part(0, 4);
    halves.append(part(4, 9));
    assert_eq!(halves.finish(), part(0, 9).finish());
    let mut faulty = LogitsComparison::of(Sides::OffAndArm);
    faulty.add(3, None, &[1.0, f32::NAN], &[1.0, 2.0]);
    faulty.append(part(4, 9));
    let figures = faulty.finish();
    assert_eq!((figures.compared, figures.fault.unwrap().position), (0, 3));
}

#[test]
fn logits_cannot_answer_for_tokens() {
    assert_eq!(found(&Contract::Identical, Vec::new()).state, ContractState::NotRun);
}
