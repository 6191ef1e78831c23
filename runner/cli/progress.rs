//! A progress bar on a terminal, plain lines elsewhere. It moves only when the run tells something,
//! and the run tells nothing while a clock runs: there is no ticking thread.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use runner::exec::{Event, Observer, Phase};
use runner::record::verdict_word;

use super::builds;
use super::live_view::{LiveView, phase_text, seconds, seen_text};
use super::terminal::Terminal;

/// What is told of a run, and where it goes.
pub struct Progress {
    view: LiveView,
    sink: Sink,
}

/// Where progress goes.
enum Sink {
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
        let sink = if json {
            Sink::Quiet
        } else if std::io::stderr().is_terminal() {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            // each on a line of its own: both fit any width
            if let Ok(style) = ProgressStyle::with_template("{wide_msg}\n{wide_bar} {pos}/{len}") {
                bar.set_style(style);
            }
            Sink::Bar(bar)
        } else {
            Sink::Lines(terminal)
        };
        Progress { view: LiveView::default(), sink }
    }

    /// Takes the bar away.
    pub fn done(&self) {
        if let Sink::Bar(bar) = &self.sink {
            bar.finish_and_clear();
        }
    }

    /// The bar shows where the run stands; a log is told these words.
    fn say(&self, text: String) {
        match &self.sink {
            Sink::Bar(bar) => bar.set_message(self.view.line()),
            // a reader that has gone away is no reason to stop a run
            Sink::Lines(terminal) => drop(terminal.note(text)),
            Sink::Quiet => {}
        }
    }

    /// Words that stay above the bar.
    fn keep(&self, text: String) {
        match &self.sink {
            Sink::Bar(bar) => bar.println(text),
            Sink::Lines(terminal) => drop(terminal.note(text)),
            Sink::Quiet => {}
        }
    }

    fn block(&self, done: u32, of: u32) {
        if let Sink::Bar(bar) = &self.sink {
            bar.set_length(u64::from(of));
            bar.set_position(u64::from(done));
            bar.set_message(self.view.line());
        }
    }
}

impl Observer for Progress {
    fn event(&mut self, event: Event<'_>) {
        self.view.take(&event);
        match event {
            Event::Phase(Phase::References { of: 0 }) => {}
            // a log has the round
            Event::Phase(Phase::Starting { .. }) if matches!(self.sink, Sink::Lines(_)) => {}
            Event::Phase(phase) => self.say(phase_text(phase)),
            Event::Build(step) => self.keep(builds::text(&step)),
            Event::Resumed { run, interruption } => self.keep(format!(
                "going on with {run}: cut in round {}, after {} of its blocks",
                interruption.round + 1,
                interruption.blocks_done
            )),
            Event::WaitingForQuiet { detail, waited, limit } => {
                // a log is told once in ten seconds
                if matches!(self.sink, Sink::Bar(_)) || waited.as_secs() % 10 == 0 {
                    self.say(format!(
                        "waiting for quiet ({} of {}): {detail}",
                        seconds(waited),
                        seconds(limit)
                    ));
                }
            }
            Event::BlockStarted { done, of, .. } => self.block(done, of),
            Event::BlockFinished { done, of, left, .. } => {
                self.block(done, of);
                // ten lines a run are enough for a log
                if let Sink::Lines(terminal) = &self.sink
                    && (done == of || done % of.div_ceil(10).max(1) == 0)
                {
                    let flagged = self.view.flagged_words();
                    let flagged = flagged.map(|words| format!(", {words}")).unwrap_or_default();
                    let left = seconds(left);
                    drop(terminal.note(format!("block {done} of {of}, {left} left{flagged}")));
                }
            }
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
            Event::LookFigures(seen) => seen.iter().for_each(|one| self.keep(seen_text(one))),
            Event::ArmEnded(fault) => {
                self.keep(format!("arm `{}` ended: {}", fault.arm, fault.detail));
            }
        }
    }
}

/// Enough of a commit's hash for people.
fn short(commit: &str) -> &str {
    commit.get(..12).unwrap_or(commit)
}
