//! `runner model`: what can be measured.

use runner::manifest::ModelChoice;
use runner::model::{self, ModelState};
use runner::{Failure, exec};
use serde_json::{Value, json};

use super::context::App;
use super::model_forms;
use super::outcome::Outcome;

/// List, fetch, find, or make forms.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Models of the catalogue, and whether they are at hand
    List,
    /// Get a model's file into the cache and check its hash
    Fetch {
        /// Its name in the catalogue
        name: String,
    },
    /// Forms of a model that are at hand (f32, q8_0, …), and making others
    Forms(model_forms::Arguments),
    /// Print the path of a model's file; its hash is checked
    Path {
        /// Its name in the catalogue
        name: String,
    },
}

/// Runs the action.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    match &arguments.action {
        Action::List => list(app),
        Action::Fetch { name } => {
            let project = app.project()?;
            let entry = model::find(name, &project)?;
            let file = exec::fetch_model(&entry, &project)?;
            said(app, &file)
        }
        Action::Forms(arguments) => model_forms::run(app, arguments),
        Action::Path { name } => {
            let file = model::resolve(&ModelChoice::Named(name.clone()), &app.project()?)?;
            if app.global.json {
                return said(app, &file);
            }
            app.terminal.line(file.path.display().to_string())?;
            Ok(Outcome::Done)
        }
    }
}

fn said(app: &App, file: &model::ModelFile) -> Result<Outcome, Failure> {
    if app.global.json {
        app.terminal.json(&json!({
            "name": file.name, "path": file.path, "sha256": file.sha256.as_str(),
            "bytes": file.bytes, "licence": file.licence,
        }))?;
    } else {
        app.terminal.line(format!(
            "{}: {} bytes, SHA-256 {}\n{}",
            file.name,
            file.bytes,
            file.sha256.as_str(),
            file.path.display()
        ))?;
    }
    Ok(Outcome::Done)
}

fn list(app: &App) -> Result<Outcome, Failure> {
    let project = app.project()?;
    let entries = model::catalogue(&project)?;
    if app.global.json {
        let rows: Vec<Value> = entries
            .iter()
            .map(|entry| {
                json!({
                    "name": entry.name, "licence": entry.licence, "bytes": entry.bytes,
                    "sha256": entry.sha256.as_str(), "source": entry.source,
                    "state": state_word(model::state(entry, &project)),
                })
            })
            .collect();
        app.terminal.json(&Value::Array(rows))?;
        return Ok(Outcome::Done);
    }
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_header(["name", "state", "size", "licence", "source"]);
    for entry in &entries {
        table.add_row([
            entry.name.clone(),
            state_word(model::state(entry, &project)).to_owned(),
            format!("{:.1} MB", entry.bytes as f64 / 1e6),
            entry.licence.clone(),
            entry.source.clone(),
        ]);
    }
    table.set_width(u16::try_from(app.terminal.width).unwrap_or(u16::MAX));
    table.set_content_arrangement(comfy_table::ContentArrangement::Dynamic);
    app.terminal.line(table.to_string())?;
    Ok(Outcome::Done)
}

fn state_word(state: ModelState) -> &'static str {
    match state {
        ModelState::Present => "at hand",
        ModelState::Writable => "built in",
        ModelState::Fetchable => "`runner model fetch` gets it",
        ModelState::Missing => "missing",
    }
}
