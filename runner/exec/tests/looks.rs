//! Runs that their registered rule stops at a look.

use super::super::context::FinishedRun;
use super::super::entry::{Entry, Line};
use super::super::gate::OpenGate;
use super::super::observer::{Event, Observer};
use super::stage::{Stage, assert_no_doubles};
use crate::manifest::{Arm, Spending, Stop};
use crate::record::JOURNAL_FILE;
use crate::verdict::{self, Analysis, LookOutcome, ReasonCode, RunEnd, RunSummary, Verdict};

/// 0.4 % of noise a chunk; `fast` (two threads) needs this long for a token, off a millisecond.
fn script(nanoseconds: u32) -> String {
    format!(
        "[base]\nnoise_sd = 0.004\n[[when]]\nsettings = {{ threads = 2 }}\n\
         decode_nanoseconds_per_token = {nanoseconds}\n"
    )
}

const CLEARLY_FASTER: u32 = 900_000;
/// By the margin itself: nothing can be decided.
const ON_THE_MARGIN: u32 = 980_392;

/// 12 rounds of 2 blocks, looks after 8 and 12.
fn stage(script: &str) -> Stage {
    let mut stage = Stage::new(script);
    stage.plan.design.rounds = 12;
    stage.plan.design.blocks_per_round = 2;
    stage.plan.stop = with_futility(None);
    stage
}

fn with_futility(futility_percent: Option<f64>) -> Stop {
    Stop::GroupSequential {
        looks_at_rounds: vec![8, 12],
        spending: Spending::Pocock,
        futility_percent,
        cap_minutes: 20.0,
    }
}

/// A treatment with three threads.
fn other(stage: &Stage) -> Arm {
    let mut other = stage.plan.arms[2].clone();
    other.name = "other".to_owned().try_into().unwrap();
    other.settings.threads = Some(3);
    other
}

fn judged(stage: &Stage, finished: &FinishedRun) -> Analysis {
    verdict::judge(&stage.plan, &finished.evidence)
}

/// Rows of so many rounds: one prompt and two chunks for each arm and block.
fn rows(stage: &Stage, rounds: usize) -> usize {
    rounds * 2 * stage.plan.arms.len() * 3
}

fn assert_stopped_at_the_first_look(finished: &FinishedRun) {
    let end = &finished.evidence.facts.end;
    assert!(matches!(end, RunEnd::StoppedAtLook { look: 1, rounds: 8, .. }), "{end:?}");
}

#[derive(Default)]
struct Looks(Vec<String>);

impl Observer for Looks {
    fn event(&mut self, event: Event<'_>) {
        if let Event::LookTaken(look) = event {
            self.0.push(look.to_string());
        }
    }
}

#[test]
fn a_clear_effect_stops_at_the_first_look() {
    let stage = stage(&script(CLEARLY_FASTER));
    let mut looks = Looks::default();
    let finished = stage.run_with(&mut OpenGate, &mut looks).unwrap();
    assert_stopped_at_the_first_look(&finished);
    assert_eq!(finished.evidence.samples.len(), rows(&stage, 8));
    assert_no_doubles(&finished.evidence.samples);
    assert_eq!(looks.0, ["look 1 of 2 after 8 rounds: stops (fast: win)"]);
    let analysis = judged(&stage, &finished);
    let found = &analysis.comparisons[0];
    assert_eq!((found.verdict, found.rounds, found.looks.len()), (Verdict::Win, 8, 1));
    assert_eq!((analysis.summary, analysis.rounds_judged), (RunSummary::Judged, 8));
    assert!(found.claim.contains("stopped at look 1 of 2, after 8 rounds"), "{}", found.claim);
    assert_eq!(stage.left_over(), Vec::<u32>::new());
}

#[test]
fn no_effect_under_small_noise_is_level_at_the_first_look() {
    let stage = stage(&script(1_000_000));
    let finished = stage.run().unwrap();
    assert_stopped_at_the_first_look(&finished);
    assert_eq!(judged(&stage, &finished).comparisons[0].verdict, Verdict::Level);
}

#[test]
fn on_the_margin_the_run_goes_on_to_its_last_look_unless_that_is_futile() {
    let mut stage = stage(&script(ON_THE_MARGIN));
    let mut looks = Looks::default();
    let finished = stage.run_with(&mut OpenGate, &mut looks).unwrap();
    assert_eq!(finished.evidence.facts.end, RunEnd::Completed);
    assert_eq!(finished.evidence.samples.len(), rows(&stage, 12));
    assert_eq!(
        looks.0,
        [
            "look 1 of 2 after 8 rounds: goes on (fast: open)",
            "look 2 of 2 after 12 rounds: the last (fast: undecided)"
        ]
    );
    let found = judged(&stage, &finished).comparisons.remove(0);
    assert_eq!(found.reason.code, ReasonCode::IntervalCrossesMargin);
    stage = self::stage(&script(ON_THE_MARGIN));
    stage.plan.stop = with_futility(Some(60.0));
    let finished = stage.run().unwrap();
    assert_stopped_at_the_first_look(&finished);
    let found = judged(&stage, &finished).comparisons.remove(0);
    assert_eq!((found.verdict, found.reason.code), (Verdict::Parked, ReasonCode::Futile));
    assert_eq!(found.looks[0].outcome, LookOutcome::Futile);
}

#[test]
fn the_run_goes_on_for_the_comparison_that_is_open_and_the_other_keeps_its_look() {
    let text = format!(
        "{}[[when]]\nsettings = {{ threads = 3 }}\ndecode_nanoseconds_per_token = {ON_THE_MARGIN}\n",
        script(CLEARLY_FASTER)
    );
    let mut stage = stage(&text);
    stage.plan.arms.push(other(&stage));
    let finished = stage.run().unwrap();
    assert_eq!(finished.evidence.facts.end, RunEnd::Completed);
    let comparisons = judged(&stage, &finished).comparisons;
    assert_eq!((comparisons[0].verdict, comparisons[0].rounds), (Verdict::Win, 8));
    assert_eq!((comparisons[1].verdict, comparisons[1].rounds), (Verdict::Parked, 12));
}

#[test]
fn an_arm_that_ended_by_a_fault_holds_nobody_up() {
    let text = format!(
        "{}[[when]]\nsettings = {{ threads = 3 }}\n\
         fault = {{ kind = \"crash\", command = \"decode\", nth = 3 }}\n",
        script(CLEARLY_FASTER)
    );
    let mut stage = stage(&text);
    let mut other = other(&stage);
    other.contracts = Vec::new();
    stage.plan.arms.push(other);
    let finished = stage.run().unwrap();
    assert_eq!(finished.evidence.facts.arm_faults.len(), 1);
    assert_stopped_at_the_first_look(&finished);
    let comparisons = judged(&stage, &finished).comparisons;
    assert_eq!(comparisons[0].verdict, Verdict::Win);
    assert_eq!(comparisons[1].reason.code, ReasonCode::ArmFault);
}

/// Cuts the journal of a finished run after its first `blocks` whole blocks.
fn cut_after(finished: &FinishedRun, blocks: usize) {
    let path = finished.run_dir.join(JOURNAL_FILE);
    let text = std::fs::read_to_string(&path).unwrap();
    let mut kept = String::new();
    let mut seen = 0;
    for line in text.lines() {
        if seen == blocks {
            break;
        }
        kept.push_str(line);
        kept.push('\n');
        let entry: Line = serde_json::from_str(line).unwrap();
        seen += usize::from(matches!(entry.entry, Entry::Block(_)));
    }
    assert_eq!(seen, blocks);
    std::fs::write(&path, kept).unwrap();
}

#[test]
fn cut_at_the_look_that_stops_it_a_run_stops_there_and_measures_nothing_more() {
    let stage = stage(&script(CLEARLY_FASTER));
    let first = stage.run().unwrap();
    cut_after(&first, 8 * 2);
    let second = stage.run().unwrap();
    assert_stopped_at_the_first_look(&second);
    assert_eq!(second.evidence.samples, first.evidence.samples);
    assert_eq!(second.evidence.facts.interruptions.len(), 1);
    assert_eq!(judged(&stage, &second), judged(&stage, &first));
}

#[test]
fn cut_before_a_look_or_between_two_a_run_stops_as_if_it_had_not_been() {
    for blocks in [5 * 2, 5 * 2 + 1] {
        let stage = stage(&script(CLEARLY_FASTER));
        cut_after(&stage.run().unwrap(), blocks);
        let resumed = stage.run().unwrap();
        assert_stopped_at_the_first_look(&resumed);
        assert_eq!(resumed.evidence.samples.len(), rows(&stage, 8));
        let found = judged(&stage, &resumed).comparisons.remove(0);
        assert_eq!((found.verdict, found.rounds), (Verdict::Win, 8));
        // A round that was cut has two parts, each a unit.
        let units = if blocks % 2 == 0 { 8 } else { 9 };
        assert_eq!(found.effect.unwrap().n, units);
    }
    let stage = stage(&script(ON_THE_MARGIN));
    cut_after(&stage.run().unwrap(), 10 * 2);
    let mut looks = Looks::default();
    let resumed = stage.run_with(&mut OpenGate, &mut looks).unwrap();
    assert_eq!(resumed.evidence.facts.end, RunEnd::Completed);
    assert_eq!(looks.0, ["look 2 of 2 after 12 rounds: the last (fast: undecided)"]);
}
