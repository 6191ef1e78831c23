//! Every registration and every run, one line each: negative results beside wins.

use serde::{Deserialize, Serialize};

use super::entry::Entry;
use super::figure_state::{FigureState, comparison_state, record_state};
use super::hash::RunName;
use super::history::read_history;
use super::ledger;
use super::list_cache::ListCache;
use super::parallel::in_parallel;
use super::read::{self, Head};
use super::registered::{Circumstances, CommitState};
use super::runs::{self, RunFolder, RunState};
use super::sealed::Record;
use super::versions::{FrozenVersions, frozen_versions};
use crate::failure::Failure;
use crate::manifest::{ExperimentId, QuestionKey};
use crate::project::Project;
use crate::verdict::{Effect, Verdict};

/// All that results/ holds, by id and then run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Listing {
    /// One for each run, and one for each registration without a run.
    pub summaries: Vec<RunSummary>,
}

/// A run, or a registration without one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunSummary {
    /// The experiment.
    pub id: ExperimentId,
    /// Its title; empty when the registration cannot be read.
    pub title: String,
    /// `None` for a registration without a run.
    pub run: Option<RunName>,
    /// When it was registered, and at which commit.
    pub registered: Option<Circumstances>,
    /// How often it was amended before it was run.
    pub amendments: usize,
    /// When and why it was withdrawn, in words.
    pub withdrawn: Option<String>,
    /// Finds runs of the same question; `None` without a registration.
    pub question: Option<QuestionKey>,
    /// What is there.
    pub state: SummaryState,
}

/// What is there of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    /// How the ledger entry stood in the repository at the run's start, where it was kept.
    pub registration_at_start: Option<CommitState>,
    /// Model of the processor, or `unknown`.
    pub machine: String,
    /// Whether an engine was another than the committed pin.
    pub unpinned: bool,
    /// How much of the model off and the judged arms ran: `whole_model`, `slice of 4 of 30 layers`,
    /// `unknown`.
    pub extent: String,
    /// Whether that is a slice.
    pub is_slice: bool,
    /// The model, and its form where the arms loaded another one.
    pub model: String,
    /// What was timed: `decode`, `prefill`, `primitive`.
    pub work: String,
    /// Measurement class of the inputs.
    pub class: String,
    /// Depths that were measured; 0 alone is not named.
    pub depths: Vec<u32>,
    /// Backends that computed.
    pub backends: Vec<String>,
    /// What became of the record as a whole.
    pub figure: FigureState,
    /// One for each comparison.
    pub rows: Vec<SummaryRow>,
}

/// A comparison in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    /// Rounds and blocks that entered.
    pub n: (u32, u32),
    /// Off's median and the arm's, in the metric's unit.
    pub medians: Option<(f64, f64)>,
    /// What became of this figure.
    pub figure: FigureState,
}

/// Lists everything, all of it read. What cannot be read is listed as unreadable, not left out.
///
/// # Errors
/// When results/ itself cannot be read.
pub fn list(project: &Project) -> Result<Listing, Failure> {
    let ids = runs::experiments(project)?;
    let mut listing = Listing::default();
    for summaries in in_parallel(&ids, |id| of_experiment(project, id)) {
        listing.summaries.extend(summaries?);
    }
    Ok(listing)
}

/// The same, but what has not changed since the last time is taken from the project's cache.
///
/// # Errors
/// When results/ itself cannot be read.
pub fn list_with_cache(project: &Project) -> Result<Listing, Failure> {
    let ids = runs::experiments(project)?;
    let cache = ListCache::read(project);
    let read = in_parallel(&ids, |id| match cache.holds(project, id) {
        true => Ok(None),
        false => of_experiment(project, id).map(Some),
    });
    let read = read.into_iter().collect::<Result<Vec<_>, Failure>>()?;
    Ok(Listing { summaries: cache.renewed(project, &ids, read) })
}

/// Reads the summaries of one experiment.
fn of_experiment(project: &Project, id: &ExperimentId) -> Result<Vec<RunSummary>, Failure> {
    let entries = ledger::read_ledger(project, id);
    let versions = match &entries {
        Ok(entries) => frozen_versions(entries, id),
        Err(failure) => Err(failure.clone()),
    };
    let entries = entries.unwrap_or_default();
    let (versions, fault) = match versions {
        Ok(versions) => (versions, None),
        Err(failure) => (None, Some(failure.what)),
    };
    let runs = runs::runs_of(project, id)?;
    let summary = |run: Option<RunName>, state: SummaryState| {
        RunSummary::of(id.clone(), run, versions.as_ref(), state)
    };
    if runs.is_empty() {
        let state = match fault {
            Some(why) => SummaryState::Unreadable { why },
            None => searched(project, id),
        };
        return Ok(vec![summary(None, state)]);
    }
    let states = runs.into_iter().map(|folder| {
        let state = state_of(project, &folder, &entries);
        summary(Some(folder.run), state)
    });
    Ok(states.collect())
}

impl RunSummary {
    fn of(
        id: ExperimentId,
        run: Option<RunName>,
        versions: Option<&FrozenVersions>,
        state: SummaryState,
    ) -> RunSummary {
        let current = versions.map(FrozenVersions::current);
        RunSummary {
            id,
            title: current.map(|found| found.plan().title.clone()).unwrap_or_default(),
            run,
            registered: current.map(|found| found.circumstances().clone()),
            amendments: versions.map_or(0, |versions| versions.all().count() - 1),
            withdrawn: versions.and_then(FrozenVersions::withdrawn).map(|(when, withdrawal)| {
                let day = when.at.get(..10).unwrap_or(&when.at);
                format!("withdrawn on {day}: {}", withdrawal.reason)
            }),
            question: current.map(|found| *found.question_key()),
            state,
        }
    }
}

/// A search has no runs of its own: its steps have.
fn searched(project: &Project, id: &ExperimentId) -> SummaryState {
    match read_history(project, id) {
        Ok(Some(history)) => SummaryState::Searched(history.found()),
        Ok(None) => SummaryState::RegisteredOnly,
        Err(failure) => SummaryState::Unreadable { why: failure.what },
    }
}

fn state_of(project: &Project, folder: &RunFolder, entries: &[Entry]) -> SummaryState {
    if folder.state != RunState::Finished {
        return SummaryState::Unfinished(folder.state);
    }
    match (read::read(project, &folder.id, &folder.run), read::head(folder)) {
        (Ok(record), _) => SummaryState::Finished(Box::new(FinishedSummary::of(&record, entries))),
        (Err(_), Ok(head)) if head.format_version > super::sealed::RECORD_VERSION => {
            SummaryState::Newer(Box::new(head))
        }
        (Err(failure), _) => SummaryState::Unreadable { why: failure.what },
    }
}

impl FinishedSummary {
    /// The parts of a record that a list shows.
    #[must_use]
    pub fn of(record: &Record, entries: &[Entry]) -> FinishedSummary {
        let run = &record.sealed.run;
        let rows = record.sealed.analysis.comparisons.iter().map(|comparison| SummaryRow {
            arm: comparison.arm.clone(),
            condition: comparison.condition.clone(),
            metric: comparison.metric.clone(),
            effect: comparison.effect.clone(),
            pooled: comparison.pooled.clone(),
            verdict: comparison.verdict,
            reason: comparison.reason.code,
            n: (comparison.rounds, comparison.blocks),
            medians: comparison
                .off
                .as_ref()
                .zip(comparison.treatment.as_ref())
                .map(|(off, arm)| (off.median, arm.median)),
            figure: comparison_state(entries, run, &comparison.arm, &comparison.condition),
        });
        let start = &record.provenance.start;
        FinishedSummary {
            attempt: record.sealed.attempt,
            rules_version: record.sealed.rules_version,
            started: start.utc.clone(),
            commit: record.provenance.repository.commit.clone(),
            state: record.provenance.repository.state,
            registration_at_start: record.provenance.registration_at_start,
            machine: start.machine.get("cpu_model").map_or("unknown", String::as_str).to_owned(),
            unpinned: record.provenance.has_unpinned_engine(),
            extent: record.provenance.regime.extent.clone(),
            is_slice: !record.provenance.slices.is_empty(),
            model: model_and_form(record),
            work: record.plan.workload.work.word().to_owned(),
            class: record.provenance.regime.class.clone(),
            depths: record.provenance.regime.depth_tokens.clone(),
            backends: record.provenance.regime.backends.clone(),
            figure: record_state(entries, run),
            rows: rows.collect(),
        }
    }
}

/// `smollm2-135m-instruct-q4_1 as F32` where all arms loaded one form of it.
fn model_and_form(record: &Record) -> String {
    let name = &record.provenance.model.name;
    match record.provenance.forms.as_slice() {
        [] => name.clone(),
        forms => {
            let named = |form: &super::provenance::FormProvenance| {
                let word = serde_json::to_value(form.form).unwrap_or_default();
                word.as_str().unwrap_or_default().to_uppercase()
            };
            let forms: Vec<String> = forms.iter().map(named).collect();
            format!("{name} as {}", forms.join(", "))
        }
    }
}
