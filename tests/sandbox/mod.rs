//! A project in a temporary folder, and `runner` in it with nothing of the user's environment.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]
// each test binary uses its own part of this
#![cfg_attr(test, expect(dead_code, reason = "shared by several test binaries"))]

pub mod bounds;
pub mod cluster;
pub mod judged;
pub mod machine;
pub mod runs;
pub mod tree;
mod untouched;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// A project with a fake worker's script.
pub struct Sandbox {
    folder: tempfile::TempDir,
}

/// What a command said.
#[derive(Debug)]
pub struct Said {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Said {
    /// Fails with everything that was said when the exit code is another.
    #[track_caller]
    pub fn expect_code(self, code: i32) -> Said {
        assert_eq!(self.code, code, "\n--- stdout\n{}\n--- stderr\n{}", self.out, self.err);
        self
    }

    /// Fails unless this stands in what was said.
    #[track_caller]
    pub fn expect_text(self, text: &str) -> Said {
        let found = self.out.contains(text) || self.err.contains(text);
        assert!(found, "{text:?} is missing\n--- stdout\n{}\n--- stderr\n{}", self.out, self.err);
        self
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}\n{}", self.out))
    }
}

impl Sandbox {
    /// A project with nothing but its marker, and a script of a quiet, slightly noisy engine.
    pub fn new() -> Sandbox {
        Sandbox::called(".tmp")
    }

    /// The same in a folder whose name begins in a certain way.
    pub fn called(beginning: &str) -> Sandbox {
        let folder = tempfile::Builder::new().prefix(beginning).tempdir().unwrap();
        let sandbox = Sandbox { folder };
        sandbox.write("runner.toml", "schema = 1\n");
        sandbox.script(QUIET_SCRIPT);
        sandbox.describe_quiet_machine();
        sandbox
    }

    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    pub fn path(&self, relative: &str) -> PathBuf {
        self.root().join(relative)
    }

    /// Writes a file below the root.
    pub fn write(&self, relative: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(relative);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    /// Replaces the fake worker's script.
    pub fn script(&self, text: &str) {
        self.write("script.toml", text);
    }

    /// `runner` with these arguments, not yet started.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_runner"));
        command
            .args(arguments)
            .current_dir(self.root())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.root())
            .env("RUNNER_CACHE_DIR", self.path(".cache"))
            .env("RUNNER_LOCK_FILE", self.path(".lock"))
            .env("RUNNER_MACHINE_ROOT", self.path(machine::MACHINE_FOLDER))
            .env("FAKE_WORKER_SCRIPT", self.path("script.toml"))
            .stdin(Stdio::null());
        command
    }

    /// Runs `runner` to its end.
    pub fn runner(&self, arguments: &[&str]) -> Said {
        said(self.command(arguments).output().unwrap())
    }

    /// Starts `runner` and comes back at once.
    pub fn start(&self, arguments: &[&str]) -> Child {
        self.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// Writes `experiments/ID.toml` from [`manifest`], with replacements.
    pub fn manifest(&self, id: &str, replacements: &[(&str, &str)]) -> String {
        let mut text = manifest(id);
        for (from, to) in replacements {
            assert!(text.contains(from), "{from:?} is not in the manifest");
            text = text.replace(from, to);
        }
        self.write(&format!("experiments/{id}.toml"), text);
        format!("experiments/{id}.toml")
    }

    /// All files below a folder, relative to the root, sorted.
    pub fn files(&self, relative: &str) -> Vec<String> {
        let mut files = Vec::new();
        collect(&self.path(relative), self.root(), &mut files);
        files.sort();
        files
    }

    /// Process numbers of fake workers that were started, and still run.
    pub fn living_workers(&self) -> Vec<u32> {
        let pids = std::fs::read_to_string(self.path("script.toml.pids")).unwrap_or_default();
        pids.lines()
            .filter_map(|line| line.trim().parse().ok())
            .filter(|pid: &u32| {
                let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
                // a copy kept for the run is called worker-N
                String::from_utf8_lossy(&line).contains("worker-")
            })
            .collect()
    }
}

/// Waits for a process that was started by [`Sandbox::start`].
pub fn finish(child: Child) -> Said {
    said(child.wait_with_output().unwrap())
}

fn said(output: Output) -> Said {
    Said {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

fn collect(folder: &Path, root: &Path, files: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, root, files);
        } else {
            files.push(path.strip_prefix(root).unwrap().display().to_string());
        }
    }
}

/// The built fake worker: an example, beside the test's own executable.
pub fn fake_worker() -> String {
    let own = std::env::current_exe().unwrap();
    let path = own.parent().unwrap().parent().unwrap().join("examples/fake-worker");
    assert!(
        path.is_file(),
        "{} is not built: run `cargo test` without a choice of targets, or `cargo build --examples`",
        path.display()
    );
    path.display().to_string()
}

/// Two threads decode a fifth faster than one; noise of 1 % a reading, 0.3 % a process.
pub const QUIET_SCRIPT: &str = "\
seed = 7
[base]
decode_nanoseconds_per_token = 1_000_000
noise_sd = 0.01
process_sd = 0.003
[[when]]
settings = { threads = 2 }
decode_nanoseconds_per_token = 833_000
";

/// A small, sound manifest: off, off-again, and `fast` with two threads under `identical`.
/// Five rounds of four blocks; the gate is wide open, since the times are scripted.
pub fn manifest(id: &str) -> String {
    format!(
        r#"schema = 1
id = "{id}"
title = "Two threads against one"
hypothesis = "two threads decode 10 % faster or more"
prior_access = "none"

[engine]
worker = "{worker}"
model = "builtin-tiny"
threads = 1
context_tokens = 1024

[workload]
inputs = "prose-48"
class = "dense_throughput"
prompt_tokens = 16
decode_tokens = 16

[[arm]]
name = "off"
role = "off"

[[arm]]
name = "off-again"
role = "aa"

[[arm]]
name = "fast"
role = "treatment"
threads = 2
contract.identical.of = "tokens"

[metric]
primary = "decode_tokens_per_second"

[noise]
assumed_round_sd_percent = 0.5
assumed_block_sd_percent = 1.0
expected_effect_percent = 20.0

[design]
rounds = 5
blocks_per_round = 4
chunk_tokens = 8
order_seed = 1
input_scope = "set"

[stop.fixed]
cap_minutes = 10

[gate]
others_cpu_percent = 100000
pressure_percent = 100
wait_seconds = 600
contaminated_percent = 100

[decision]
margin_percent = 5.0
confidence_percent = 95
parked.resolution = "a second registration with twice the rounds"
"#,
        worker = fake_worker(),
    )
}
