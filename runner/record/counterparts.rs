//! What stands beside a record in another regime: a slice's whole model, or a whole model's slices.

use super::hash::RunName;
use super::ledger;
use super::read;
use super::runs::{self, RunState};
use super::sealed::Record;
use super::versions::frozen_versions;
use crate::failure::Failure;
use crate::manifest::{ExperimentId, Plan};
use crate::project::Project;

/// The other side of a record.
#[derive(Debug, Clone, PartialEq)]
pub enum Counterparts {
    /// The record is of the whole model (or of a file whose extent nobody knows), and no slice
    /// predicts it.
    None,
    /// The record is of a slice.
    OfSlice {
        /// The experiment that its manifest says it predicts.
        predicts: Option<ExperimentId>,
        /// What is there of that experiment.
        whole: Counterpart,
    },
    /// The record is of what slices predict; one for each experiment that does.
    OfWhole {
        /// Sorted by id.
        slices: Vec<(ExperimentId, Counterpart)>,
    },
}

/// A record of the other regime.
#[derive(Debug, Clone, PartialEq)]
pub enum Counterpart {
    /// The experiment's first finished run: its primary one.
    Measured(Box<Record>),
    /// No run of it was finished.
    NotMeasured,
    /// It is there and cannot be read.
    Unreadable {
        /// Its run.
        run: RunName,
        /// Why.
        why: String,
    },
}

/// Looks for the other side of a record in the same results.
///
/// # Errors
/// When results/ itself cannot be read.
pub fn counterparts(project: &Project, record: &Record) -> Result<Counterparts, Failure> {
    let own = &record.sealed.id;
    let is_slice = record.sealed.facts.slices.iter().any(|slice| is_off(record, &slice.arm));
    if is_slice {
        let predicts = record.plan.predicts().cloned();
        let whole = match &predicts {
            Some(id) => counterpart(project, id)?,
            None => Counterpart::NotMeasured,
        };
        return Ok(Counterparts::OfSlice { predicts, whole });
    }
    let mut slices = Vec::new();
    for id in runs::experiments(project)? {
        // what cannot be read is listed elsewhere
        let Ok(Some(plan)) = registered_plan(project, &id) else { continue };
        if plan.predicts() == Some(own) {
            slices.push((id.clone(), counterpart(project, &id)?));
        }
    }
    Ok(if slices.is_empty() { Counterparts::None } else { Counterparts::OfWhole { slices } })
}

fn is_off(record: &Record, arm: &str) -> bool {
    record.plan.arms.get(record.plan.off()).is_some_and(|off| off.name.as_str() == arm)
}

fn counterpart(project: &Project, id: &ExperimentId) -> Result<Counterpart, Failure> {
    let runs = runs::runs_of(project, id)?;
    let Some(first) = runs.iter().find(|folder| folder.state == RunState::Finished) else {
        return Ok(Counterpart::NotMeasured);
    };
    Ok(match read::read(project, id, &first.run) {
        Ok(record) => Counterpart::Measured(Box::new(record)),
        Err(failure) => Counterpart::Unreadable { run: first.run.clone(), why: failure.what },
    })
}

/// The plan that is registered under an id; `None` where there is no registration.
///
/// # Errors
/// When the ledger cannot be read, or holds two different plans.
pub fn registered_plan(project: &Project, id: &ExperimentId) -> Result<Option<Plan>, Failure> {
    let entries = ledger::read_ledger(project, id)?;
    let versions = frozen_versions(&entries, id)?;
    Ok(versions.map(|versions| versions.current().plan().clone()))
}
