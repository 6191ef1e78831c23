//! The overview is generated, so it is checked by generating it again.

use std::path::Path;

use super::list::{Listing, RunSummary, SummaryState, list};
use super::store;
use super::verify::{Checks, Finding, INDEX_FILE, failed, note};
use crate::failure::Failure;
use crate::project::Project;

/// Says when results/INDEX.md is not what the records give. Runs that it does not name yet (local
/// ones, or new ones) are only worth knowing; everything that it does name must be as generated.
pub(super) fn index(
    project: &Project,
    path: &Path,
    checks: &Checks<'_>,
) -> Result<Option<Finding>, Failure> {
    let Ok(actual) = String::from_utf8(store::read_bytes(path)?) else {
        return Ok(Some(failed(INDEX_FILE, "not UTF-8".to_owned())));
    };
    let listing = list(project)?;
    if (checks.index)(&listing) == actual {
        return Ok(None);
    }
    if (checks.index)(&named_in(&actual, &listing)) == actual {
        let what = "it does not name every run yet: `runner report` writes it anew";
        return Ok(Some(note(INDEX_FILE, what)));
    }
    let what = "not what the records give: `runner report` writes it anew";
    Ok(Some(failed(INDEX_FILE, what.to_owned())))
}

/// The listing, reduced to what an overview names: a run by `id/run`, an experiment by its id.
fn named_in(index: &str, listing: &Listing) -> Listing {
    let words: Vec<&str> = index
        .split(|c: char| c.is_whitespace() || matches!(c, '|' | '(' | ')' | '[' | ']' | '`'))
        .collect();
    let mut summaries: Vec<RunSummary> = Vec::new();
    for summary in &listing.summaries {
        let run = summary.run.as_ref().map(|run| format!("{}/{run}", summary.id));
        if run.is_some_and(|run| words.contains(&run.as_str())) {
            summaries.retain(|other| other.id != summary.id || other.run.is_some());
            summaries.push(summary.clone());
        } else if words.contains(&summary.id.as_str())
            && !summaries.iter().any(|other| other.id == summary.id)
        {
            let state = match &summary.state {
                SummaryState::Searched(found) => SummaryState::Searched(found.clone()),
                _ => SummaryState::RegisteredOnly,
            };
            summaries.push(RunSummary { run: None, state, ..summary.clone() });
        }
    }
    Listing { summaries }
}
