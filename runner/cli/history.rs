//! Searches for a commit: `exec` of a manifest with `[history]`, and what `show` prints of it.

use runner::exec::{HistoryConduct, search_history};
use runner::manifest::ExperimentId;
use runner::project::Project;
use runner::record::{self, HistoryOutcome, Registered, SearchedHistory};
use runner::{Failure, report};

use super::context::App;
use super::outcome::Outcome;
use super::progress::Progress;
use super::stamp;

/// Searches to the end, or says again what was found.
pub fn run(
    app: &App,
    project: &Project,
    registered: &Registered,
) -> Result<SearchedHistory, Failure> {
    if let Some(there) = record::read_history(project, &registered.plan().id)? {
        // the page may be missing where it was cut
        record::store_history(project, &there, &report::history_page(&there))?;
        print(app, &there)?;
        return Ok(there);
    }
    let mut progress = Progress::new(app.terminal, app.global.json);
    let stamp = stamp::build_stamp();
    let bring = HistoryConduct { project, stamp: &stamp, table: &report::markdown_page };
    let found = search_history(registered, &bring, &mut progress);
    progress.done();
    let found = found?;
    record::store_history(project, &found, &report::history_page(&found))?;
    print(app, &found)?;
    Ok(found)
}

/// What `show ID` prints, where ID is a search that has ended.
pub fn show(app: &App, project: &Project, name: &str) -> Result<Option<Outcome>, Failure> {
    let Ok(id) = ExperimentId::try_from(name.to_owned()) else { return Ok(None) };
    let Some(found) = record::read_history(project, &id)? else { return Ok(None) };
    print(app, &found)?;
    Ok(Some(Outcome::Done))
}

fn print(app: &App, found: &SearchedHistory) -> Result<(), Failure> {
    if app.global.json {
        let json =
            serde_json::to_value(found).map_err(|error| Failure::failed(error.to_string()))?;
        return app.terminal.json(&json);
    }
    app.terminal.line(report::history_page(found).trim_end())?;
    match found.outcome {
        HistoryOutcome::Parked => {
            app.terminal.note("next: a new search over the commits that remain, with more rounds")
        }
        HistoryOutcome::First | HistoryOutcome::OneOf | HistoryOutcome::NoChange => Ok(()),
    }
}
