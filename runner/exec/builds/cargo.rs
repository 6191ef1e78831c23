//! Compiles a worker with cargo: what varies between builds goes by the environment, which
//! `engine-sys/build.rs` reads (docs/building.md lists the variables).

use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use engine_protocol::Toggle;

use super::place::Place;
use super::source::Source;
use super::stand_in::stand_in;
use crate::failure::Failure;
use crate::manifest::{BlasLibrary, Build, BuildBackend, BuildThreading};

/// Beginnings of variables that would change a build without being part of it.
const FOREIGN: [&str; 12] = [
    "ENGINE_",
    "CARGO_BUILD_",
    "CARGO_PROFILE_",
    "CARGO_ENCODED_",
    "CARGO_TARGET_",
    "CARGO_FEATURE_",
    "RUSTFLAGS",
    "RUSTC",
    "CFLAGS",
    "CXXFLAGS",
    "CC",
    "CXX",
];

/// What the compilation needs to know.
pub(super) struct Recipe<'build> {
    pub(super) build: &'build Build,
    pub(super) source: &'build Source,
    /// The engine's tree, where it is not the pinned package.
    pub(super) tree: Option<&'build Path>,
    pub(super) compilers: (String, String),
    /// The worker's sources.
    pub(super) sources: &'build Path,
    pub(super) place: &'build Place,
    pub(super) log: &'build Path,
}

/// The worker that cargo made, or whether it failed.
pub(super) enum Compiled {
    Worker(PathBuf),
    /// The log says why.
    Failed,
}

/// Runs cargo, or its stand-in; all that it says goes to the log.
pub(super) fn compile(recipe: &Recipe<'_>) -> Result<Compiled, Failure> {
    if let Some(program) = stand_in() {
        return by_stand_in(recipe, &program);
    }
    let log = |error: std::io::Error| {
        Failure::failed(format!("the log cannot be written: {error}")).at(recipe.log.display())
    };
    let file = File::create(recipe.log).map_err(log)?;
    let (out, err) = (file.try_clone().map_err(log)?, file);
    // fetching is tried offline first: a machine that has built `runner` has all of it
    let fetched =
        run(command(recipe, &["fetch", "--offline"]).stdout(Stdio::null()).stderr(Stdio::null()))?;
    let mut arguments = vec!["build", "--release", "--package", "engine", "--bin", "engine-worker"];
    if fetched {
        arguments.push("--offline");
    }
    match recipe.build.spec.backend {
        BuildBackend::Cpu => {}
        BuildBackend::Cuda => arguments.extend(["--features", "cuda"]),
        BuildBackend::Metal => arguments.extend(["--features", "metal"]),
        BuildBackend::Rpc => arguments.extend(["--features", "rpc"]),
    }
    let built = run(command(recipe, &arguments).stdout(out).stderr(err))?;
    let worker = recipe.place.target().join("release/engine-worker");
    Ok(if built && worker.is_file() { Compiled::Worker(worker) } else { Compiled::Failed })
}

fn run(command: &mut Command) -> Result<bool, Failure> {
    match command.stdin(Stdio::null()).status() {
        Ok(status) => Ok(status.success()),
        Err(error) => Err(Failure::refused(format!("`cargo` cannot be run: {error}"))
            .hint("a build needs Rust: rustup.rs installs it")),
    }
}

/// The stand-in is told where to put the worker; all else it reads from the same variables.
fn by_stand_in(recipe: &Recipe<'_>, program: &OsStr) -> Result<Compiled, Failure> {
    let log = |error: std::io::Error| {
        Failure::failed(format!("the log cannot be written: {error}")).at(recipe.log.display())
    };
    let worker = recipe.place.target().join("stand-in-worker");
    std::fs::create_dir_all(recipe.place.target()).map_err(log)?;
    // what an earlier build left is not this one's
    let _ = std::fs::remove_file(&worker);
    let file = File::create(recipe.log).map_err(log)?;
    let (out, err) = (file.try_clone().map_err(log)?, file);
    let worker_argument = worker.display().to_string();
    let built =
        run(prepared(Command::new(program), recipe, &[&worker_argument]).stdout(out).stderr(err))?;
    Ok(if built && worker.is_file() { Compiled::Worker(worker) } else { Compiled::Failed })
}

fn command(recipe: &Recipe<'_>, arguments: &[&str]) -> Command {
    prepared(Command::new("cargo"), recipe, arguments)
}

fn prepared(mut command: Command, recipe: &Recipe<'_>, arguments: &[&str]) -> Command {
    command.current_dir(recipe.sources).args(arguments);
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if FOREIGN.iter().any(|beginning| text.starts_with(beginning)) || text == "MAKEFLAGS" {
            command.env_remove(&name);
        }
    }
    command
        .env("CARGO_TARGET_DIR", recipe.place.target())
        .env("CARGO_TERM_COLOR", "never")
        .env("ENGINE_OBJECTS_DIR", recipe.place.objects())
        .env("CC", &recipe.compilers.0)
        .env("CXX", &recipe.compilers.1);
    for (name, value) in settings(recipe) {
        command.env(name, value);
    }
    command
}

fn settings(recipe: &Recipe<'_>) -> Vec<(&'static str, std::ffi::OsString)> {
    let mut set: Vec<(&'static str, std::ffi::OsString)> = Vec::new();
    let spec = &recipe.build.spec;
    match recipe.source {
        Source::Pinned => {}
        Source::Package { version, blake3 } => {
            set.push(("ENGINE_PACKAGE_VERSION", version.into()));
            set.push(("ENGINE_PACKAGE_BLAKE3", blake3.into()));
        }
        Source::Commit { commit, .. } => set.push(("ENGINE_SRC_COMMIT", commit.into())),
        Source::Changed { commit, difference, .. } => {
            set.push(("ENGINE_SRC_DIFFERENCE", difference.into()));
            set.extend(commit.iter().map(|commit| ("ENGINE_SRC_COMMIT", commit.into())));
        }
        Source::Libraries { folder, headers, .. } => {
            set.push(("ENGINE_LIB_DIR", folder.into()));
            // a folder with a `:` in its name cannot be said; the build then finds no headers
            let joined = std::env::join_paths(headers).unwrap_or_default();
            set.push(("ENGINE_INCLUDE_DIR", joined));
        }
    }
    set.extend(recipe.tree.map(|tree| ("ENGINE_SRC_DIR", tree.into())));
    let mut text = |name, value: Option<&str>| set.extend(value.map(|value| (name, value.into())));
    text("ENGINE_INSTRUCTION_SET", spec.instruction_set.as_deref());
    let off = |toggle: Option<Toggle>| (toggle == Some(Toggle::Off)).then_some("off");
    text("ENGINE_LLAMAFILE", off(spec.llamafile_kernels));
    text("ENGINE_REPACK", off(spec.weight_repack));
    text(
        "ENGINE_THREADING",
        spec.threading.map(|threading| match threading {
            BuildThreading::Openmp => "openmp",
            BuildThreading::Own => "own",
        }),
    );
    text("ENGINE_BLAS", spec.blas.map(|BlasLibrary::Openblas| "openblas"));
    if !spec.flags.is_empty() {
        text("ENGINE_EXTRA_FLAGS", Some(&spec.flags.join(" ")));
    }
    if let Some(seed) = spec.link_order_seed {
        text("ENGINE_LINK_ORDER_SEED", Some(&seed.to_string()));
    }
    if !spec.cuda_architectures.is_empty() {
        text("ENGINE_CUDA_ARCHITECTURES", Some(&spec.cuda_architectures.join(",")));
    }
    set
}
