//! `runner engine`: what is built in, and other builds of it.

use std::path::{Path, PathBuf};

use engine_protocol::{EngineFacts, SourcePin};
use runner::builds::find;
use runner::manifest::WorkerChoice;
use runner::{Failure, exec};

use super::context::App;
use super::outcome::Outcome;
use super::{builds, engine_conform, engine_list, engine_rpc_serve};

/// What to say of an engine.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Lend this machine to workers elsewhere, so that a model too large for one machine runs over several
    RpcServe(engine_rpc_serve::Arguments),
    /// Builds that manifests may name: what each is, whether it is built, where it was measured
    List,
    /// Make builds, where they are missing; minutes each
    Build {
        /// Names in `experiments/builds.toml`, or of those that come with the program
        #[arg(required = true, value_name = "NAME")]
        names: Vec<String>,
    },
    /// Source, compiler, flags, instruction set, and the settings it can honour here
    Info {
        /// Ask this worker executable instead of the built-in engine
        #[arg(long, value_name = "FILE", conflicts_with = "build")]
        worker: Option<PathBuf>,
        /// Ask this build; it is made if it is missing
        #[arg(value_name = "BUILD")]
        build: Option<String>,
    },
    /// Hold a worker program to the protocol: what was asked, what came, what to mend
    Conform(engine_conform::Arguments),
}

/// Asks the worker itself.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    match &arguments.action {
        Action::RpcServe(arguments) => engine_rpc_serve::run(app, arguments),
        Action::List => engine_list::run(app),
        Action::Build { names } => build(app, names),
        Action::Info { worker, build } => info(app, worker.as_deref(), build.as_deref()),
        Action::Conform(arguments) => engine_conform::run(app, arguments),
    }
}

fn build(app: &App, names: &[String]) -> Result<Outcome, Failure> {
    let project = app.project()?;
    let wanted: Vec<_> =
        names.iter().map(|name| find(name, &project)).collect::<Result<_, Failure>>()?;
    let mut made = Vec::new();
    for build in &wanted {
        let worker = exec::build(build, &project, &mut |step| builds::say(app, &step))?;
        if app.global.json {
            made.push(serde_json::json!({
                "name": build.name, "key": worker.facts.key,
                "executable": worker.executable, "log": worker.log,
                "seconds": worker.facts.seconds,
            }));
        } else {
            app.terminal.line(format!("{}  {}", build.name, worker.executable.display()))?;
        }
    }
    if app.global.json {
        app.terminal.json(&serde_json::json!({ "builds": made }))?;
    }
    Ok(Outcome::Done)
}

fn info(app: &App, worker: Option<&Path>, build: Option<&str>) -> Result<Outcome, Failure> {
    let choice = match (worker, build) {
        (Some(path), _) => {
            let path = std::path::absolute(path)
                .map_err(|error| Failure::usage(error.to_string()).at(path.display()))?;
            WorkerChoice::Executable(path.display().to_string())
        }
        (None, Some(name)) if name != "native" => {
            let project = app.project()?;
            let build = find(name, &project)?;
            let made = exec::build(&build, &project, &mut |step| builds::say(app, &step))?;
            WorkerChoice::Executable(made.executable.display().to_string())
        }
        (None, _) => WorkerChoice::Native,
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
