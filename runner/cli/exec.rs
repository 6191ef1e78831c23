//! `runner exec`: runs a registered experiment to a verdict.

use std::path::PathBuf;

use runner::exec::{Conduct, conduct};
use runner::record::{
    self, Circumstances, CommitState, HistoryOutcome, ManifestSource, Record, SearchedHistory,
};
use runner::verdict::Verdict;
use runner::{Failure, exec, report};

use super::context::App;
use super::exec_slurm::{self, OnSlurm};
use super::outcome::Outcome;
use super::progress::Progress;
use super::{builds, history, register, show, stamp};

/// Which experiment. No threshold stands here: the rule is the registered one.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The registered manifest
    file: PathBuf,
    /// Register it first, as it is (the record says whether it was committed)
    #[arg(long)]
    register: bool,
    /// Exit with 1 when a comparison ends in one of these verdicts
    #[arg(long, value_name = "VERDICT", value_delimiter = ',')]
    fail_on: Vec<FailOn>,
    /// Where it is run: on this machine, or as jobs of a cluster that this machine submits to
    #[arg(long, value_name = "SCHEDULER", default_value = "here", help_heading = "On a cluster")]
    on: On,
    /// What the jobs ask of the cluster.
    #[command(flatten)]
    cluster: OnSlurm,
}

/// Where an experiment is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum On {
    /// This machine
    Here,
    /// One whole node of each named partition
    Slurm,
}

/// Verdicts, as the command line names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum FailOn {
    /// The interval lies above the margin
    Win,
    /// The interval lies below minus the margin
    Loss,
    /// The interval lies within the margins
    Level,
    /// The interval crosses a margin
    Parked,
    /// The numbers prove nothing
    Void,
    /// The run ended early
    Incomplete,
    /// Too few whole rounds
    Insufficient,
}

impl FailOn {
    fn names(self, verdict: Verdict) -> bool {
        let named = match self {
            FailOn::Win => Verdict::Win,
            FailOn::Loss => Verdict::Loss,
            FailOn::Level => Verdict::Level,
            FailOn::Parked => Verdict::Parked,
            FailOn::Void => Verdict::Void,
            FailOn::Incomplete => Verdict::Incomplete,
            FailOn::Insufficient => Verdict::Insufficient,
        };
        named == verdict
    }
}

/// Runs, judges, seals and prints.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let project = app.project()?;
    let read = app.read(&arguments.file, &project)?;
    let plan = &read.reading.plan;
    let slurm = match arguments.on {
        On::Here => {
            arguments.cluster.require_none()?;
            None
        }
        // before anything is frozen
        On::Slurm => Some(arguments.cluster.find(&project, plan)?),
    };
    let registered = if arguments.register {
        // whatever git says of the manifest: this ledger entry is in no commit yet
        let circumstances = Circumstances {
            state: CommitState::Uncommitted,
            ..exec::circumstances(&project, &arguments.file)
        };
        let new =
            register::freeze(plan, &circumstances, &project, &mut |step| builds::say(app, &step))?;
        if !app.global.json {
            register::say(app, &project, plan, &new)?;
        }
        new.registered
    } else {
        record::find_registration(&project, plan)?
    };
    if plan.history.is_some() {
        let found = history::run(app, &project, &registered)?;
        return Ok(outcome_of_search(&found, &arguments.fail_on));
    }
    let source = ManifestSource::of(&read.source, plan, &registered)?;
    if let Some(slurm) = slurm {
        let cluster = &arguments.cluster;
        let ended = exec_slurm::run(app, cluster, &slurm, (&project, &registered, &source))?;
        return Ok(ended.outcome(|record| outcome(record, &arguments.fail_on)));
    }
    let mut progress = Progress::new(app.terminal, app.global.json);
    let stamp = stamp::build_stamp();
    let sealed = conduct(
        &registered,
        &Conduct {
            project: &project,
            manifest_source: &source,
            stamp: &stamp,
            table: &report::markdown_page,
        },
        &mut progress,
    );
    progress.done();
    let sealed = sealed?;
    for warning in &sealed.warnings {
        app.terminal.note(format!("warning: {warning}"))?;
    }
    show::print(app, &sealed.record, report::Detail::Short)?;
    Ok(outcome(&sealed.record, &arguments.fail_on))
}

/// A search ends in the verdict of its first clear step, or is parked.
fn outcome_of_search(found: &SearchedHistory, fail_on: &[FailOn]) -> Outcome {
    let clear =
        |verdict: &Verdict| matches!(verdict, Verdict::Win | Verdict::Loss | Verdict::Level);
    let verdict = match found.outcome {
        HistoryOutcome::Parked => Verdict::Parked,
        HistoryOutcome::NoChange => Verdict::Level,
        HistoryOutcome::First | HistoryOutcome::OneOf => {
            found.steps.iter().map(|step| step.verdict).find(clear).unwrap_or(Verdict::Parked)
        }
    };
    if fail_on.iter().any(|one| one.names(verdict)) { Outcome::Found } else { Outcome::Done }
}

fn outcome(record: &Record, fail_on: &[FailOn]) -> Outcome {
    let analysis = &record.sealed.analysis;
    let named = analysis
        .comparisons
        .iter()
        .any(|comparison| fail_on.iter().any(|one| one.names(comparison.verdict)));
    if named { Outcome::Found } else { analysis.summary.into() }
}
