//! A progress bar on a terminal, plain lines elsewhere. It moves only when the run tells something,
//! and the run tells nothing while a clock runs: there is no ticking thread.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use runner::exec::{Event, Observer, Phase};
use runner::record::verdict_word;

use super::builds;
use super::terminal::Terminal;

/// Where progress goes.
pub enum Progress {
    /// A bar on standard error.
    Bar(ProgressBar),
    /// Plain lines on standard error, a few for each round.
    Lines(Terminal),
    /// Nothing.
    Quiet,
}

impl Progress {
    /// A bar where standard error is a terminal, else plain lines; nothing with `--json`.
    pub fn new(terminal: Terminal, json: bool) -> Progress {
        use std::io::IsTerminal;
        if json {
            return Progress::Quiet;
        }
        if !std::io::stderr().is_terminal() {
            return Progress::Lines(terminal);
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} {msg}") {
            bar.set_style(style);
        }
        Progress::Bar(bar)
    }

    /// Takes the bar away.
    pub fn done(&self) {
        if let Progress::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }

    fn say(&self, text: String) {
        match self {
            Progress::Bar(bar) => bar.set_message(text),
            // a reader that has gone away is no reason to stop a run
            Progress::Lines(terminal) => drop(terminal.note(text)),
            Progress::Quiet => {}
        }
    }

    fn keep(&self, text: String) {
        match self {
            Progress::Bar(bar) => bar.println(text),
            other => other.say(text),
        }
    }
}

impl Observer for Progress {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Phase(Phase::References { of: 0 }) => {}
            Event::Phase(phase) => self.say(phase_text(phase)),
            Event::Build(step) => self.keep(builds::text(&step)),
            Event::Resumed { run, interruption } => self.keep(format!(
                "going on with {run}: cut in round {}, after {} of its blocks",
                interruption.round + 1,
                interruption.blocks_done
            )),
            Event::WaitingForQuiet { detail, waited, limit } => {
                // a log is told once in ten seconds
                if matches!(self, Progress::Bar(_)) || waited.as_secs() % 10 == 0 {
                    self.say(format!(
                        "waiting for quiet ({} of {}): {detail}",
                        seconds(waited),
                        seconds(limit)
                    ));
                }
            }
            Event::BlockStarted { done, of } => {
                if let Progress::Bar(bar) = self {
                    bar.set_length(u64::from(of));
                    bar.set_position(u64::from(done));
                }
            }
            Event::BlockFinished { done, of, left } => match self {
                Progress::Bar(bar) => {
                    bar.set_length(u64::from(of));
                    bar.set_position(u64::from(done));
                    bar.set_message(format!("{} left", seconds(left)));
                }
                // ten lines a run are enough for a log
                Progress::Lines(terminal) if done == of || done % of.div_ceil(10).max(1) == 0 => {
                    drop(terminal.note(format!("block {done} of {of}, {} left", seconds(left))));
                }
                _ => {}
            },
            Event::HistoryStep { number, most, commit } => {
                self.keep(format!("step {number} of at most {most}: commit {}", short(commit)));
            }
            Event::HistoryStepEnded { commit, verdict } => {
                self.keep(format!("commit {}: {}", short(commit), verdict_word(verdict)));
            }
            Event::CommitSkipped { commit, why } => {
                self.keep(format!("skipped {}: {why}", short(commit)));
            }
            Event::LookTaken(look) => self.keep(look.to_string()),
            Event::ArmEnded(fault) => {
                self.keep(format!("arm `{}` ended: {}", fault.arm, fault.detail));
            }
        }
    }
}

fn phase_text(phase: Phase<'_>) -> String {
    match phase {
        Phase::Greeting => "asking the workers who they are".to_owned(),
        Phase::Preflight { arm } => format!("looking at arm `{arm}`"),
        Phase::References { of } => format!("off writes reference outputs for {of} inputs"),
        Phase::Contracts { arm } => format!("testing the contracts of arm `{arm}`"),
        Phase::Round { index, of } => format!("round {} of {of}", index + 1),
        Phase::Ending => "all blocks are done".to_owned(),
    }
}

/// Enough of a commit's hash for people.
fn short(commit: &str) -> &str {
    commit.get(..12).unwrap_or(commit)
}

fn seconds(duration: Duration) -> String {
    let whole = duration.as_secs();
    if whole >= 60 { format!("{} min {} s", whole / 60, whole % 60) } else { format!("{whole} s") }
}
