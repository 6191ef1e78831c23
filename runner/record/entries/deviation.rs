//! `deviate`: another analysis of what was measured, asked for after an outcome was seen. It is
//! exploratory, and the registered one stands before it.

use serde::{Deserialize, Serialize};

use crate::manifest::ManifestHash;
use crate::record::hash::RunName;
use crate::verdict::{Effect, ReasonCode, Verdict};

/// The body of a `deviate` entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Deviation {
    /// The run whose samples were judged again.
    pub run: RunName,
    /// Why.
    pub reason: String,
    /// Rules that it was judged by.
    pub rules_version: u32,
    /// Hash of the changed canonical manifest.
    pub manifest_hash: ManifestHash,
    /// The changed canonical manifest.
    pub canonical_manifest: String,
    /// Keys that differ from the first registration, with both values.
    pub changed: Vec<String>,
    /// What the changed analysis says, one for each comparison.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outcomes: Vec<DeviationOutcome>,
}

/// What a changed analysis says of one comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeviationOutcome {
    /// The treatment.
    pub arm: String,
    /// The condition; empty without one.
    pub condition: String,
    /// The registered verdict.
    pub registered: Verdict,
    /// What the changed analysis would have said.
    pub verdict: Verdict,
    /// Its reason code.
    pub code: ReasonCode,
    /// Its reason.
    pub why: String,
    /// Its estimate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect: Option<Effect>,
}
