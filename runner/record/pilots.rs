//! Pilots: stored so that nobody can say they never looked; never a verdict.

use std::path::Path;

use sample_table::SampleRow;
use serde::{Deserialize, Serialize};

use super::hash::RunName;
use super::privacy::without_private_paths;
use super::store;
use crate::failure::Failure;
use crate::project::Project;
use crate::verdict::Effect;

/// Folder of pilots in results/.
pub const PILOTS_FOLDER: &str = "pilots";
const PILOT_FILE: &str = "pilot.toml";

/// A pilot as it is stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredPilot {
    /// Version of this form: 1.
    pub format_version: u32,
    /// Its name.
    pub run: String,
    /// UTC, RFC 3339.
    pub at: String,
    /// Commit of the repository, where git knows one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The machine's name: a hash of its hardware.
    pub machine: String,
    /// Finds it again when its question is registered.
    pub question_key: String,
    /// Canonical form of the plan that was run.
    pub canonical_manifest: String,
    /// Each arm over off.
    #[serde(default)]
    pub effects: Vec<PilotEffect>,
}

/// One arm over off.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PilotEffect {
    /// The arm.
    pub arm: String,
    /// Its estimate.
    pub effect: Effect,
}

/// Writes a pilot to `results/pilots/<run>/`, a model's own path reduced to its file name.
///
/// # Errors
/// When a file cannot be written.
pub fn store_pilot(
    project: &Project,
    pilot: &StoredPilot,
    rows: &[SampleRow],
) -> Result<(), Failure> {
    let folder = project.results.join(PILOTS_FOLDER).join(&pilot.run);
    store::make_folder(&folder)?;
    let samples = folder.join(format!("samples.{}", sample_table::PREFERRED.extension()));
    let encoded = sample_table::encode(&samples, rows)
        .map_err(|error| Failure::failed(error.to_string()).at(samples.display()))?;
    store::write_whole(&samples, &encoded)?;
    let published = StoredPilot {
        canonical_manifest: without_private_paths(&pilot.canonical_manifest, &project.root),
        ..pilot.clone()
    };
    let text = toml::to_string(&published).map_err(|error| Failure::failed(error.to_string()))?;
    store::write_whole(&folder.join(PILOT_FILE), text.as_bytes())
}

/// Names of all pilots, oldest first.
///
/// # Errors
/// When the folder cannot be read.
pub fn pilot_names(project: &Project) -> Result<Vec<String>, Failure> {
    let folder = project.results.join(PILOTS_FOLDER);
    let names = store::names_in(&folder)?;
    Ok(names.into_iter().filter(|name| folder.join(name).join(PILOT_FILE).is_file()).collect())
}

/// A pilot without its samples; `None` when there is none of this name.
///
/// # Errors
/// When its file cannot be read.
pub(super) fn pilot_head(project: &Project, name: &str) -> Result<Option<StoredPilot>, Failure> {
    let path = project.results.join(PILOTS_FOLDER).join(name).join(PILOT_FILE);
    if path.is_file() { stored(&path).map(Some) } else { Ok(None) }
}

/// A pilot with its samples; `None` when there is none of this name.
///
/// # Errors
/// When its files cannot be read, or its samples are in a format that this build does not have.
pub fn read_pilot(
    project: &Project,
    run: &RunName,
) -> Result<Option<(StoredPilot, Vec<SampleRow>)>, Failure> {
    let folder = project.results.join(PILOTS_FOLDER).join(run.as_str());
    let path = folder.join(PILOT_FILE);
    if !path.is_file() {
        return Ok(None);
    }
    let pilot = stored(&path)?;
    let names = store::names_in(&folder)?;
    let samples = names.iter().find(|name| name.starts_with("samples.")).ok_or_else(|| {
        Failure::failed("the pilot has no samples")
            .at(folder.display())
            .hint("restore them from version control, or look again with `runner try`")
    })?;
    Ok(Some((pilot, store::read_samples(&folder.join(samples))?)))
}

fn stored(path: &Path) -> Result<StoredPilot, Failure> {
    let text = store::read_text(path)?;
    toml::from_str(&text).map_err(|error| {
        Failure::failed(format!("the pilot cannot be read: {}", error.message())).at(path.display())
    })
}

/// Pilots on a question, oldest first.
///
/// # Errors
/// When a pilot's file cannot be read.
pub fn pilots_on(project: &Project, question_key: &str) -> Result<Vec<StoredPilot>, Failure> {
    let folder = project.results.join(PILOTS_FOLDER);
    let mut pilots = Vec::new();
    for name in store::names_in(&folder)? {
        let path = folder.join(&name).join(PILOT_FILE);
        if !path.is_file() {
            continue;
        }
        let pilot = stored(&path)?;
        if pilot.question_key == question_key {
            pilots.push(pilot);
        }
    }
    Ok(pilots)
}
