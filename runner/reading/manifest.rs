//! Reads a manifest file in its project.

use std::io::Read;
use std::path::Path;

use super::noise;
use crate::failure::Failure;
use crate::manifest::{
    self, Diagnostics, NoNoise, NoiseFacts, NoiseSource, Reading, Surroundings, TextOrigin,
    WorkloadFacts,
};
use crate::project::Project;
use crate::workload::InputSet;
use crate::{model, workload};

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

    fn workload_names(&self) -> Vec<String> {
        workload::EMBEDDED_NAMES.iter().map(|name| (*name).to_owned()).collect()
    }

    fn model_names(&self) -> Result<Vec<String>, Failure> {
        let entries = model::catalogue(self.project)?;
        Ok(entries.into_iter().map(|entry| entry.name).collect())
    }

    fn noise(&self, source: &NoiseSource) -> Result<NoiseFacts, NoNoise> {
        noise::noise(self.project, source)
    }

    fn noise_sources(&self, source: &NoiseSource) -> Vec<String> {
        noise::sources(self.project, source)
    }

    fn is_file(&self, path: &str) -> bool {
        self.project.resolve(path).is_file()
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
