//! A record judged again: under another version of the rules, or by another manifest.

use super::samples::samples;
use super::sealed::Record;
use crate::failure::Failure;
use crate::manifest::Plan;
use crate::project::Project;
use crate::verdict::{Analysis, Evidence, judge_under};

/// All that a record's verdict rests on.
///
/// # Errors
/// When its samples cannot be read, or are not the sealed ones.
pub fn evidence_of(project: &Project, record: &Record) -> Result<Evidence, Failure> {
    Ok(Evidence { samples: samples(project, record)?, facts: record.sealed.facts.clone() })
}

/// Judges evidence by a plan, under a version of the rules.
///
/// # Errors
/// Refused when this program does not know that version.
pub fn judge_again(
    plan: &Plan,
    evidence: &Evidence,
    rules_version: u32,
) -> Result<Analysis, Failure> {
    judge_under(rules_version, plan, evidence).ok_or_else(|| {
        Failure::refused(format!("this program does not know version {rules_version} of the rules"))
            .hint("use the release of runner that made the record")
    })
}
