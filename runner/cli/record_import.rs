//! `runner record import`: takes in what another tool measured, never as a verdict.

use std::path::{Path, PathBuf};

use runner::import::{Format, ImportFile, read};
use runner::manifest::ImportName;
use runner::record::{ContentHash, ImportedSource, store_import};
use runner::{Failure, exec, record, report};

use super::context::App;
use super::outcome::Outcome;
use super::show::style;

/// Which file.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The file that the tool wrote; for criterion a benchmark's folder will do
    file: PathBuf,
    /// The tool, where it cannot be guessed from the content
    #[arg(long, value_name = "TOOL")]
    format: Option<FormatName>,
    /// Name of the import; by default that of the file
    #[arg(long, value_name = "ID")]
    name: Option<String>,
    /// Commit of what was measured
    #[arg(long, value_name = "COMMIT")]
    commit: Option<String>,
}

/// Names of tools.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
#[expect(clippy::enum_variant_names, reason = "names of tools")]
enum FormatName {
    LlamaBench,
    LlamaBatchedBench,
    Hyperfine,
    Criterion,
}

/// More than any of these tools writes in a day.
const LARGEST: u64 = 64 << 20;

/// Reads, stores, and prints what there is.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let project = app.project()?;
    let (path, beside) = files(&arguments.file);
    let bytes = bytes(&path)?;
    let text = String::from_utf8(bytes.clone())
        .map_err(|_| Failure::failed("this is no text (not UTF-8)").at(path.display()))?;
    let format = match arguments.format {
        Some(FormatName::LlamaBench) => Format::LlamaBench,
        Some(FormatName::LlamaBatchedBench) => Format::LlamaBatchedBench,
        Some(FormatName::Hyperfine) => Format::Hyperfine,
        Some(FormatName::Criterion) => Format::Criterion,
        None => Format::guess(&text).ok_or_else(|| {
            let known: Vec<&str> = Format::ALL.iter().map(|(name, _)| *name).collect();
            Failure::failed("no tool that is known here writes such a file")
                .at(path.display())
                .hint(format!("name it: `--format {}`", known.join("|")))
        })?,
    };
    let name = name(arguments, &path)?;
    let beside = beside.and_then(|path| std::fs::read_to_string(path).ok());
    let file = ImportFile { name: path.display().to_string(), text, beside };
    let new = read(&file, format)?;
    let source = ImportedSource {
        file: file_name(&path),
        bytes: u64::try_from(bytes.len()).unwrap_or(u64::MAX),
        blake3: ContentHash::of(&bytes),
    };
    let at = exec::circumstances(&project, &path).at;
    let imported = store_import(&project, &name, &new, source, (at, arguments.commit.clone()))?;
    let stored = record::read_import(&project, &imported.name)?;
    if app.global.json {
        app.terminal.json(&report::import_json(&stored))?;
        return Ok(Outcome::Done);
    }
    for note in &new.notes {
        app.terminal.note(format!("note: {note}"))?;
    }
    app.terminal.line(report::import_table(&stored, app.terminal.width, style(app)))?;
    app.terminal.note(format!("next: `runner show imported/{name} ID` sets it beside a record"))?;
    Ok(Outcome::Done)
}

/// The file to read, and what names the benchmark beside it.
fn files(given: &Path) -> (PathBuf, Option<PathBuf>) {
    let path = if given.is_dir() {
        let places = ["sample.json", "new/sample.json", "estimates.json", "new/estimates.json"];
        let found = places.iter().map(|place| given.join(place)).find(|path| path.is_file());
        found.unwrap_or_else(|| given.to_path_buf())
    } else {
        given.to_path_buf()
    };
    let is_criterions =
        path.file_name().is_some_and(|name| name == "sample.json" || name == "estimates.json");
    let beside = is_criterions.then(|| path.with_file_name("benchmark.json"));
    (path, beside)
}

fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let cannot = |error: std::io::Error| {
        Failure::failed(format!("it cannot be read: {error}")).at(path.display())
    };
    let size = std::fs::metadata(path).map_err(cannot)?.len();
    if size > LARGEST {
        return Err(Failure::failed(format!(
            "{size} bytes are more than any of these tools writes"
        ))
        .at(path.display()));
    }
    std::fs::read(path).map_err(cannot)
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

fn name(arguments: &Arguments, path: &Path) -> Result<ImportName, Failure> {
    let text = match &arguments.name {
        Some(name) => name.clone(),
        None => slug(&arguments.file, path),
    };
    ImportName::try_from(text.clone()).map_err(|bad| {
        Failure::usage(bad.why)
            .at(format!("import {text:?}"))
            .hint("choose a name with `--name`, such as `bench-2026-11-30`")
    })
}

/// The file's name, or that of criterion's folder, in the letters of a name.
fn slug(given: &Path, path: &Path) -> String {
    let named = if given.is_dir() { given } else { path };
    let stem =
        named.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let lower = stem.to_lowercase();
    let parts = lower.split(|c: char| !c.is_ascii_alphanumeric());
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    parts.join("-").chars().take(64).collect()
}
