//! `runner report --html`: pages in HTML, of one record or of all.

use std::path::{Path, PathBuf};

use runner::Failure;
use runner::project::Project;
use runner::record::{self, Life, Record, SummaryState};
use runner::report::{self, PageContext, SamplesShown, SiteRecord};
use serde_json::json;

use super::context::App;
use super::outcome::Outcome;
use super::output_file;

/// Where pages go.
#[derive(Debug, clap::Args)]
pub struct HtmlArguments {
    /// Write this record as one self-contained HTML file; `-`: to standard output
    #[arg(long, value_name = "FILE.html", requires = "record", conflicts_with = "plot")]
    html: Option<PathBuf>,
    /// Write the pages of all records and an index of them, to be published as static files
    #[arg(long, value_name = "DIR", conflicts_with_all = ["record", "check"])]
    html_site: Option<PathBuf>,
}

/// Name of the index.
const INDEX: &str = "index.html";

/// Writes pages, where any are asked for.
pub fn run(
    app: &App,
    arguments: &HtmlArguments,
    record: Option<&str>,
) -> Result<Option<Outcome>, Failure> {
    match (&arguments.html, &arguments.html_site, record) {
        (Some(file), _, Some(name)) => one(app, file, name).map(Some),
        (_, Some(folder), _) => all(app, folder).map(Some),
        _ => Ok(None),
    }
}

fn one(app: &App, file: &Path, name: &str) -> Result<Outcome, Failure> {
    let project = app.project()?;
    let record = super::show::find(&project, name)?;
    let life = record::life(&project, &record)?;
    let page = page(&project, &record, &life, None)?;
    if file == Path::new("-") {
        app.terminal.line(page)?;
        return Ok(Outcome::Done);
    }
    output_file::write_with_folder(&project, file, page.as_bytes())?;
    say(app, file, &format!("{}/{}", record.sealed.id, record.sealed.run))?;
    Ok(Outcome::Done)
}

fn all(app: &App, folder: &Path) -> Result<Outcome, Failure> {
    let project = app.project()?;
    let listing = record::list(&project)?;
    let mut records = Vec::new();
    for summary in &listing.summaries {
        let (SummaryState::Finished(_), Some(run)) = (&summary.state, &summary.run) else {
            continue;
        };
        let record = record::read(&project, &summary.id, run)?;
        let address = format!("{}/{run}.html", summary.id);
        let file = folder.join(&address);
        let life = record::life(&project, &record)?;
        let page = page(&project, &record, &life, Some("../index.html"))?;
        output_file::write_with_folder(&project, &file, page.as_bytes())?;
        records.push(SiteRecord::of(&record, &life, &address));
    }
    let index = folder.join(INDEX);
    let page = report::html_index(&records, &listing.summaries)?;
    output_file::write_with_folder(&project, &index, page.as_bytes())?;
    say(app, &index, &format!("{} records", records.len()))?;
    Ok(Outcome::Done)
}

/// The page of a record. Samples that cannot be read are no failure: the page says why.
fn page(
    project: &Project,
    record: &Record,
    life: &Life,
    index: Option<&str>,
) -> Result<String, Failure> {
    let samples = record::samples(project, record);
    let why = samples.as_ref().err().map(|failure| failure.what.clone()).unwrap_or_default();
    let context = PageContext {
        samples: match &samples {
            Ok(rows) => SamplesShown::Read(rows),
            Err(_) => SamplesShown::NotRead { why: &why },
        },
        counterparts: &record::counterparts(project, record)?,
        life,
        index,
    };
    report::html_page(record, &context)
}

fn say(app: &App, file: &Path, what: &str) -> Result<(), Failure> {
    if app.global.json {
        return app.terminal.json(&json!({ "page": file, "of": what }));
    }
    app.terminal.note(format!("{what}: {}", file.display()))
}
