//! `runner record export`: a record in the form of another program.

use std::path::{Path, PathBuf};

use runner::project::Project;
use runner::record::{ContentHash, Life, Record};
use runner::report::{CrateFile, RO_CRATE_FILE};
use runner::{Failure, model, record, report};
use serde_json::{Value, json};

use super::context::App;
use super::outcome::Outcome;
use super::output_file;
use super::show::find;

/// Which record, and in which form.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// `ID` for an experiment's first run, or `ID/RUN`
    record: String,
    /// The form
    #[arg(long, value_name = "FORM")]
    format: Form,
    /// The file, or for RO-Crate the folder; text goes to standard output without it
    #[arg(long, value_name = "PATH")]
    output: Option<PathBuf>,
}

/// Forms of a record for other programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    /// A folder with the record's files and their description in JSON-LD
    RoCrate,
    /// Bencher Metric Format
    Bencher,
    /// Everything, with the samples
    Json,
    /// The samples
    Csv,
    /// The samples
    Parquet,
}

/// Writes it.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let project = app.project()?;
    let record = find(&project, &arguments.record)?;
    let life = record::life(&project, &record)?;
    if let Some(banner) = report::life_banner(&life) {
        app.terminal.note(format!("warning: {banner}"))?;
    }
    let text = match arguments.format {
        Form::RoCrate => return ro_crate(app, &project, (&record, &life), needed(arguments)?),
        Form::Parquet => return parquet(app, &project, &record, needed(arguments)?),
        Form::Bencher => {
            let found = report::bencher(&record, &life);
            for left_out in &found.left_out {
                app.terminal.note(format!("left out: {left_out}"))?;
            }
            pretty(&found.json)?
        }
        Form::Json => {
            pretty(&report::samples_json(&record, &life, &record::samples(&project, &record)?))?
        }
        Form::Csv => report::samples_csv(&record::samples(&project, &record)?),
    };
    match &arguments.output {
        Some(path) => {
            output_file::write(&project, path, text.as_bytes())?;
            say(app, path)?;
        }
        None => app.terminal.line(text)?,
    }
    Ok(Outcome::Done)
}

fn needed(arguments: &Arguments) -> Result<&Path, Failure> {
    arguments.output.as_deref().ok_or_else(|| {
        Failure::usage("this form is no text: it needs a place")
            .at(&arguments.record)
            .hint("name it with `--output PATH`")
    })
}

fn pretty(value: &Value) -> Result<String, Failure> {
    serde_json::to_string_pretty(value)
        .map(|text| text + "\n")
        .map_err(|error| Failure::failed(format!("no JSON could be made: {error}")))
}

fn parquet(app: &App, project: &Project, record: &Record, path: &Path) -> Result<Outcome, Failure> {
    let rows = record::samples(project, record)?;
    // which format it is does not follow from a name that the user chose
    let bytes = sample_table::encode(Path::new("samples.parquet"), &rows).map_err(|error| {
        Failure::failed(error.to_string())
            .at(path.display())
            .hint("`--format csv` and `--format json` need no such feature")
    })?;
    output_file::write(project, path, &bytes)?;
    say(app, path)?;
    Ok(Outcome::Done)
}

fn ro_crate(
    app: &App,
    project: &Project,
    (record, life): (&Record, &Life),
    folder: &Path,
) -> Result<Outcome, Failure> {
    let is_empty = std::fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
    if !is_empty || folder.is_file() {
        return Err(Failure::failed("there is something already")
            .at(folder.display())
            .hint("name a folder that is empty, or not there yet"));
    }
    output_file::refuse_results(project, folder)?;
    let files = record::record_files(project, record)?;
    let mut described = Vec::new();
    for (name, bytes) in &files {
        described.push(CrateFile {
            name: name.clone(),
            bytes: u64::try_from(bytes.len()).unwrap_or(u64::MAX),
            sha256: model::Sha256Hex::of(bytes).to_string(),
            blake3: ContentHash::of(bytes).to_string(),
        });
        output_file::write_with_folder(project, &folder.join(name), bytes)
            .inspect_err(|_| take_away(folder))?;
    }
    let description = pretty(&report::ro_crate(record, &life.state, &described))?;
    output_file::write_with_folder(project, &folder.join(RO_CRATE_FILE), description.as_bytes())
        .inspect_err(|_| take_away(folder))?;
    say(app, folder)?;
    Ok(Outcome::Done)
}

/// Half a crate would be read as a whole one. The folder was empty before.
fn take_away(folder: &Path) {
    let _ = std::fs::remove_dir_all(folder);
}

fn say(app: &App, path: &Path) -> Result<(), Failure> {
    if app.global.json {
        return app.terminal.json(&json!({ "written": path }));
    }
    app.terminal.note(format!("written to {}", path.display()))
}
