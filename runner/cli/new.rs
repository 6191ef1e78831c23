//! `runner new`: a commented manifest from a template.

use std::path::PathBuf;

use runner::Failure;
use runner::manifest::ExperimentId;
use serde_json::json;

use super::context::App;
use super::new_commits;
use super::outcome::Outcome;

/// Which template, under which id.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The experiment's id: lower-case letters, digits and `-`; never reused
    id: String,
    /// What to start from
    #[arg(long, default_value = "ab")]
    pub(super) template: Template,
    /// Where to write it, instead of `experiments/ID.toml`
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The git repository of llama.cpp that the revisions are in (templates commits and bisect-speed)
    #[arg(long, value_name = "PATH")]
    pub(super) source: Option<PathBuf>,
    /// Two revisions of it: before and after, or good and bad
    #[arg(value_name = "REVISION")]
    pub(super) revisions: Vec<String>,
}

/// Templates of the manifest language.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub(super) enum Template {
    /// One treatment against off
    Ab,
    /// One setting, several rungs, a single off
    Ladder,
    /// A treatment whose output is held to a measured divergence
    Contract,
    /// Drafts of several lengths, and the control that tells rollback from batching
    Speculation,
    /// One kind of operation by itself: in one piece against the model's own pieces
    Primitive,
    /// Other engines beside the worker: llama-bench and a server
    Peers,
    /// Two commits of the engine, and layout beside them: needs --source and two revisions
    Commits,
    /// Which commit between two changed the speed: needs --source and two revisions
    BisectSpeed,
}

/// Writes the manifest; an existing file is left alone.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let project = app.project()?;
    let id = ExperimentId::try_from(arguments.id.clone()).map_err(|bad| {
        Failure::usage(bad.why)
            .at(format!("id {:?}", arguments.id))
            .hint("write, for example, `runner new my-question`")
    })?;
    let text = new_commits::text(&project, &id, arguments)?;
    let path = arguments
        .output
        .clone()
        .unwrap_or_else(|| project.root.join("experiments").join(format!("{id}.toml")));
    super::init::write_new(&path, &text)?;
    if app.global.json {
        app.terminal.json(&json!({ "manifest": path }))?;
        return Ok(Outcome::Done);
    }
    app.terminal.line(format!("wrote {}", path.display()))?;
    app.terminal.note(format!(
        "next: edit it, then `runner check {0}` and `runner plan {0}`",
        path.display()
    ))?;
    Ok(Outcome::Done)
}
