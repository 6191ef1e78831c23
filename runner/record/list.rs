//! Every registration and every run, one line each: negative results beside wins.

use super::hash::RunName;
use super::history::read_history;
use super::ledger;
use super::read::{self, Head};
use super::registered::{Circumstances, CommitState};
use super::runs::{self, RunFolder, RunState};
use super::sealed::Record;
use crate::failure::Failure;
use crate::manifest::ExperimentId;
use crate::project::Project;
use crate::verdict::{Effect, Verdict};

/// All that results/ holds, by id and then run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Listing {
    /// One for each run, and one for each registration without a run.
    pub summaries: Vec<RunSummary>,
}

/// A run, or a registration without one.
#[derive(Debug, Clone, PartialEq)]
pub struct RunSummary {
    /// The experiment.
    pub id: ExperimentId,
    /// Its title; empty when the registration cannot be read.
    pub title: String,
    /// `None` for a registration without a run.
    pub run: Option<RunName>,
    /// When it was registered, and at which commit.
    pub registered: Option<Circumstances>,
    /// What is there.
    pub state: SummaryState,
}

/// What is there of a run.
#[derive(Debug, Clone, PartialEq)]
pub enum SummaryState {
    /// Registered, never run.
    RegisteredOnly,
    /// A search for a commit that has ended: what it found, in a line.
    Searched(String),
    /// Begun and not finished.
    Unfinished(RunState),
    /// A record.
    Finished(Box<FinishedSummary>),
    /// A record of a newer version: what is known of it.
    Newer(Box<Head>),
    /// A file that was changed or cannot be understood.
    Unreadable {
        /// Why.
        why: String,
    },
}

/// The parts of a record that a list shows.
#[derive(Debug, Clone, PartialEq)]
pub struct FinishedSummary {
    /// Which attempt.
    pub attempt: u32,
    /// Rules that it was judged by.
    pub rules_version: u32,
    /// UTC time of the run's start, RFC 3339.
    pub started: String,
    /// Commit at the run's start.
    pub commit: Option<String>,
    /// State of the repository at the run's start.
    pub state: CommitState,
    /// Model of the processor, or `unknown`.
    pub machine: String,
    /// Whether an engine was another than the committed pin.
    pub unpinned: bool,
    /// How much of the model off and the judged arms ran: `whole_model`, `slice of 4 of 30 layers`,
    /// `unknown`.
    pub extent: String,
    /// Whether that is a slice.
    pub is_slice: bool,
    /// One for each comparison.
    pub rows: Vec<SummaryRow>,
}

/// A comparison in a list.
#[derive(Debug, Clone, PartialEq)]
pub struct SummaryRow {
    /// The treatment.
    pub arm: String,
    /// The condition; empty without one.
    pub condition: String,
    /// Metric key.
    pub metric: String,
    /// The registered estimate.
    pub effect: Option<Effect>,
    /// The view that ignores pairing.
    pub pooled: Option<Effect>,
    /// What came out.
    pub verdict: Verdict,
    /// Its reason code.
    pub reason: crate::verdict::ReasonCode,
}

/// Lists everything. What cannot be read is listed as unreadable, not left out.
///
/// # Errors
/// When results/ itself cannot be read.
pub fn list(project: &Project) -> Result<Listing, Failure> {
    let mut summaries = Vec::new();
    for id in runs::experiments(project)? {
        let ledger = ledger::read_ledger(project, &id)
            .and_then(|entries| ledger::sole_registration(&entries, &id));
        let (title, registered, fault) = match ledger {
            Ok(Some(found)) => {
                (found.plan().title.clone(), Some(found.circumstances().clone()), None)
            }
            Ok(None) => (String::new(), None, None),
            Err(failure) => (String::new(), None, Some(failure.what)),
        };
        let runs = runs::runs_of(project, &id)?;
        let summary = |run: Option<RunName>, state: SummaryState| RunSummary {
            id: id.clone(),
            title: title.clone(),
            run,
            registered: registered.clone(),
            state,
        };
        if runs.is_empty() {
            let state = match fault {
                Some(why) => SummaryState::Unreadable { why },
                None => searched(project, &id),
            };
            summaries.push(summary(None, state));
            continue;
        }
        for folder in runs {
            let state = state_of(project, &folder);
            summaries.push(summary(Some(folder.run), state));
        }
    }
    Ok(Listing { summaries })
}

/// A search has no runs of its own: its steps have.
fn searched(project: &Project, id: &ExperimentId) -> SummaryState {
    match read_history(project, id) {
        Ok(Some(history)) => SummaryState::Searched(history.found()),
        Ok(None) => SummaryState::RegisteredOnly,
        Err(failure) => SummaryState::Unreadable { why: failure.what },
    }
}

fn state_of(project: &Project, folder: &RunFolder) -> SummaryState {
    if folder.state != RunState::Finished {
        return SummaryState::Unfinished(folder.state);
    }
    match (read::read(project, &folder.id, &folder.run), read::head(folder)) {
        (Ok(record), _) => SummaryState::Finished(Box::new(FinishedSummary::of(&record))),
        (Err(_), Ok(head)) if head.format_version > super::sealed::RECORD_VERSION => {
            SummaryState::Newer(Box::new(head))
        }
        (Err(failure), _) => SummaryState::Unreadable { why: failure.what },
    }
}

impl FinishedSummary {
    /// The parts of a record that a list shows.
    #[must_use]
    pub fn of(record: &Record) -> FinishedSummary {
        let rows = record.sealed.analysis.comparisons.iter().map(|comparison| SummaryRow {
            arm: comparison.arm.clone(),
            condition: comparison.condition.clone(),
            metric: comparison.metric.clone(),
            effect: comparison.effect.clone(),
            pooled: comparison.pooled.clone(),
            verdict: comparison.verdict,
            reason: comparison.reason.code,
        });
        let start = &record.provenance.start;
        FinishedSummary {
            attempt: record.sealed.attempt,
            rules_version: record.sealed.rules_version,
            started: start.utc.clone(),
            commit: record.provenance.repository.commit.clone(),
            state: record.provenance.repository.state,
            machine: start.machine.get("cpu_model").map_or("unknown", String::as_str).to_owned(),
            unpinned: record.provenance.has_unpinned_engine(),
            extent: record.provenance.regime.extent.clone(),
            is_slice: !record.provenance.slices.is_empty(),
            rows: rows.collect(),
        }
    }
}
