//! An override: a decision otherwise than the verdict is written down, and the verdict stays.

use super::append::{Appended, append};
use super::entries::Overruling;
use super::entry::EntryBody;
use super::registered::Circumstances;
use super::sealed::Record;
use crate::failure::Failure;
use crate::project::Project;

/// Which comparison, what was decided, and why.
#[derive(Debug, Clone, Copy)]
pub struct Decided<'text> {
    /// The treatment.
    pub arm: &'text str,
    /// The condition; empty without one.
    pub condition: &'text str,
    /// What was decided.
    pub decision: &'text str,
    /// Why.
    pub reason: &'text str,
}

/// Writes it into the record's ledger.
///
/// # Errors
/// A usage failure when the record has no such comparison.
pub fn overrule(
    project: &Project,
    record: &Record,
    decided: Decided<'_>,
    circumstances: &Circumstances,
) -> Result<Appended, Failure> {
    let sealed = &record.sealed;
    let place = format!("{}/{}", sealed.id, sealed.run);
    super::retract::refuse_newer_record(record)?;
    let verdict = super::retract::comparison_of(record, decided.arm, Some(decided.condition))?;
    let written = append(project, &sealed.id, circumstances, |_| {
        Ok(Some(EntryBody::Override(Overruling {
            run: sealed.run.clone(),
            arm: decided.arm.to_owned(),
            condition: decided.condition.to_owned(),
            verdict,
            decision: decided.decision.to_owned(),
            reason: decided.reason.to_owned(),
        })))
    })?;
    written.ok_or_else(|| Failure::failed("nothing was written").at(place))
}
