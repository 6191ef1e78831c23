//! One run in progress: what its parts share.

use std::collections::BTreeMap;

use engine_protocol::{Greeting, LoadRequest, Loaded};
use machine_probe::Canary;

use super::context::RunContext;
use super::desk::Desk;
use super::energy::EnergyMeter;
use super::entry::{Entry, WorkerStarted};
use super::executable::KeptExecutable;
use super::fault::WorkerError;
use super::interrupt::Interrupt;
use super::job::Job;
use super::observer::{Event, Observer};
use super::stop::Stop;
use super::worker::{Call, Worker};
use crate::failure::Failure;
use crate::manifest::{Role, WorkerChoice};
use crate::record::without_private_paths;
use crate::verdict::{ArmFault, RunEnd};

/// A run in progress.
pub(super) struct Run<'run, 'context> {
    pub(super) job: &'run Job<'run>,
    pub(super) context: &'run mut RunContext<'context>,
    pub(super) observer: &'run mut dyn Observer,
    pub(super) interrupt: Interrupt,
    pub(super) desk: Desk,
    pub(super) copies: BTreeMap<WorkerChoice, KeptExecutable>,
    /// Process ids of servers on this machine that arms are spread over.
    pub(super) servers: Vec<u32>,
    /// What requests take of the machine's energy.
    pub(super) energy: EnergyMeter,
    /// Fixed work before each block.
    pub(super) canary: Canary,
}

/// A worker that greeted and loaded.
pub(super) struct Ready {
    pub(super) worker: Worker,
    pub(super) greeting: Greeting,
    pub(super) loaded: Loaded,
}

impl Run<'_, '_> {
    /// What bounds a request.
    pub(super) fn call(&self) -> Call<'_> {
        Call { limits: &self.context.limits, interrupt: &self.interrupt }
    }

    /// Writes an entry to disk and applies it.
    pub(super) fn record(&mut self, entry: Entry) -> Result<(), Stop> {
        Ok(self.desk.record(entry)?)
    }

    /// Stops when a signal came.
    pub(super) fn heed_interrupt(&self) -> Result<(), Stop> {
        self.interrupt.raised().map_or(Ok(()), |signal| Err(Stop::Interrupted(signal)))
    }

    /// Whether an arm ended before.
    pub(super) fn has_ended(&self, arm: usize) -> bool {
        let name = self.job.name(arm);
        self.desk.state.faults.iter().any(|fault| fault.arm == name)
    }

    /// Starts an arm's worker and loads the model. The inner result is the arm's.
    pub(super) fn start(
        &mut self,
        arm: usize,
        round: Option<u32>,
    ) -> Result<Result<Ready, (Option<Worker>, WorkerError)>, Stop> {
        self.heed_interrupt()?;
        let Some(planned) = self.job.plan.arms.get(arm) else {
            return Err(Failure::failed(format!(
                "the schedule names arm {arm}, which is not there"
            ))
            .into());
        };
        let choice = self.job.plan.worker_of(planned);
        let Some(copy) = self.copies.get(choice) else {
            return Err(Failure::failed("a worker's executable was not kept")
                .at(&planned.name)
                .into());
        };
        let program = copy.program(&self.desk.private);
        let model = self.context.model_of(self.job.plan, planned)?;
        let load = LoadRequest {
            model_path: model.to_string_lossy().into_owned(),
            settings: self.job.plan.settings_of(planned),
            draft_model_path: self
                .context
                .draft_paths
                .get(planned.name.as_str())
                .map(|path| path.to_string_lossy().into_owned()),
        };
        let registered = self.job.plan.environment_of(planned);
        let started = Worker::start_with(&program.path, &program.arguments, &registered);
        let mut worker = match started {
            Ok(worker) => worker,
            Err(error) => return Ok(Err((None, error))),
        };
        if self.job.is_paired_whole(arm) {
            worker.tells_time_alone(u32::try_from(self.job.slots(arm)).unwrap_or(u32::MAX));
        }
        self.record(Entry::Worker(WorkerStarted {
            arm: self.job.name(arm).to_owned(),
            round,
            process: worker.identity(),
        }))?;
        let greeting = match worker.hello(self.call()) {
            Ok(greeting) => greeting,
            Err(error) => return Ok(Err((Some(worker), error))),
        };
        Ok(match worker.load(load, self.call()) {
            Ok(loaded) => Ok(Ready { worker, greeting, loaded }),
            Err(error) => Err((Some(worker), error)),
        })
    }

    /// An arm ends with a reason. The others go on, unless it is off or aa.
    ///
    /// # Errors
    /// [`Stop`] when the run cannot go on.
    pub(super) fn arm_ends(
        &mut self,
        arm: usize,
        worker: Option<&Worker>,
        error: &WorkerError,
        round: Option<u32>,
    ) -> Result<(), Stop> {
        let Some((kind, detail)) = error.as_fault() else {
            return Err(Stop::Interrupted(self.interrupt.raised().unwrap_or("a signal")));
        };
        let name = self.job.name(arm).to_owned();
        if let Some(worker) = worker {
            self.keep_stderr(&name, worker);
        }
        // The record is public: no user's folders in it.
        let detail = without_private_paths(&detail, &self.context.executables.root);
        let detail = without_host_name(&detail);
        let fault = ArmFault { arm: name.clone(), kind, detail: detail.clone(), round };
        self.record(Entry::ArmFault(fault.clone()))?;
        self.observer.event(Event::ArmEnded(&fault));
        if matches!(self.job.role(arm), Role::Off | Role::Aa) {
            return self.heed_ended_arms();
        }
        Ok(())
    }

    /// Stops when off, an aa arm, or every treatment has ended: there is nothing left to compare.
    pub(super) fn heed_ended_arms(&self) -> Result<(), Stop> {
        let arms = || 0..self.job.plan.arms.len();
        let is_reference = |arm: &usize| matches!(self.job.role(*arm), Role::Off | Role::Aa);
        if arms().filter(is_reference).any(|arm| self.has_ended(arm)) {
            let last = self.desk.state.faults.last();
            let last = last.map(|fault| format!(": `{}`: {}", fault.arm, fault.detail));
            let why = "off or aa ended, and nothing can be compared without it";
            let detail = format!("{why}{}", last.unwrap_or_default());
            return Err(Stop::Ended(RunEnd::Broken { detail }));
        }
        let has_role = |role: Role| move |arm: &usize| self.job.role(*arm) == role;
        // where nothing is judged, other engines are what is looked at
        let judged = arms().any(|arm| self.job.role(arm) == Role::Treatment);
        let role = if judged { Role::Treatment } else { Role::Peer };
        let mut all = arms().filter(has_role(role)).peekable();
        if all.peek().is_some() && all.all(|arm| self.has_ended(arm)) {
            // each comparison has a reason of its own, and nothing is left to compare
            return Err(Stop::Ended(RunEnd::Completed));
        }
        Ok(())
    }

    /// The end of an ended worker's standard error stays in the run's private folder: up to
    /// 256 KiB. That it cannot be written is no reason to stop.
    fn keep_stderr(&self, arm: &str, worker: &Worker) {
        let text = worker.stderr();
        if !text.is_empty() {
            let _ = std::fs::write(self.desk.private.join(format!("{arm}.stderr.txt")), text);
        }
    }
}

/// Last words of an engine with this machine's name taken out, where it stands as a word.
fn without_host_name(text: &str) -> String {
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    if name.is_empty() || name == "localhost" {
        return text.to_owned();
    }
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(name.as_str()) {
        let inside = is_part(before.chars().next_back()) || is_part(after.chars().next());
        out.push_str(before);
        out.push_str(if inside { &name } else { "(this host)" });
        rest = after;
    }
    out + rest
}

impl Run<'_, '_> {
    /// An input's id, with the condition where there is one.
    pub(super) fn input_label(&self, condition: u32, input: usize) -> String {
        let item = self.context.inputs.items.get(input);
        let id = item.map_or_else(|| format!("#{input}"), |item| item.id.clone());
        self.labelled(condition, id)
    }

    /// A text's name, with the condition where there is one.
    pub(super) fn labelled(&self, condition: u32, id: String) -> String {
        if self.job.plan.condition.is_none() {
            return id;
        }
        format!("{id} (condition {condition})")
    }
}
