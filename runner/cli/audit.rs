//! `runner audit`: what documents say is what records say.

use std::path::{Path, PathBuf};

use runner::audit::{Audit, Listed, Scope, audit, audit_json, audit_sarif, audit_text};
use runner::{Failure, record};

use super::context::App;
use super::outcome::Outcome;
use super::output_file;

/// What to audit, and how to say it.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Only these files and folders, instead of the project
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// One more folder outside of the project; may be given several times
    #[arg(long, value_name = "DIR", conflicts_with = "paths")]
    outside: Vec<PathBuf>,
    /// Write SARIF 2.1.0 to a file, or to standard output (`-`) instead of text
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,
    /// Fill `<!-- record: … -->` blocks with what their records say
    #[arg(long)]
    write: bool,
    /// List what was excused, and figures that need no source, too
    #[arg(long)]
    all: bool,
}

/// Does it.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let project = app.project()?;
    let here = std::env::current_dir()
        .map_err(|error| Failure::failed(format!("no working directory: {error}")))?;
    let there = |paths: &[PathBuf]| paths.iter().map(|path| here.join(path)).collect::<Vec<_>>();
    let scope = match arguments.paths.as_slice() {
        [] => Scope::Project { outside: there(&arguments.outside) },
        paths => Scope::Paths(there(paths)),
    };
    let mut found = audit(&project, &scope)?;
    if arguments.write && !found.writable.is_empty() {
        write(app, &project.root, &found)?;
        found = audit(&project, &scope)?;
    }
    let listed = if arguments.all { Listed::Everything } else { Listed::Findings };
    let sarif = arguments.sarif.as_deref();
    if let Some(file) = sarif.filter(|file| *file != Path::new("-")) {
        let text = serde_json::to_string_pretty(&audit_sarif(&found))
            .map_err(|error| Failure::failed(format!("no SARIF could be made: {error}")))?;
        output_file::write(&project, file, (text + "\n").as_bytes())?;
    }
    if sarif == Some(Path::new("-")) {
        app.terminal.json(&audit_sarif(&found))?;
    } else if app.global.json {
        app.terminal.json(&audit_json(&found, listed))?;
    } else {
        app.terminal.line(audit_text(&found, listed))?;
    }
    // a check of nothing would pass: what was named must be searched
    let is_searched = arguments.paths.is_empty() || !found.searched.is_empty();
    if !is_searched {
        return Err(Failure::failed("nothing of what was named could be searched")
            .at(arguments
                .paths
                .iter()
                .map(|path| path.display().to_string())
                .collect::<Vec<_>>()
                .join(", "))
            .hint("name files of text, or folders that hold some"));
    }
    Ok(if found.passes() { Outcome::Done } else { Outcome::Found })
}

/// Writes the documents whose blocks are not what their records say.
fn write(app: &App, root: &Path, found: &Audit) -> Result<(), Failure> {
    for rewrite in &found.writable {
        record::write_file(&root.join(&rewrite.file), rewrite.text.as_bytes())?;
        let blocks = if rewrite.blocks == 1 { "block" } else { "blocks" };
        app.terminal.note(format!("{}: {} {blocks} written", rewrite.file, rewrite.blocks))?;
    }
    Ok(())
}
