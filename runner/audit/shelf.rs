//! All records with their state: what a document may cite.

use std::collections::{BTreeMap, BTreeSet};

use super::allowed::Allowed;
use super::ledgers::{Ledger, ledgers};
use crate::failure::Failure;
use crate::manifest::ExperimentId;
use crate::model;
use crate::project::Project;
use crate::record::{
    self, Entry, EntryBody, FigureState, Listing, Record, Retraction, RunName, SummaryState,
    comparison_state, record_state, run_folder,
};

/// The records of a project, and what was said of them since.
#[derive(Debug)]
pub struct Shelf {
    records: BTreeMap<String, Shelved>,
    /// What each ledger says.
    pub ledgers: Vec<Ledger>,
    /// All registrations and runs.
    pub listing: Listing,
    /// Names of models, of records and of the catalogue, in lower case.
    pub models: BTreeSet<String>,
    /// Names of arms of all records.
    pub arms: BTreeSet<String>,
    /// Engine's words for the architectures of all records.
    pub architectures: BTreeSet<String>,
    /// Names of the sets of inputs of all records.
    pub inputs: BTreeSet<String>,
}

/// A record on the shelf.
#[derive(Debug)]
pub struct Shelved {
    /// `id/run`.
    pub name: String,
    /// The record, or why it cannot be read.
    pub content: Result<Box<Record>, String>,
    /// Figures that may be said of it.
    pub allowed: Allowed,
    /// What became of it as a whole.
    pub state: FigureState,
    entries: Vec<Entry>,
}

impl Shelved {
    /// What became of one comparison.
    #[must_use]
    pub fn state_at(&self, arm: &str, condition: &str) -> FigureState {
        match &self.content {
            Ok(record) => comparison_state(&self.entries, &record.sealed.run, arm, condition),
            Err(_) => self.state.clone(),
        }
    }

    /// Retractions of the record, or of parts of it.
    pub fn retractions(&self) -> impl Iterator<Item = &Retraction> {
        self.entries.iter().filter_map(|entry| match &entry.body {
            EntryBody::Retract(body) if self.name.ends_with(&format!("/{}", body.run)) => {
                Some(body)
            }
            _ => None,
        })
    }
}

impl Shelf {
    /// Reads all records of a project.
    ///
    /// # Errors
    /// When results/ or the catalogue of models cannot be read.
    pub fn read(project: &Project) -> Result<Shelf, Failure> {
        let listing = record::list(project)?;
        let mut shelf = Shelf {
            records: BTreeMap::new(),
            ledgers: ledgers(project)?,
            models: model::catalogue(project)?
                .into_iter()
                .map(|entry| entry.name.to_lowercase())
                .collect(),
            arms: BTreeSet::new(),
            architectures: BTreeSet::new(),
            inputs: BTreeSet::new(),
            listing,
        };
        let runs: Vec<(ExperimentId, RunName)> = shelf
            .listing
            .summaries
            .iter()
            .filter(|summary| !matches!(summary.state, SummaryState::Unfinished(_)))
            .filter_map(|summary| Some((summary.id.clone(), summary.run.clone()?)))
            .collect();
        for (id, run) in runs {
            shelf.put(project, &id, &run);
        }
        Ok(shelf)
    }

    fn put(&mut self, project: &Project, id: &ExperimentId, run: &RunName) {
        let content = record::read(project, id, run);
        let allowed = match &content {
            Ok(record) => {
                self.learn(record);
                let text = |name: &str| {
                    let path = run_folder(project, id, run).join(name);
                    std::fs::read_to_string(path).unwrap_or_default()
                };
                Allowed::of(record, &text(record::MANIFEST_FILE), &[&text(record::TABLE_FILE)])
            }
            Err(_) => Allowed::default(),
        };
        let ledger = self.ledgers.iter().find(|ledger| ledger.id == *id);
        let entries = ledger.map(|ledger| ledger.entries().to_vec()).unwrap_or_default();
        let state = record_state(&entries, run);
        let name = format!("{id}/{run}");
        let content = content.map(Box::new).map_err(|failure| failure.what);
        self.records.insert(name.clone(), Shelved { name, content, allowed, state, entries });
    }

    fn learn(&mut self, record: &Record) {
        self.arms.extend(record.plan.arms.iter().map(|arm| arm.name.to_string()));
        self.models.insert(record.provenance.model.name.to_lowercase());
        self.architectures.insert(record.provenance.model.architecture.to_lowercase());
        self.inputs.insert(record.provenance.workload.name.to_lowercase());
        let own = record.provenance.arm_inputs.iter();
        self.inputs.extend(own.map(|inputs| inputs.name.to_lowercase()));
    }

    /// A record by its name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Shelved> {
        self.records.get(name)
    }

    /// All records, by name.
    pub fn records(&self) -> impl Iterator<Item = &Shelved> {
        self.records.values()
    }

    /// The name that is nearest to one that is not there.
    #[must_use]
    pub fn nearest(&self, name: &str) -> Option<&str> {
        const NEAR: f64 = 0.84;
        let near = self.records.keys().map(|known| (strsim::jaro_winkler(name, known), known));
        near.filter(|(similarity, _)| *similarity >= NEAR)
            .max_by(|one, other| one.0.total_cmp(&other.0))
            .map(|(_, known)| known.as_str())
    }
}
