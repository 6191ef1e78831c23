//! A stage for runs: folders, a script, a small plan.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use engine_protocol::Settings;
use sample_table::SampleRow;

use super::super::context::{FinishedRun, Inputs, Item, RunContext};
use super::super::executable::Executables;
use super::super::execute::execute;
use super::super::gate::{Gate, OpenGate};
use super::super::job::Job;
use super::super::limits::RequestLimits;
use super::super::observer::{Observer, Silent};
use crate::design::{self, test_plan};
use crate::failure::Failure;
use crate::manifest::{Contract, Plan, TimedWork, WorkerChoice};

/// The built fake worker, beside this test's own executable.
pub fn fake_worker() -> PathBuf {
    let own = std::env::current_exe().unwrap();
    let path = own.parent().unwrap().parent().unwrap().join("examples/fake-worker");
    assert!(path.is_file(), "{} is not built: run `cargo test -p runner`", path.display());
    path
}

pub struct Stage {
    pub root: PathBuf,
    pub plan: Plan,
    pub hash: String,
    pub limits: RequestLimits,
    /// Taken away at the end, unless the folder belongs to somebody else.
    _folder: Option<tempfile::TempDir>,
}

impl Stage {
    /// Off, aa and the treatment `fast` (two threads, `identical`), 2 rounds of 3 blocks of 2
    /// chunks, with this script.
    pub fn new(script: &str) -> Stage {
        let folder = tempfile::tempdir().unwrap();
        let mut stage = Stage::at(folder.path());
        stage._folder = Some(folder);
        std::fs::write(stage.script(), script).unwrap();
        stage
    }

    /// The same in a folder that is there already, with its script.
    pub fn at(root: &Path) -> Stage {
        let mut plan = test_plan::plan(2, 3);
        let work = TimedWork::Decode { prompt_tokens: 12, decode_tokens: 8, chunk_tokens: 4 };
        plan.workload.work = work;
        plan.engine.worker = WorkerChoice::Executable(fake_worker().to_string_lossy().into_owned());
        plan.arms[2].settings = Settings { threads: Some(2), ..Settings::default() };
        Stage {
            root: root.to_path_buf(),
            plan,
            hash: "hash-of-the-manifest".to_owned(),
            limits: RequestLimits::default(),
            _folder: None,
        }
    }

    /// The treatment promises nothing, so it is fed.
    pub fn without_contracts(mut self) -> Stage {
        self.plan.arms[2].contracts = Vec::new();
        self
    }

    pub fn with_contract(mut self, contract: Contract) -> Stage {
        self.plan.arms[2].contracts = vec![contract];
        self
    }

    pub fn script(&self) -> PathBuf {
        self.root.join("script.toml")
    }

    pub fn runs(&self) -> PathBuf {
        self.root.join("results").join(self.plan.id.as_str())
    }

    /// Runs, or goes on.
    pub fn run(&self) -> Result<FinishedRun, Failure> {
        self.run_with(&mut OpenGate, &mut Silent)
    }

    pub fn run_with(
        &self,
        gate: &mut dyn Gate,
        observer: &mut dyn Observer,
    ) -> Result<FinishedRun, Failure> {
        let mut context = self.context(gate);
        let job = Job {
            plan: &self.plan,
            manifest_hash: self.hash.clone(),
            schedule: design::schedule(&self.plan, context.inputs.items.len()),
            confirm: &|_greetings| Ok(()),
        };
        execute(&job, &mut context, observer, &self.runs())
    }

    pub fn context<'run>(&self, gate: &'run mut dyn Gate) -> RunContext<'run> {
        RunContext {
            results: self.root.join("results"),
            cache: self.root.join("cache"),
            lock_file: self.root.join("cache/lock"),
            executables: Executables {
                root: self.root.clone(),
                native: None,
                built: BTreeMap::new(),
            },
            model_path: self.script(),
            draft_paths: std::collections::BTreeMap::new(),
            form_paths: std::collections::BTreeMap::new(),
            slice_paths: std::collections::BTreeMap::new(),
            inputs: inputs(),
            arm_inputs: std::collections::BTreeMap::new(),
            gate,
            limits: self.limits,
            start_facts: serde_json::json!({ "commit": "abc" }),
        }
    }

    /// The only run's folder.
    pub fn run_dir(&self) -> PathBuf {
        let mut runs: Vec<_> =
            std::fs::read_dir(self.runs()).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(runs.len(), 1, "{runs:?}");
        runs.remove(0)
    }

    /// Every worker that ever loaded the script.
    pub fn pids(&self) -> Vec<u32> {
        let text = std::fs::read_to_string(self.root.join("script.toml.pids")).unwrap_or_default();
        text.lines().map(|line| line.parse().unwrap()).collect()
    }

    /// Waits a little, then names the fake workers of this stage that still run.
    pub fn left_over(&self) -> Vec<u32> {
        let runs = |pid: &u32| {
            let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).contains(self.root.to_str().unwrap())
        };
        let mut left = self.pids();
        for _ in 0..200 {
            left.retain(runs);
            if left.is_empty() {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        left
    }

    /// Rows that the schedule asks for: one prompt and two chunks for each arm and block.
    pub fn expected_rows(&self) -> usize {
        let blocks = self.plan.design.rounds * self.plan.design.blocks_per_round;
        blocks as usize * self.plan.arms.len() * 3
    }
}

/// Six items of 20 words each.
pub fn inputs() -> Inputs {
    let text = |item: usize| {
        (0..20).map(|word| format!("w{}", item * 31 + word)).collect::<Vec<_>>().join(" ")
    };
    let item = |index| Item { id: format!("item-{index}"), text: text(index) };
    Inputs { items: (0..6).map(item).collect() }
}

/// Asserts that no two rows are of the same place.
pub fn assert_no_doubles(rows: &[SampleRow]) {
    let mut places: Vec<_> = rows
        .iter()
        .map(|row| (row.condition, row.round, row.block, row.chunk, row.arm.clone(), row.work))
        .collect();
    places.sort();
    let all = places.len();
    places.dedup();
    assert_eq!(places.len(), all);
}
