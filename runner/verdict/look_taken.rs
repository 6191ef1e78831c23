//! A look while the run goes on: whether the registered rule stops it there.

use std::fmt;

use sample_table::SampleRow;

use super::blocks::gather;
use super::comparison::Case;
use super::description::LookOutcome;
use super::evidence::{ArmFault, RunEnd};
use super::judge::paired;
use super::rules::Rules;
use super::setting::Frame;
use super::standing::{Standing, standings};
use super::words::counted;
use crate::manifest::Plan;

/// A look at the samples of a run that goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookTaken {
    /// From 1.
    pub look: u32,
    /// Registered looks.
    pub of: u32,
    /// Whole rounds so far.
    pub rounds: u32,
    /// Where each comparison stands that no fault ended.
    pub standings: Vec<Standing>,
    stops: bool,
}

/// The look of the registered rule after exactly `rounds_done` whole rounds; `None` where there is
/// none, as between the looks and under the fixed rule. A pure function: a run that was cut and
/// goes on takes the same look on the same samples, and so does the judgement at its end.
///
/// Arms of `faults` have a verdict of their own and hold nobody up.
#[must_use]
pub fn look_after(
    plan: &Plan,
    samples: &[SampleRow],
    faults: &[ArmFault],
    rounds_done: u32,
) -> Option<LookTaken> {
    look_of(&Frame::new(Rules::NOW, plan), samples, faults, rounds_done)
}

/// [`look_after`] of a rule that is prepared.
pub(super) fn look_of(
    frame: &Frame<'_>,
    samples: &[SampleRow],
    faults: &[ArmFault],
    rounds_done: u32,
) -> Option<LookTaken> {
    let looks = frame.timing.looks();
    let look = *looks.iter().find(|look| look.rounds == rounds_done)?;
    let blocks = gather(samples, frame.reading());
    let settings = frame.settings(&blocks);
    let paired = paired(frame.plan, &settings);
    let cases: Vec<Case<'_>> =
        paired.iter().map(|(setting, arm, pairs)| Case::new(setting, arm, pairs)).collect();
    let standings = standings(frame, &cases, faults);
    let stops = standings.stop_at(look.number, look.rounds);
    Some(LookTaken {
        look: look.number,
        of: looks.len() as u32,
        rounds: look.rounds,
        standings: standings.each,
        stops,
    })
}

impl LookTaken {
    /// The end of the run, where the rule stops it before the last look. At the last look all
    /// registered rounds are done, and the run is complete.
    #[must_use]
    pub fn end(&self) -> Option<RunEnd> {
        (self.stops && self.look < self.of).then(|| RunEnd::StoppedAtLook {
            look: self.look,
            rounds: self.rounds,
            detail: self.to_string(),
        })
    }
}

/// `look 1 of 2 after 8 rounds: goes on (fast: open)`.
impl fmt::Display for LookTaken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let each: Vec<String> = self.standings.iter().map(standing_text).collect();
        let course = match (self.look < self.of, self.stops) {
            (true, true) => "stops",
            (true, false) => "goes on",
            (false, _) => "the last",
        };
        let rounds = counted(self.rounds, "round");
        write!(formatter, "look {} of {} after {rounds}: {course}", self.look, self.of)?;
        if each.is_empty() { Ok(()) } else { write!(formatter, " ({})", each.join(", ")) }
    }
}

fn standing_text(standing: &Standing) -> String {
    let outcome = match standing.outcome {
        LookOutcome::Win => "win",
        LookOutcome::Loss => "loss",
        LookOutcome::Level => "level",
        LookOutcome::Futile => "futile",
        LookOutcome::GoOn => "open",
        LookOutcome::Undecided => "undecided",
    };
    if standing.condition.is_empty() {
        format!("{}: {outcome}", standing.arm)
    } else {
        format!("{} at {}: {outcome}", standing.arm, standing.condition)
    }
}
