//! `runner report`: Markdown, of one record or of all; `report_html` has the pages in HTML.

use std::path::PathBuf;

use runner::design::{self, TimeEstimate};
use runner::project::Project;
use runner::record::{INDEX_FILE, RunSummary};
use runner::{Failure, record, report};
use serde_json::json;

use super::context::App;
use super::outcome::Outcome;
use super::plan::write_plot;
use super::report_summary;

/// One record, or all.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print this record's Markdown table (`ID` or `ID/RUN`) instead of writing INDEX.md
    #[arg(conflicts_with = "check")]
    record: Option<String>,
    /// Also write the chances that its design had, as an SVG plot
    #[arg(long, value_name = "FILE.svg", requires = "record")]
    plot: Option<PathBuf>,
    /// Append the verdicts to `$GITHUB_STEP_SUMMARY` as a table; print it where that is not set
    #[arg(long, conflicts_with_all = ["check", "plot"])]
    github_summary: bool,
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
    let project = app.project_with_results()?;
    if arguments.github_summary {
        return report_summary::run(app, &project, arguments.record.as_deref());
    }
    if let Some(name) = &arguments.record {
        let record = super::show::find(&project, name)?;
        let beside = record::counterparts(&project, &record)?;
        let life = record::life(&project, &record)?;
        if app.global.json {
            app.terminal.json(&super::show::json(&record, &beside, &life))?;
        } else {
            let banner = report::life_banner(&life)
                .map(|banner| format!("> **{}**\n\n", report::markdown_text(&banner)));
            let sections =
                [report::beside_markdown(&record, &beside), report::life_markdown(&life)];
            let sections: String = sections.into_iter().flatten().collect();
            app.terminal.line(format!(
                "{}{}{sections}",
                banner.unwrap_or_default(),
                report::markdown_page(&record)
            ))?;
        }
        if let Some(path) = &arguments.plot {
            let time = TimeEstimate::Unknown { because: "it was not asked for".to_owned() };
            let operating =
                design::operating(&record.plan, None, time).map_err(|why| why.to_string());
            write_plot(&project, path, &record.plan, operating.as_ref().map_err(Clone::clone))?;
            app.terminal.note(format!("the plot is in {}", path.display()))?;
        }
        return Ok(Outcome::Done);
    }
    let summaries = record::list_with_cache(&project)?.summaries;
    let mut told = Vec::new();
    for (path, text) in overviews(&project, &summaries) {
        // paths are told as the project knows them
        let shown = path.strip_prefix(&project.root).unwrap_or(&path).display().to_string();
        if !arguments.check {
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder).map_err(|error| {
                    Failure::failed(format!("cannot be made: {error}")).at(folder.display())
                })?;
            }
            record::write_file(&path, text.as_bytes())?;
            told.push((shown, "was written"));
        } else if std::fs::read_to_string(&path).unwrap_or_default() == text {
            told.push((shown, "is up to date"));
        } else {
            return Err(Failure::failed("it is not what the records give")
                .at(shown)
                .hint("run `runner report` and commit it"));
        }
    }
    if app.global.json {
        let all = told.iter().map(|(file, state)| json!({ "file": file, "state": state }));
        app.terminal.json(&json!({ "overviews": all.collect::<Vec<_>>() }))?;
        return Ok(Outcome::Done);
    }
    for (file, state) in told {
        app.terminal.line(format!("{file} {state}"))?;
    }
    Ok(Outcome::Done)
}

/// The overviews of a project: that of its results, and, where these are the project's own and it has
/// a `docs/`, the page of all figures.
fn overviews(project: &Project, summaries: &[RunSummary]) -> Vec<(PathBuf, String)> {
    let mut all = vec![(project.results.join(INDEX_FILE), report::index(summaries))];
    let docs = project.root.join("docs");
    if docs.is_dir() && project.results == project.with_own_results().results {
        all.push((docs.join("benchmarks.md"), report::benchmarks(summaries)));
    }
    all
}
