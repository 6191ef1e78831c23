//! The steps of a search that results/ holds already.

use crate::design::history::Step;
use crate::failure::Failure;
use crate::project::Project;
use crate::record::{
    self, ContentHash, EntryBody, HistoryStep, HistoryStepResult, RECORD_FILE, Record, Registered,
    RunState, run_folder,
};
use crate::verdict::Verdict;

/// The steps of one search.
#[derive(Debug, Default)]
pub(super) struct Steps {
    /// Those with a sealed record, by number.
    pub(super) sealed: Vec<HistoryStepResult>,
    /// Those that are registered, and have none.
    pub(super) open: Vec<HistoryStep>,
}

impl Steps {
    /// Reads them: an experiment is a step of the search when its registration says so.
    pub(super) fn of(history: &Registered, project: &Project) -> Result<Steps, Failure> {
        let mut steps = Steps::default();
        let beginning = format!("{}-", history.plan().id);
        for id in record::experiments(project)? {
            if !id.as_str().starts_with(&beginning) {
                continue;
            }
            let entries = record::read_ledger(project, &id)?;
            let step = entries.into_iter().find_map(|entry| match entry.body {
                EntryBody::Register(registration) => registration.frozen.step_of,
                _ => None,
            });
            let ours =
                |step: &HistoryStep| step.manifest_hash == history.manifest_hash().to_string();
            let Some(step) = step.filter(ours) else { continue };
            let runs = record::runs_of(project, &id)?;
            match runs.iter().find(|folder| folder.state == RunState::Finished) {
                Some(folder) => {
                    let record = record::read(project, &folder.id, &folder.run)?;
                    steps.sealed.push(result(&step, &record, project)?);
                }
                None => steps.open.push(step),
            }
        }
        steps.sealed.sort_by_key(|step| step.number);
        Ok(steps)
    }

    /// The number of the next step about a commit: that of one which was begun, or a new one.
    pub(super) fn number_for(&self, commit: &str) -> u32 {
        let begun = self.open.iter().find(|step| step.commit == commit);
        let used = self.sealed.iter().map(|step| step.number);
        let used = used.chain(self.open.iter().map(|step| step.number));
        begun.map_or_else(|| used.max().unwrap_or(0) + 1, |step| step.number)
    }

    /// A step that has ended.
    pub(super) fn end(&mut self, result: HistoryStepResult) {
        self.open.retain(|step| step.number != result.number);
        self.sealed.push(result);
    }
}

/// What a step's record says.
pub(super) fn result(
    step: &HistoryStep,
    record: &Record,
    project: &Project,
) -> Result<HistoryStepResult, Failure> {
    let sealed = &record.sealed;
    let folder = run_folder(project, &sealed.id, &sealed.run);
    let comparison = sealed.analysis.comparisons.first().ok_or_else(|| {
        Failure::failed("the record of a step judges nothing").at(folder.display())
    })?;
    let path = folder.join(RECORD_FILE);
    let bytes = std::fs::read(&path)
        .map_err(|error| Failure::failed(format!("cannot be read: {error}")).at(path.display()))?;
    Ok(HistoryStepResult {
        number: step.number,
        commit: step.commit.clone(),
        verdict: comparison.verdict,
        reason: comparison.reason.code,
        effect: comparison.effect.clone(),
        record: format!("{}/{}", sealed.id, sealed.run),
        record_blake3: ContentHash::of(&bytes),
    })
}

/// What a verdict says to the search.
pub(super) fn said(verdict: Verdict) -> Step {
    match verdict {
        Verdict::Win => Step::Higher,
        Verdict::Loss => Step::Lower,
        Verdict::Level => Step::Level,
        _ => Step::Unclear,
    }
}
