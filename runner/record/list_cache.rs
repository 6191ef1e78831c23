//! Summaries of experiments that have not changed since they were last listed, kept in the project's
//! cache. Sealed files do not change, so length, time of change and inode of each tell whether it is
//! still the one that was read; `record verify` reads everything, whatever the cache says.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::history::HISTORY_FILE;
use super::list::{RunSummary, SummaryState};
use super::read::PROVENANCE_FILE;
use super::runs::{self, LEDGER_FOLDER, RECORD_FILE};
use super::store;
use crate::manifest::ExperimentId;
use crate::project::Project;

/// Folder in the project's cache.
const FOLDER: &str = "listings";

/// A file that changed so shortly before the cache was written might change again within the same tick
/// of its file system's clock: it is read anew. Coarse clocks tick every two seconds.
const UNSETTLED: Duration = Duration::from_secs(2);

/// What was listed last.
#[derive(Debug, Default)]
pub(super) struct ListCache {
    kept: BTreeMap<ExperimentId, Kept>,
    /// When it was written; nothing that changed later, or shortly before, is taken from it.
    written: Option<SystemTime>,
}

/// The cache as it is written.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Form {
    /// Another program may summarise otherwise.
    program: String,
    experiments: BTreeMap<ExperimentId, Kept>,
}

/// One experiment.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Kept {
    stamps: Vec<Stamp>,
    summaries: Vec<RunSummary>,
}

/// A file or folder, as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Stamp {
    /// Below the experiment's folder.
    path: String,
    bytes: u64,
    /// Nanoseconds since 1970.
    changed: u128,
    inode: u64,
}

impl ListCache {
    /// What the cache holds; nothing when it is missing, of another program, or not to be understood.
    pub(super) fn read(project: &Project) -> ListCache {
        let path = file(project);
        let Ok(bytes) = std::fs::read(&path) else { return ListCache::default() };
        match serde_json::from_slice::<Form>(&bytes) {
            Ok(form) if form.program == program() => ListCache {
                kept: form.experiments,
                written: path.metadata().and_then(|facts| facts.modified()).ok(),
            },
            _ => ListCache::default(),
        }
    }

    /// Whether nothing of an experiment has changed.
    pub(super) fn holds(&self, project: &Project, id: &ExperimentId) -> bool {
        let settled = || self.written?.checked_sub(UNSETTLED)?.duration_since(UNIX_EPOCH).ok();
        let (Some(kept), Some(settled)) = (self.kept.get(id), settled()) else { return false };
        let folder = runs::experiment_folder(project, id);
        kept.stamps.iter().all(|stamp| {
            stamp.changed < settled.as_nanos()
                && Stamp::of(&folder, &stamp.path).as_ref() == Some(stamp)
        })
    }

    /// All summaries, in the order of `ids`: of each those that were read, or else those that are kept.
    /// What was read is kept from now on. A cache that cannot be written makes the next listing slower,
    /// nothing else.
    pub(super) fn renewed(
        mut self,
        project: &Project,
        ids: &[ExperimentId],
        read: Vec<Option<Vec<RunSummary>>>,
    ) -> Vec<RunSummary> {
        let is_same = read.iter().all(Option::is_none) && self.kept.len() == ids.len();
        let mut summaries = Vec::new();
        let mut kept = BTreeMap::new();
        for (id, read) in ids.iter().zip(read) {
            let of_id = match read {
                Some(read) => stamps(project, id, &read)
                    .map(|stamps| Kept { stamps, summaries: read.clone() })
                    .ok_or(read),
                None => self.kept.remove(id).ok_or_else(Vec::new),
            };
            match of_id {
                Ok(of_id) if is_same => summaries.extend(of_id.summaries),
                Ok(of_id) => {
                    summaries.extend(of_id.summaries.iter().cloned());
                    kept.insert(id.clone(), of_id);
                }
                Err(not_kept) => summaries.extend(not_kept),
            }
        }
        if !is_same {
            write(project, kept);
        }
        summaries
    }
}

fn write(project: &Project, experiments: BTreeMap<ExperimentId, Kept>) {
    let form = Form { program: program(), experiments };
    let path = file(project);
    if let Some((bytes, folder)) = serde_json::to_vec(&form).ok().zip(path.parent()) {
        let _ = store::make_folder(folder).and_then(|()| store::write_whole(&path, &bytes));
    }
}

impl Stamp {
    fn of(folder: &Path, path: &str) -> Option<Stamp> {
        use std::os::unix::fs::MetadataExt;
        let facts = folder.join(path).symlink_metadata().ok()?;
        let changed = facts.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        Some(Stamp {
            path: path.to_owned(),
            bytes: facts.len(),
            changed: changed.as_nanos(),
            inode: facts.ino(),
        })
    }
}

/// Stamps of all that the summaries were read from; `None` where a run is under way.
fn stamps(project: &Project, id: &ExperimentId, summaries: &[RunSummary]) -> Option<Vec<Stamp>> {
    if summaries.iter().any(|summary| matches!(summary.state, SummaryState::Unfinished(_))) {
        return None;
    }
    let folder = runs::experiment_folder(project, id);
    let mut paths = vec![String::new(), LEDGER_FOLDER.to_owned()];
    for name in store::names_in(&folder.join(LEDGER_FOLDER)).ok()? {
        paths.push(format!("{LEDGER_FOLDER}/{name}"));
    }
    if folder.join(HISTORY_FILE).is_file() {
        paths.push(HISTORY_FILE.to_owned());
    }
    for run in summaries.iter().filter_map(|summary| summary.run.as_ref()) {
        paths.push(run.to_string());
        paths.push(format!("{run}/{RECORD_FILE}"));
        paths.push(format!("{run}/{PROVENANCE_FILE}"));
    }
    paths.iter().map(|path| Stamp::of(&folder, path)).collect()
}

fn file(project: &Project) -> PathBuf {
    let results = std::path::absolute(&project.results).unwrap_or_else(|_| project.results.clone());
    let name = blake3::hash(results.as_os_str().as_encoded_bytes()).to_hex();
    project.cache.join(FOLDER).join(format!("{name}.json"))
}

/// Tells programs apart, also two of one version.
fn program() -> String {
    let facts = std::env::current_exe().and_then(std::fs::metadata);
    let (bytes, changed) = facts.map_or((0, None), |facts| (facts.len(), facts.modified().ok()));
    let changed = changed.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    format!("{} {bytes} {}", env!("CARGO_PKG_VERSION"), changed.map_or(0, |time| time.as_nanos()))
}
