//! `runner engine list`: which builds there are, and what is known of each.

use comfy_table::Table;
use runner::exec::{self, BuiltWorker};
use runner::manifest::{Build, WorkerChoice, build_keys};
use runner::project::Project;
use runner::record;
use runner::{Failure, builds};
use serde_json::{Value, json};

use super::context::App;
use super::outcome::Outcome;

/// Lists builds, whether they are built, and the records in which arms ran them.
pub fn run(app: &App) -> Result<Outcome, Failure> {
    let project = app.project()?;
    let mut rows = vec![native(&project)?];
    for build in builds::catalogue(&project)? {
        rows.push(row(&build, &project)?);
    }
    if app.global.json {
        app.terminal.json(&json!({ "builds": rows.iter().map(Row::json).collect::<Vec<_>>() }))?;
        return Ok(Outcome::Done);
    }
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_header(["build", "is", "state", "records"]);
    table.set_width(u16::try_from(app.terminal.width).unwrap_or(u16::MAX));
    table.set_content_arrangement(comfy_table::ContentArrangement::Dynamic);
    for row in &rows {
        table.add_row([&row.name, &row.is, &row.state, &row.records.join(" ")]);
    }
    app.terminal.line(table.to_string())?;
    app.terminal.note(
        "`runner engine build NAME` makes one; `runner exec` makes what a manifest names by itself",
    )?;
    Ok(Outcome::Done)
}

struct Row {
    name: String,
    is: String,
    state: String,
    executable: Option<String>,
    records: Vec<String>,
}

impl Row {
    fn json(&self) -> Value {
        json!({
            "name": self.name, "is": self.is, "state": self.state,
            "executable": self.executable, "records": self.records,
        })
    }
}

fn native(project: &Project) -> Result<Row, Failure> {
    let built_in = exec::executables(&project.root)?.native.is_some();
    Ok(Row {
        name: "native".to_owned(),
        is: "the engine in `runner` itself".to_owned(),
        state: if built_in { "built in" } else { "not built in" }.to_owned(),
        executable: None,
        records: Vec::new(),
    })
}

fn row(build: &Build, project: &Project) -> Result<Row, Failure> {
    let keys: Vec<String> = build_keys(&build.spec)
        .iter()
        .map(|(key, value)| format!("{key}={}", plain(value)))
        .collect();
    let built = exec::built(build, project);
    let state = match &built {
        Ok(Some(BuiltWorker { facts, .. })) => format!("built in {:.0} s", facts.seconds),
        Ok(None) => "not built".to_owned(),
        Err(failure) => format!("cannot be built: {}", failure.what),
    };
    let runs = |choice: &WorkerChoice| match choice {
        WorkerChoice::Build(other) => other.spec == build.spec,
        WorkerChoice::Native | WorkerChoice::Executable(_) | WorkerChoice::Peer(_) => false,
    };
    Ok(Row {
        name: build.name.to_string(),
        is: if keys.is_empty() { "as upstream builds it".to_owned() } else { keys.join(" ") },
        state,
        executable: built.ok().flatten().map(|worker| worker.executable.display().to_string()),
        records: record::records_where(project, |plan| {
            plan.arms.iter().any(|arm| runs(plan.worker_of(arm)))
        })?,
    })
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}
