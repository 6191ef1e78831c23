//! What a run is at, in a line: round, block, time left, flagged blocks. A figure stands in it only
//! after a look that the registered rule took.

use std::time::Duration;

use runner::exec::{BlockPlace, Event, Phase, SeenAtLook};
use runner::report::{percent_change, ratio};

/// Where a run stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LiveView {
    /// Before the first block, and between rounds.
    doing: String,
    round: Option<(u32, u32)>,
    at: Option<BlockPlace>,
    left: Option<Duration>,
    flagged: u32,
}

impl LiveView {
    /// Takes in what happened.
    pub fn take(&mut self, event: &Event<'_>) {
        match event {
            Event::Phase(Phase::Round { index, of }) => {
                self.round = Some((index.saturating_add(1), *of));
                self.at = None;
                self.doing.clear();
            }
            Event::Phase(phase) => {
                self.doing = phase_text(*phase);
                if matches!(phase, Phase::Ending) {
                    (self.round, self.at) = (None, None);
                }
            }
            Event::WaitingForQuiet { detail, waited, limit } => {
                let (waited, limit) = (seconds(*waited), seconds(*limit));
                self.doing = format!("waiting for quiet ({waited} of {limit}): {detail}");
            }
            Event::BlockStarted { at, .. } => {
                self.at = Some(*at);
                self.doing.clear();
            }
            Event::BlockFinished { left, flagged, .. } => {
                self.left = Some(*left);
                self.flagged = *flagged;
            }
            _ => {}
        }
    }

    /// `round 3 of 16, block 2 of 6; 4 min 10 s left; 1 block flagged; starting arm …`.
    pub fn line(&self) -> String {
        let at = self.at.map(|at| {
            format!("round {} of {}, block {} of {}", at.round, at.rounds, at.block, at.blocks)
        });
        let at = at.or_else(|| self.round.map(|(round, of)| format!("round {round} of {of}")));
        let left = self.left.map(|left| format!("{} left", seconds(left)));
        let flagged = self.flagged_words();
        let doing = Some(self.doing.clone()).filter(|doing| !doing.is_empty());
        let parts: Vec<String> = [at, left, flagged, doing].into_iter().flatten().collect();
        parts.join("; ")
    }

    /// How many blocks were flagged so far, where any were.
    pub fn flagged_words(&self) -> Option<String> {
        match self.flagged {
            0 => None,
            1 => Some("1 block flagged".to_owned()),
            many => Some(format!("{many} blocks flagged")),
        }
    }
}

/// A part of a run, in words.
pub fn phase_text(phase: Phase<'_>) -> String {
    match phase {
        Phase::Greeting => "asking the workers who they are".to_owned(),
        Phase::Preflight { arm } => format!("looking at arm `{arm}`"),
        Phase::References { of } => format!("off writes reference outputs for {of} inputs"),
        Phase::Contracts { arm } => format!("testing the contracts of arm `{arm}`"),
        Phase::Round { index, of } => format!("round {} of {of}", index + 1),
        Phase::Starting { arm } => format!("starting arm `{arm}`"),
        Phase::Ending => "all blocks are done".to_owned(),
    }
}

/// What a look saw of a comparison, with the interval that was held against the margins.
pub fn seen_text(seen: &SeenAtLook) -> String {
    let figure = &seen.figure;
    let name = if seen.condition.is_empty() {
        seen.arm.clone()
    } else {
        format!("{} at {}", seen.arm, seen.condition)
    };
    let estimate = format!("{} ({})", ratio(figure.log_ratio), percent_change(figure.log_ratio));
    let interval = match (figure.lo, figure.hi) {
        (Some(lo), Some(hi)) => format!("{} to {}", ratio(lo), ratio(hi)),
        _ => "no interval".to_owned(),
    };
    format!("  {name}: {estimate}, {interval} at look {}", figure.look)
}

/// `4 min 10 s`.
pub fn seconds(duration: Duration) -> String {
    let whole = duration.as_secs();
    if whole >= 60 { format!("{} min {} s", whole / 60, whole % 60) } else { format!("{whole} s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn started(block: u32) -> Event<'static> {
        let at = BlockPlace { round: 3, rounds: 16, block, blocks: 6 };
        Event::BlockStarted { done: 12 + block, of: 96, at }
    }

    #[test]
    fn the_line_tells_round_block_time_left_and_flagged_blocks() {
        let mut view = LiveView::default();
        view.take(&Event::Phase(Phase::Starting { arm: "fast" }));
        assert_eq!(view.line(), "starting arm `fast`");
        view.take(&started(1));
        assert_eq!(view.line(), "round 3 of 16, block 1 of 6");
        view.take(&Event::Phase(Phase::Round { index: 2, of: 16 }));
        view.take(&Event::Phase(Phase::Starting { arm: "off" }));
        assert_eq!(view.line(), "round 3 of 16; starting arm `off`");
        view.take(&started(1));
        let left = Duration::from_secs(250);
        view.take(&Event::BlockFinished { done: 13, of: 96, left, flagged: 1 });
        view.take(&started(2));
        assert_eq!(view.line(), "round 3 of 16, block 2 of 6; 4 min 10 s left; 1 block flagged");
        view.take(&Event::BlockFinished { done: 14, of: 96, left, flagged: 2 });
        let waited = Duration::from_secs(7);
        view.take(&Event::WaitingForQuiet { detail: "cpu 80 %", waited, limit: left });
        assert!(view.line().contains("2 blocks flagged; waiting for quiet (7 s of 4 min 10 s)"));
        view.take(&Event::Phase(Phase::Ending));
        assert!(!view.line().contains("round"), "{}", view.line());
    }
}
