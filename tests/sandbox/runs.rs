//! Runs in a sandbox: their journals, what they leave on disk, and how they are cut short.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Child;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use sample_table::SampleRow;
use serde_json::Value;

use super::Sandbox;

/// How long a test waits for something that must come.
const PATIENCE: Duration = Duration::from_secs(120);

/// Rows of a whole run of [`super::manifest`]: for each arm and block one prompt and two chunks.
pub const WHOLE_RUN: usize = 5 * 4 * 3 * (1 + 2);

impl Sandbox {
    /// A folder that is no project.
    pub fn bare() -> Sandbox {
        Sandbox { folder: tempfile::tempdir().unwrap() }
    }

    /// A new sandbox with `builtin-tiny` in its cache: an unoptimised build takes seconds to write
    /// the model, so it is written once for all tests.
    pub fn with_model() -> Sandbox {
        Sandbox::with_model_called(".tmp")
    }

    /// The same in a folder whose name begins in a certain way.
    pub fn with_model_called(beginning: &str) -> Sandbox {
        let sandbox = Sandbox::called(beginning);
        let shared = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("models");
        let mut command = sandbox.command(&["model", "path", "builtin-tiny"]);
        let said = super::said(command.env("RUNNER_CACHE_DIR", &shared).output().unwrap());
        let path = PathBuf::from(said.expect_code(0).out.trim());
        let relative = path.strip_prefix(&shared).unwrap().display();
        sandbox.write(&format!(".cache/{relative}"), std::fs::read(&path).unwrap());
        sandbox
    }

    /// All files below a folder with their contents.
    pub fn snapshot(&self, relative: &str) -> BTreeMap<String, Vec<u8>> {
        let read = |file: String| {
            let bytes = std::fs::read(self.path(&file)).unwrap();
            (file, bytes)
        };
        self.files(relative).into_iter().map(read).collect()
    }

    /// Names of an experiment's run folders, oldest first.
    pub fn runs(&self, id: &str) -> Vec<String> {
        let mut runs: Vec<String> = std::fs::read_dir(self.path(&format!("results/{id}")))
            .into_iter()
            .flatten()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .filter(|name| name != "ledger")
            .collect();
        runs.sort();
        runs
    }

    /// Samples of an experiment's latest run.
    pub fn samples(&self, id: &str) -> Vec<SampleRow> {
        let run = self.runs(id).pop().unwrap();
        let files = self.files(&format!("results/{id}/{run}"));
        let file = files.iter().find(|file| file.contains("samples.")).unwrap();
        sample_table::read(&self.path(file)).unwrap()
    }

    /// The file that an unfinished run of the experiment grows in.
    pub fn journal_file(&self, id: &str) -> Option<String> {
        self.files(&format!("results/{id}"))
            .into_iter()
            .find(|file| file.ends_with("/journal.jsonl"))
    }

    /// Entries of the unfinished run's journal; a torn last line is left out.
    pub fn journal(&self, id: &str) -> Vec<Value> {
        let Some(file) = self.journal_file(id) else { return Vec::new() };
        // it may be sealed and gone by now
        let text = std::fs::read_to_string(self.path(&file)).unwrap_or_default();
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// How many entries of a kind the journal holds.
    pub fn entries(&self, id: &str, kind: &str) -> usize {
        self.journal(id).iter().filter(|line| line.get(kind).is_some()).count()
    }

    /// Processes that have loaded the script so far.
    pub fn processes(&self) -> Vec<u32> {
        let pids = std::fs::read_to_string(self.path("script.toml.pids")).unwrap_or_default();
        pids.lines().map(|line| line.trim().parse().unwrap()).collect()
    }

    /// Waits until no worker of this sandbox runs any more.
    #[track_caller]
    pub fn wait_for_no_worker(&self) {
        wait("the workers have ended", || self.living_workers().is_empty());
    }
}

/// Waits for something that must come.
#[track_caller]
pub fn wait(what: &str, reached: impl Fn() -> bool) {
    let begun = Instant::now();
    while !reached() {
        assert!(begun.elapsed() < PATIENCE, "never came: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The same, while a process must not end.
#[track_caller]
pub fn wait_on(child: &mut Child, what: &str, reached: impl Fn() -> bool) {
    let begun = Instant::now();
    while !reached() {
        let ended = child.try_wait().unwrap();
        assert!(ended.is_none(), "it ended ({ended:?}) before: {what}");
        assert!(begun.elapsed() < PATIENCE, "never came: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// `kill -9`.
pub fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

/// What Ctrl-C sends.
pub fn interrupt(child: &Child) {
    kill_process(Pid::from_child(child), Signal::INT).unwrap();
}

/// Asserts that every sample of a whole run is there, each once.
#[track_caller]
pub fn assert_whole(rows: &[SampleRow]) {
    let mut places: Vec<_> = rows
        .iter()
        .map(|row| (row.round, row.block, row.chunk, row.arm.as_str(), row.work))
        .collect();
    places.sort_unstable();
    let all = places.len();
    places.dedup();
    assert_eq!((all, places.len()), (WHOLE_RUN, WHOLE_RUN), "rows, and places without doubles");
}
