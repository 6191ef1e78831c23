//! A search for the commit that changed a metric: each step is an experiment of its own, registered,
//! run and sealed like any other.

use std::collections::BTreeSet;

use super::builds::{Attempt, attempt, ready_for};
use super::clock::utc_now;
use super::conduct::{Conduct, conduct};
use super::history_commits::told;
use super::history_steps::{Steps, result, said};
use super::lengths::check_lengths;
use super::observer::{Event, Observer};
use super::prepare::{Prepared, workers};
use super::provenance::BuildStamp;
use crate::design::history::{Commit, CommitOfStep, Found, Next, Search, most_steps, step_plan};
use crate::failure::Failure;
use crate::manifest::{Plan, WorkerChoice, to_toml};
use crate::project::Project;
use crate::record::{
    self, Circumstances, CommitState, Frozen, FrozenHistory, HistoryOutcome, HistoryStep,
    ManifestSource, Record, Registered, SearchedHistory, SkippedCommit,
};

/// What the caller brings to a search.
pub struct HistoryConduct<'run> {
    /// Where files lie.
    pub project: &'run Project,
    /// What this program was built from.
    pub stamp: &'run BuildStamp,
    /// Renders `table.md` of a step.
    pub table: &'run dyn Fn(&Record) -> String,
}

impl std::fmt::Debug for HistoryConduct<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("HistoryConduct")
            .field("project", &self.project)
            .finish_non_exhaustive()
    }
}

/// Searches, or goes on: steps that have a sealed record are read, and not measured again.
///
/// # Errors
/// As [`conduct`] of the step that is under way; a refusal when one of the two ends cannot be built.
pub fn search_history(
    registered: &Registered,
    bring: &HistoryConduct<'_>,
    observer: &mut dyn Observer,
) -> Result<SearchedHistory, Failure> {
    let (plan, project) = (registered.plan(), bring.project);
    let prepared = Prepared::as_registered(registered, project)?;
    registered.confirm(&prepared.frozen_with(plan, Vec::new()))?;
    let frozen = registered.frozen().history.as_ref().ok_or_else(|| {
        Failure::failed("its registration names no commits").at(format!("experiment {}", plan.id))
    })?;
    let repeats = plan.history.as_ref().map_or(0, |history| history.repeats_at_most);
    let mut going = Going { registered, bring, frozen, steps: Steps::of(registered, project)? };
    let mut skipped: Vec<SkippedCommit> = Vec::new();
    let mut left_out: BTreeSet<Commit> = BTreeSet::new();
    loop {
        let search = Search {
            commits: frozen.commits.len(),
            repeats_at_most: repeats,
            known: going.known(),
            skipped: left_out.clone(),
        };
        let place = match search.next() {
            Next::Measure(place) => place,
            Next::Answer(Found::BadEnd) => {
                let why = skipped.last().map_or("there is no commit", |skipped| &skipped.why);
                return Err(Failure::refused(format!("the bad commit cannot be built: {why}"))
                    .at("[history]")
                    .hint("name an earlier `bad` that compiles, under a new id"));
            }
            Next::Answer(found) => return going.answer(&found, skipped),
        };
        let Some(commit) = place.checked_sub(1).and_then(|index| frozen.commits.get(index)) else {
            return Err(Failure::failed("the search left its commits"));
        };
        if let Some(failure) =
            going.measure(commit, most_steps(search.commits, repeats), observer)?
        {
            observer.event(Event::CommitSkipped { commit, why: &failure });
            left_out.insert(place);
            skipped.push(SkippedCommit { commit: commit.clone(), why: failure.what });
        }
    }
}

struct Going<'run> {
    registered: &'run Registered,
    bring: &'run HistoryConduct<'run>,
    frozen: &'run FrozenHistory,
    steps: Steps,
}

impl Going<'_> {
    fn known(&self) -> std::collections::BTreeMap<Commit, Vec<crate::design::history::Step>> {
        let mut known = std::collections::BTreeMap::<Commit, Vec<_>>::new();
        for step in &self.steps.sealed {
            let place = self.frozen.commits.iter().position(|commit| *commit == step.commit);
            if let Some(place) = place {
                known.entry(place + 1).or_default().push(said(step.verdict));
            }
        }
        known
    }

    /// Makes a step; a failure that comes back is that of a commit which cannot be built.
    fn measure(
        &mut self,
        commit: &str,
        most: u32,
        observer: &mut dyn Observer,
    ) -> Result<Option<Failure>, Failure> {
        let project = self.bring.project;
        let number = self.steps.number_for(commit);
        let plan = step_plan(
            self.registered.plan(),
            CommitOfStep {
                number,
                good: &self.frozen.good,
                commit,
                commits: self.frozen.commits.len(),
            },
        )?;
        observer.event(Event::HistoryStep { number, most, commit });
        if let Some(failure) = self.unbuildable(&plan, observer)? {
            return Ok(Some(failure));
        }
        let step = HistoryStep {
            history: self.registered.plan().id.to_string(),
            manifest_hash: self.registered.manifest_hash().to_string(),
            number,
            commit: commit.to_owned(),
        };
        let registered = self.register(&plan, &step, observer)?;
        let source = ManifestSource::of(&to_toml(&plan), &plan, &registered)?;
        let sealed = conduct(
            &registered,
            &Conduct {
                project,
                manifest_source: &source,
                stamp: self.bring.stamp,
                table: self.bring.table,
            },
            observer,
        )?;
        let result = result(&step, &sealed.record, project)?;
        observer.event(Event::HistoryStepEnded { commit, verdict: result.verdict });
        self.steps.end(result);
        Ok(None)
    }

    /// Builds both sides. That the good commit does not compile ends the search.
    fn unbuildable(
        &self,
        plan: &Plan,
        observer: &mut dyn Observer,
    ) -> Result<Option<Failure>, Failure> {
        let off = plan.arms.get(plan.off()).map(|off| plan.worker_of(off));
        for choice in workers(plan) {
            let WorkerChoice::Build(build) = choice else { continue };
            let made = attempt(build, self.bring.project, &mut |step| {
                observer.event(Event::Build(step));
            })?;
            match made {
                Attempt::Made(_) => {}
                Attempt::BadTree(failure) if off == Some(choice) => {
                    return Err(failure.hint("name a `good` commit that compiles, under a new id"));
                }
                Attempt::BadTree(failure) => return Ok(Some(failure)),
            }
        }
        Ok(None)
    }

    /// Freezes a step in a ledger of its own, which names the search.
    fn register(
        &self,
        plan: &Plan,
        step: &HistoryStep,
        observer: &mut dyn Observer,
    ) -> Result<Registered, Failure> {
        let project = self.bring.project;
        let prepared = Prepared::of(plan, project)?;
        let executables = ready_for(plan, project, &mut |step| observer.event(Event::Build(step)))?;
        check_lengths(plan, &prepared, &executables)?;
        let frozen = Frozen { step_of: Some(step.clone()), ..prepared.frozen(plan, &executables)? };
        let circumstances = Circumstances {
            at: utc_now(),
            commit: self.registered.circumstances().commit.clone(),
            // this entry is in no commit yet
            state: CommitState::Uncommitted,
        };
        Ok(record::register(project, plan, &frozen, &circumstances)?.registered)
    }

    fn answer(
        &self,
        found: &Found,
        skipped: Vec<SkippedCommit>,
    ) -> Result<SearchedHistory, Failure> {
        let (outcome, places) = match found {
            Found::First(place) => (HistoryOutcome::First, vec![*place]),
            Found::OneOf(places) => (HistoryOutcome::OneOf, places.clone()),
            Found::Parked(places) => (HistoryOutcome::Parked, places.clone()),
            Found::NoChange | Found::BadEnd => (HistoryOutcome::NoChange, Vec::new()),
        };
        let plan = self.registered.plan();
        let hashes = places.iter().filter_map(|place| self.frozen.commits.get(place - 1));
        let commits = hashes.map(|commit| told(plan, self.bring.project, commit));
        Ok(SearchedHistory {
            format_version: 1,
            id: plan.id.clone(),
            manifest_hash: *self.registered.manifest_hash(),
            metric: plan.metric.primary.key().to_owned(),
            good: self.frozen.good.clone(),
            bad: self.frozen.commits.last().cloned().unwrap_or_default(),
            outcome,
            commits: commits.collect::<Result<_, Failure>>()?,
            steps: self.steps.sealed.clone(),
            skipped,
        })
    }
}
