//! `results/imported/<name>/imported.toml` and the samples beside it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::manifest::ImportName;
use crate::record::ContentHash;

/// Folder of imports in results/.
pub const IMPORTED_FOLDER: &str = "imported";
/// Version of the form of imports that this program writes.
pub const IMPORTED_VERSION: u32 = 1;

/// An import as it is stored. It has no verdict and can have none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Imported {
    /// Version of this form: 1.
    pub format_version: u32,
    /// That of the folder.
    pub name: ImportName,
    /// UTC, RFC 3339.
    pub imported_at: String,
    /// The tool that measured: `llama-bench`, `hyperfine`, ….
    pub tool: String,
    /// How it wrote: `json`, `csv`, `markdown`, ….
    pub written_as: String,
    /// What was measured, where the importer said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The file that was imported.
    pub source: ImportedSource,
    /// The samples.
    pub samples: ImportedSamples,
    /// Facts about build and machine that every test of the file states alike.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stated: BTreeMap<String, String>,
    /// One for each test.
    pub series: Vec<Series>,
}

/// A file that was imported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImportedSource {
    /// Its name, without a path.
    pub file: String,
    /// Its size.
    pub bytes: u64,
    /// BLAKE3 of its bytes.
    pub blake3: ContentHash,
}

/// The samples' file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImportedSamples {
    /// `samples.jsonl`.
    pub file: String,
    /// Number of rows.
    pub rows: u64,
    /// BLAKE3 of its bytes.
    pub blake3: ContentHash,
}

/// One test of the tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Series {
    /// As the tool names it: `tg128 @ d512`, or a command.
    pub label: String,
    /// The model file's name, where the tool has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Metric key; one of this program's own where it means the same.
    pub metric: String,
    /// Of the values.
    pub unit: String,
    /// Which way is better.
    pub better: Better,
    /// Whether there are samples.
    pub kind: SeriesKind,
    /// How many values are stored.
    pub values: u32,
    /// When it was measured, as the file states it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured_at: Option<String>,
    /// The work; nothing where the tool measures commands.
    #[serde(default, skip_serializing_if = "Shape::is_empty")]
    pub shape: Shape,
    /// Settings as texts: under this program's names where it has one, else under the tool's.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, String>,
}

/// Which way is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Better {
    More,
    Less,
}

/// Whether a series has samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeriesKind {
    /// Each value is a measurement.
    Samples,
    /// The file holds an average alone: a single value that never gets an interval.
    SummaryOnly,
}

impl SeriesKind {
    /// What is printed where there are no samples; empty otherwise.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            SeriesKind::Samples => "",
            SeriesKind::SummaryOnly => "summary only: no samples",
        }
    }
}

/// The work of a test, in tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// Evaluated as a prompt while the clock ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefill_tokens: Option<u32>,
    /// Evaluated one at a time while the clock ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decode_tokens: Option<u32>,
    /// In the KV cache before the clock ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth_tokens: Option<u32>,
    /// Decoded side by side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequences: Option<u32>,
}

impl Shape {
    /// Whether nothing is said of the work.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Shape::default()
    }
}

/// A value of a series: a line of `samples.jsonl`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImportedSample {
    /// Index of its series, from 0.
    pub series: u32,
    /// Within the series, from 0, in the file's order.
    pub index: u32,
    /// In the series' unit: finite and above zero.
    pub value: f64,
    /// What the clock said, where the file states it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nanoseconds: Option<u64>,
}

/// A file that was understood, not stored yet.
#[derive(Debug, Clone, PartialEq)]
pub struct NewImport {
    /// The tool that measured.
    pub tool: String,
    /// How it wrote.
    pub written_as: String,
    /// Facts that every test states alike.
    pub stated: BTreeMap<String, String>,
    /// One for each test, with its values.
    pub series: Vec<NewSeries>,
    /// What the importer should know, in words.
    pub notes: Vec<String>,
}

/// A test with its values.
#[derive(Debug, Clone, PartialEq)]
pub struct NewSeries {
    /// What they are; `values` is counted when it is stored.
    pub series: Series,
    /// Value, and what the clock said.
    pub values: Vec<(f64, Option<u64>)>,
}
