//! Reads a manifest file in its project.

use std::io::Read;
use std::path::Path;

use super::{noise, stored_plan};
use crate::failure::Failure;
use crate::manifest::{
    self, Build, Diagnostics, MeasurementClass, NoNoise, NoiseFacts, NoiseSource, Plan, Reading,
    Surroundings, TextOrigin, WorkloadFacts,
};
use crate::project::Project;
use crate::workload::InputSet;
use crate::workload::calibration::{self, Unit};
use crate::{builds, model, workload};

/// A manifest that was read, with its text.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadManifest {
    /// The text, without a byte order mark.
    pub source: String,
    /// The plan, and warnings.
    pub reading: Reading,
}

/// Why a manifest could not be read.
#[derive(Debug, Clone, PartialEq)]
pub enum Unreadable {
    /// The file itself.
    File(Failure),
    /// Its content: all faults at once.
    Content(Diagnostics),
}

impl From<Unreadable> for Failure {
    fn from(unreadable: Unreadable) -> Failure {
        match unreadable {
            Unreadable::File(failure) => failure,
            Unreadable::Content(diagnostics) => diagnostics.into(),
        }
    }
}

/// Reads the manifest at `path`. Hashes no model and runs nothing.
///
/// # Errors
/// [`Unreadable::File`] when there is no such file; otherwise all faults of the manifest.
pub fn read_manifest(path: &Path, project: &Project) -> Result<ReadManifest, Unreadable> {
    let bytes = read_bounded(path).map_err(|error| {
        Unreadable::File(
            Failure::usage(format!("the manifest cannot be read: {error}"))
                .at(path.display())
                .hint("`runner list` shows the experiments; `runner new` writes a manifest"),
        )
    })?;
    let source = manifest::decode(&bytes, path).map_err(Unreadable::Content)?;
    let reading =
        manifest::read(&source, path, &InProject { project }).map_err(Unreadable::Content)?;
    Ok(ReadManifest { source, reading })
}

/// A file's bytes, at most one more than a manifest may have: the language says what is too much.
fn read_bounded(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(manifest::LARGEST as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A project's workloads and models.
struct InProject<'project> {
    project: &'project Project,
}

impl Surroundings for InProject<'_> {
    fn workload(&self, inputs: &str) -> Result<WorkloadFacts, Failure> {
        let set = workload::load(inputs, self.project)?;
        let origin = origin(&set, self.project);
        Ok(WorkloadFacts {
            items: set.items.len(),
            bytes: set.items.iter().map(|item| item.text.len() as u64).sum(),
            classes: set.classes,
            origin,
            blake3: set.blake3.to_string(),
        })
    }

    fn against(&self, inputs: &str, class: MeasurementClass) -> Vec<String> {
        // a set without bars to pass is not even read
        if calibration::bars(class).is_empty() {
            return Vec::new();
        }
        let Ok(set) = workload::load(inputs, self.project) else { return Vec::new() };
        against(&set, class, self.project)
    }

    fn workload_names(&self) -> Vec<String> {
        workload::EMBEDDED_NAMES.iter().map(|name| (*name).to_owned()).collect()
    }

    fn model_names(&self) -> Result<Vec<String>, Failure> {
        let entries = model::catalogue(self.project)?;
        Ok(entries.into_iter().map(|entry| entry.name).collect())
    }

    fn builds(&self) -> Result<Vec<Build>, Failure> {
        builds::catalogue(self.project)
    }

    fn noise(&self, source: &NoiseSource) -> Result<NoiseFacts, NoNoise> {
        noise::noise(self.project, source)
    }

    fn noise_sources(&self, source: &NoiseSource) -> Vec<String> {
        noise::sources(self.project, source)
    }

    fn stored_plan(&self, name: &str) -> Result<Option<Plan>, Failure> {
        stored_plan::stored_plan(self.project, name)
    }

    fn is_file(&self, path: &str) -> bool {
        self.project.resolve(path).is_file()
    }
}

/// What keeps a set out of a class. No tokenizer is named while a manifest is read, so a set that
/// some tokenizer finds fit passes here, and is asked again with the model's own.
fn against(set: &InputSet, class: MeasurementClass, project: &Project) -> Vec<String> {
    // a file of calibrations that cannot be understood is said where it is needed
    let known = calibration::known(set, project).unwrap_or_default();
    let measured = known.measured.iter();
    let mut by_tokens =
        measured.map(|one| calibration::fitness(class, &one.content, Unit::Tokens).reasons());
    match by_tokens.next() {
        Some(first) if by_tokens.all(|reasons| !reasons.is_empty()) => first,
        Some(_) => Vec::new(),
        None => calibration::by_words(class, set).reasons(),
    }
}

/// The set that is part of the program and made by a rule.
const FILLER: &str = "filler-48";

/// Filler is known by its content, whatever its file is called.
fn origin(set: &InputSet, project: &Project) -> TextOrigin {
    let filler = workload::load(FILLER, project);
    if filler.is_ok_and(|filler| filler.blake3 == set.blake3) {
        TextOrigin::Filler
    } else {
        TextOrigin::Drawn
    }
}
