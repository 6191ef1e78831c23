//! What a search for a commit has found: two files beside the ledger of its experiment, written once.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::hash::ContentHash;
use super::runs;
use super::store;
use crate::failure::Failure;
use crate::manifest::{ExperimentId, ManifestHash};
use crate::project::Project;
use crate::verdict::{Effect, ReasonCode, Verdict};

/// The answer with all it rests on, for programs.
pub const HISTORY_FILE: &str = "history.json";
/// The same for people; its last line has the other's hash.
pub const HISTORY_PAGE: &str = "history.md";

/// A search that has ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchedHistory {
    /// Version of this form: 1.
    pub format_version: u32,
    /// The experiment.
    pub id: ExperimentId,
    /// Hash of its canonical manifest.
    pub manifest_hash: ManifestHash,
    /// The metric's key.
    pub metric: String,
    /// Hash of the good commit.
    pub good: String,
    /// Hash of the bad one.
    pub bad: String,
    /// What was found.
    pub outcome: HistoryOutcome,
    /// The commits that the outcome is about, oldest first.
    pub commits: Vec<HistoryCommit>,
    /// Every step, in the order in which they were made.
    pub steps: Vec<HistoryStepResult>,
    /// Commits that could not be built.
    pub skipped: Vec<SkippedCommit>,
}

/// What a search found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HistoryOutcome {
    /// One commit.
    First,
    /// One of several: those before the last could not be built.
    OneOf,
    /// The bad commit is level with the good one.
    NoChange,
    /// A step stayed unclear: these remain.
    Parked,
}

/// A commit, as git tells of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HistoryCommit {
    /// Its hash.
    pub commit: String,
    /// When it was written.
    pub author_date: String,
    /// Its first line.
    pub subject: String,
}

/// A step that has a record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HistoryStepResult {
    /// From 1.
    pub number: u32,
    /// Hash of the commit that was held against the good one.
    pub commit: String,
    /// Its verdict.
    pub verdict: Verdict,
    /// Why.
    pub reason: ReasonCode,
    /// How it differs from the good one.
    pub effect: Option<Effect>,
    /// `<id>/<run>`.
    pub record: String,
    /// BLAKE3 of that record's `record.toml`.
    pub record_blake3: ContentHash,
}

/// A commit that could not be built.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SkippedCommit {
    /// Its hash.
    pub commit: String,
    /// Why, from its log.
    pub why: String,
}

impl SearchedHistory {
    /// What was found, in a line.
    #[must_use]
    pub fn found(&self) -> String {
        let short = |commit: &HistoryCommit| commit.commit.get(..7).unwrap_or_default().to_owned();
        let commits: Vec<String> = self.commits.iter().map(short).collect();
        match self.outcome {
            HistoryOutcome::First => {
                format!("search: {} changed {}", commits.join(""), self.metric)
            }
            HistoryOutcome::OneOf => {
                format!("search: one of {} changed {}", commits.join(", "), self.metric)
            }
            HistoryOutcome::NoChange => "search: no change above the margin".to_owned(),
            HistoryOutcome::Parked => format!("search: parked, {} remain", commits.join(", ")),
        }
    }
}

/// Writes both files. `page` is for people, without its last line.
///
/// # Errors
/// When they cannot be written, or are there with another content.
pub fn store_history(
    project: &Project,
    history: &SearchedHistory,
    page: &str,
) -> Result<(), Failure> {
    let folder = runs::experiment_folder(project, &history.id);
    let json = serde_json::to_string_pretty(history)
        .map_err(|error| Failure::failed(error.to_string()).at(folder.display()))?
        + "\n";
    let page = format!("{page}\n{}\n", seal_line(json.as_bytes()));
    store::make_folder(&folder)?;
    for (name, text) in [(HISTORY_FILE, &json), (HISTORY_PAGE, &page)] {
        let path = folder.join(name);
        match std::fs::read(&path) {
            Ok(there) if there == text.as_bytes() => {}
            Ok(_) => {
                return Err(Failure::refused("another answer of this search is there already")
                    .at(path.display())
                    .hint("a search is made once: take a new id"));
            }
            Err(_) => store::write_whole(&path, text.as_bytes())?,
        }
    }
    Ok(())
}

/// What a search has found, where it has ended.
///
/// # Errors
/// When the file cannot be read, or is not what its page was sealed with.
pub fn read_history(
    project: &Project,
    id: &ExperimentId,
) -> Result<Option<SearchedHistory>, Failure> {
    let (json, page) = files(project, id);
    if !json.is_file() {
        return Ok(None);
    }
    let bytes = store::read_bytes(&json)?;
    // a search that was cut between its two files writes the second when it is asked again
    if page.is_file() && !store::read_text(&page)?.ends_with(&format!("{}\n", seal_line(&bytes))) {
        return Err(Failure::failed("it is not what its page was sealed with")
            .at(json.display())
            .hint("restore both from version control"));
    }
    serde_json::from_slice(&bytes)
        .map(Some)
        .map_err(|error| Failure::failed(format!("no search: {error}")).at(json.display()))
}

fn files(project: &Project, id: &ExperimentId) -> (PathBuf, PathBuf) {
    let folder = runs::experiment_folder(project, id);
    (folder.join(HISTORY_FILE), folder.join(HISTORY_PAGE))
}

fn seal_line(json: &[u8]) -> String {
    format!("`{HISTORY_FILE}` has BLAKE3 {}", ContentHash::of(json))
}
