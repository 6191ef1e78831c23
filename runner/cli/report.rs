//! `runner report`: Markdown, of one record or of all; `report_html` has the pages in HTML.

use std::path::{Path, PathBuf};

use runner::design::{self, TimeEstimate};
use runner::record::INDEX_FILE;
use runner::{Failure, record, report};
use serde_json::json;

use super::context::App;
use super::outcome::Outcome;
use super::plan::write_plot;

/// One record, or all.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print this record's Markdown table (`ID` or `ID/RUN`) instead of writing INDEX.md
    #[arg(conflicts_with = "check")]
    record: Option<String>,
    /// Also write the chances that its design had, as an SVG plot
    #[arg(long, value_name = "FILE.svg", requires = "record")]
    plot: Option<PathBuf>,
    /// Write nothing; exit 1 when INDEX.md is not what the records give
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    html: super::report_html::HtmlArguments,
}

/// Prints a record's table; or writes the index, or says that it is stale.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let name = arguments.record.as_deref();
    if let Some(outcome) = super::report_html::run(app, &arguments.html, name)? {
        return Ok(outcome);
    }
    let project = app.project()?;
    if let Some(name) = &arguments.record {
        let record = super::show::find(&project, name)?;
        let beside = record::counterparts(&project, &record)?;
        if app.global.json {
            app.terminal.json(&super::show::json(&record, &beside))?;
        } else {
            let section = report::beside_markdown(&record, &beside).unwrap_or_default();
            app.terminal.line(format!("{}{section}", report::markdown_page(&record)))?;
        }
        if let Some(path) = &arguments.plot {
            let time = TimeEstimate::Unknown { because: "it was not asked for".to_owned() };
            let operating =
                design::operating(&record.plan, None, time).map_err(|why| why.to_string());
            write_plot(path, &record.plan, operating.as_ref().map_err(Clone::clone))?;
            app.terminal.note(format!("the plot is in {}", path.display()))?;
        }
        return Ok(Outcome::Done);
    }
    let text = report::index(&record::list(&project)?.summaries);
    let path = project.results.join(INDEX_FILE);
    if arguments.check {
        let current = std::fs::read_to_string(&path).unwrap_or_default();
        if current == text {
            say(app, &path, "is up to date")?;
            return Ok(Outcome::Done);
        }
        return Err(Failure::failed("it is not what the records give")
            .at(path.display())
            .hint("run `runner report` and commit it"));
    }
    record::write_index(&project, &text)?;
    say(app, &path, "was written")?;
    Ok(Outcome::Done)
}

fn say(app: &App, path: &Path, what: &str) -> Result<(), Failure> {
    if app.global.json {
        return app.terminal.json(&json!({ "index": path, "state": what }));
    }
    app.terminal.line(format!("{} {what}", path.display()))
}
