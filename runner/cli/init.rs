//! `runner init`: makes a repository a project.

use std::path::{Path, PathBuf};

use runner::Failure;
use runner::manifest::{ExperimentId, TemplateKind, template};
use runner::project::MARKER;
use serde_json::json;

use super::context::App;
use super::outcome::Outcome;

/// Where.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The root of the repository
    #[arg(default_value = ".")]
    folder: PathBuf,
}

const MARKER_TEXT: &str = "\
# Marks the root of a project. Relative paths in manifests start here.
schema = 1
";

/// Writes the marker, the folders and one example; refuses to overwrite anything.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let root = &arguments.folder;
    if root.join(MARKER).exists() {
        return Err(Failure::usage("this is a project already")
            .at(root.join(MARKER).display())
            .hint("`runner new ID` writes another manifest"));
    }
    let id =
        ExperimentId::try_from("first-look".to_owned()).map_err(|bad| Failure::failed(bad.why))?;
    let example = root.join("experiments/first-look.toml");
    let schema = root.join("docs/manifest.schema.json");
    // all or nothing: a second try would stumble over what the first one left
    if let Some(there) = [&example, &schema].into_iter().find(|path| path.exists()) {
        return Err(Failure::usage("the file is there already")
            .at(there.display())
            .hint("move it away first; nothing was written"));
    }
    write_new(&example, &template(TemplateKind::AbTest, &id))?;
    let results = root.join("results");
    std::fs::create_dir_all(&results).map_err(|error| cannot_write(&results, &error))?;
    write_new(&schema, &schema_text()?)?;
    // last: what stands before it is no project without it
    write_new(&root.join(MARKER), MARKER_TEXT)?;
    if app.global.json {
        app.terminal.json(&json!({ "project": root, "manifest": example, "schema": schema }))?;
        return Ok(Outcome::Done);
    }
    app.terminal.line(format!("made {} a project", root.display()))?;
    app.terminal.note(format!(
        "next: edit {0}, then `runner check {0}` and `runner plan {0}`",
        example.display()
    ))?;
    Ok(Outcome::Done)
}

fn schema_text() -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(&runner::manifest::json_schema())
        .map_err(|error| Failure::failed(error.to_string()))?;
    Ok(text + "\n")
}

/// Writes a file that must not be there yet.
pub fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    use std::io::Write;
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
    }
    match std::fs::File::create_new(path) {
        Ok(mut file) => file.write_all(text.as_bytes()).map_err(|error| cannot_write(path, &error)),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            Err(Failure::usage("the file is there already")
                .at(path.display())
                .hint("choose another id or another file; nothing was overwritten"))
        }
        Err(error) => Err(cannot_write(path, &error)),
    }
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    Failure::failed(format!("cannot be written: {error}"))
        .at(path.display())
        .hint("make room, or choose a folder that you may write to")
}
