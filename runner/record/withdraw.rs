//! Withdrawing: a registration that will not be run. Its id, hash and reason stay.

use super::append::{Appended, append};
use super::cluster_job::runs_anywhere;
use super::entries::Withdrawal;
use super::entry::EntryBody;
use super::registered::Circumstances;
use super::runs::RunState;
use super::versions::frozen_versions;
use crate::failure::Failure;
use crate::manifest::ExperimentId;
use crate::project::Project;

/// Withdraws what is registered under an id. Records that are there stay, and count.
///
/// # Errors
/// Refused when nothing is registered, it was withdrawn before, or it has a record.
pub fn withdraw(
    project: &Project,
    id: &ExperimentId,
    reason: &str,
    circumstances: &Circumstances,
) -> Result<Appended, Failure> {
    let place = || format!("experiment {id}");
    let written = append(project, id, circumstances, |entries| {
        let Some(versions) = frozen_versions(entries, id)? else {
            return Err(Failure::refused("nothing is registered under this id")
                .at(place())
                .hint("`runner list` shows what is registered"));
        };
        if let Some((when, withdrawal)) = versions.withdrawn() {
            return Err(Failure::refused(format!(
                "it was withdrawn at {} already: {}",
                when.at, withdrawal.reason
            ))
            .at(place())
            .hint("nothing is to be done"));
        }
        refuse_finished(project, id)?;
        Ok(Some(EntryBody::Withdraw(Withdrawal {
            manifest_hash: versions.current().manifest_hash,
            reason: reason.to_owned(),
        })))
    })?;
    written.ok_or_else(|| Failure::failed("nothing was written").at(place()))
}

/// A result is not withdrawn: that would be how negative ones vanish.
fn refuse_finished(project: &Project, id: &ExperimentId) -> Result<(), Failure> {
    let runs = runs_anywhere(project, id)?;
    let Some(record) = runs.iter().find(|run| run.state == RunState::Finished) else {
        return Ok(());
    };
    Err(Failure::refused(format!("an outcome was seen: {id}/{}", record.run))
        .at(format!("experiment {id}"))
        .hint(
            "`runner record retract` strikes a figure, with its cause; nothing withdraws a result",
        ))
}
