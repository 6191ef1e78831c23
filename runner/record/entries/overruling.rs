//! `override`: somebody decided otherwise than the verdict. The verdict stays what it is.

use serde::{Deserialize, Serialize};

use crate::record::hash::RunName;
use crate::verdict::Verdict;

/// The body of an `override` entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overruling {
    /// The run.
    pub run: RunName,
    /// The treatment.
    pub arm: String,
    /// The condition; empty without one.
    #[serde(default)]
    pub condition: String,
    /// The verdict, which stays.
    pub verdict: Verdict,
    /// What was decided all the same.
    pub decision: String,
    /// Why.
    pub reason: String,
}
