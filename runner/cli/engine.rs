//! `runner engine`: what is built in.

use std::path::PathBuf;

use engine_protocol::{EngineFacts, SourcePin};
use runner::manifest::WorkerChoice;
use runner::{Failure, exec};

use super::context::App;
use super::outcome::Outcome;

/// What to say of an engine.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Source, compiler, flags, instruction set, and the settings it can honour here
    Info {
        /// Ask this worker executable instead of the built-in engine
        #[arg(long, value_name = "FILE")]
        worker: Option<PathBuf>,
    },
}

/// Asks the worker itself.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let Action::Info { worker } = &arguments.action;
    let choice = match worker {
        None => WorkerChoice::Native,
        Some(path) => {
            let path = std::path::absolute(path)
                .map_err(|error| Failure::usage(error.to_string()).at(path.display()))?;
            WorkerChoice::Executable(path.display().to_string())
        }
    };
    let here = std::env::current_dir()
        .map_err(|error| Failure::failed(format!("no working directory: {error}")))?;
    let greeting = exec::greet(&choice, &exec::executables(&here)?)?;
    if app.global.json {
        let value =
            serde_json::to_value(&greeting).map_err(|error| Failure::failed(error.to_string()))?;
        app.terminal.json(&value)?;
    } else {
        app.terminal.line(described(&greeting.worker, &greeting.engine))?;
    }
    Ok(Outcome::Done)
}

fn described(worker: &str, facts: &EngineFacts) -> String {
    let source = match &facts.source {
        SourcePin::Pinned { package, version } => format!("{package} {version} (pinned, verified)"),
        SourcePin::Unpinned { form, commit, dirty, difference } => format!(
            "unpinned {form}{}{}{}",
            commit.as_ref().map_or_else(String::new, |commit| format!(", commit {commit}")),
            match dirty {
                Some(true) => ", with changes",
                Some(false) => ", clean",
                None => "",
            },
            difference.as_ref().map_or_else(String::new, |hash| format!(" of BLAKE3 {hash}")),
        ),
    };
    let mut lines = vec![
        format!("worker           {worker}"),
        format!("engine           {} {}", facts.name, facts.version),
        format!("source           {source}"),
        format!("source BLAKE3    {}", facts.source_blake3),
        format!("compiler         {}", facts.compiler),
        format!("instruction set  {}", facts.instruction_set.join(" ")),
        format!("backends         {}", facts.backends.join(" ")),
        format!("threads          {}", facts.threading),
        format!("settings         {}", facts.supported_settings.join(" ")),
    ];
    for (component, flags) in &facts.flags {
        lines.push(format!("flags {component:<10} {}", flags.join(" ")));
    }
    lines.join("\n")
}
