//! `runner exec --on slurm`: the same registered experiment, on nodes of a cluster.

use runner::exec::{JobEnd, Partition, SlurmAsk, SlurmEvent, SlurmProgram, run_on_slurm};
use runner::manifest::Plan;
use runner::project::Project;
use runner::record::{self, ManifestSource, Record, Registered};
use runner::{Failure, report};
use serde_json::{Value, json};

use super::context::App;
use super::outcome::Outcome;
use super::{record_verify, show};

/// What the jobs ask of the cluster.
#[derive(Debug, clap::Args)]
pub struct OnSlurm {
    /// A partition; one job for each that is named
    #[arg(long, value_name = "PARTITION", help_heading = "On a cluster")]
    partition: Vec<Partition>,
    /// Features that the node must have, in the scheduler's words
    #[arg(long, value_name = "FEATURES", help_heading = "On a cluster")]
    constraint: Option<String>,
    /// Who is charged for it
    #[arg(long, value_name = "ACCOUNT", help_heading = "On a cluster")]
    account: Option<String>,
}

/// What came of all jobs.
pub struct Ended {
    ends: Vec<JobEnd>,
}

impl OnSlurm {
    /// Refuses what means nothing on this machine.
    pub fn require_none(&self) -> Result<(), Failure> {
        if self.partition.is_empty() && self.constraint.is_none() && self.account.is_none() {
            return Ok(());
        }
        Err(Failure::usage("`--partition`, `--constraint` and `--account` speak of a cluster")
            .hint("add `--on slurm`"))
    }

    /// Holds what can be held against the experiment, and looks for Slurm.
    pub fn find(&self, project: &Project, plan: &Plan) -> Result<SlurmProgram, Failure> {
        let mut names: Vec<&Partition> = self.partition.iter().collect();
        names.sort();
        if names.is_empty() {
            return Err(Failure::usage("no partition is named")
                .hint("add `--partition NAME`, once for each; `sinfo` lists them"));
        }
        let twice = names.iter().zip(names.iter().skip(1)).find(|(one, other)| one == other);
        if let Some((twice, _)) = twice {
            return Err(Failure::usage(format!("partition `{twice}` is named twice"))
                .hint("one job runs in each; a second attempt is a second command"));
        }
        if plan.history.is_some() {
            return Err(Failure::refused(
                "a search of a history is no single run: it is not submitted",
            )
            .at(format!("experiment {}", plan.id))
            .hint("run `exec` on one node of the cluster, in a job of your own"));
        }
        SlurmProgram::find(&project.root)
    }
}

/// Submits, follows, collects, and says what came.
pub fn run(
    app: &App,
    cluster: &OnSlurm,
    slurm: &SlurmProgram,
    (project, registered, source): (&Project, &Registered, &ManifestSource),
) -> Result<Ended, Failure> {
    let checks = record_verify::checks();
    let ask = SlurmAsk {
        project,
        registered,
        manifest_source: source,
        partitions: &cluster.partition,
        constraint: cluster.constraint.as_deref(),
        account: cluster.account.as_deref(),
        checks: &checks,
    };
    let mut tell = |event: SlurmEvent<'_>| {
        if !app.global.json {
            // a reader that has gone away is no reason to stop following
            drop(app.terminal.note(text(&event)));
        }
    };
    let ends = run_on_slurm(&ask, slurm, &mut tell)?;
    let all = record::finished_records(project, &registered.plan().id)?;
    if app.global.json {
        let jobs: Result<Vec<Value>, Failure> =
            ends.iter().map(|end| end_json(project, end)).collect();
        app.terminal.json(&json!({
            "jobs": jobs?,
            "by_machine": report::by_machine_json(&all),
        }))?;
        return Ok(Ended { ends });
    }
    for end in &ends {
        match &end.record {
            Ok(record) => show::print(app, record, report::Detail::Short)?,
            Err(failure) => app.terminal.note(format!("error: {failure}"))?,
        }
    }
    show::by_machine(app, &all)?;
    Ok(Ended { ends })
}

impl Ended {
    /// The worst that came: of records by their verdicts, of the others by their failures.
    pub fn outcome(&self, of_record: impl Fn(&Record) -> Outcome) -> Outcome {
        let outcomes = self.ends.iter().map(|end| match &end.record {
            Ok(record) => of_record(record),
            Err(failure) => Outcome::of_failure(failure.kind),
        });
        outcomes.max_by_key(|outcome| outcome.exit_code()).unwrap_or(Outcome::Done)
    }
}

fn end_json(project: &Project, end: &JobEnd) -> Result<Value, Failure> {
    let (record, error) = match &end.record {
        Ok(record) => (show::around(project, record)?, Value::Null),
        Err(failure) => (
            Value::Null,
            json!({
                "exit_code": failure.kind.exit_code(),
                "what": failure.what,
                "place": failure.place,
                "hint": failure.hint,
            }),
        ),
    };
    Ok(json!({
        "partition": end.partition.as_str(),
        "job": end.number,
        "record": record["record"],
        "error": error,
    }))
}

fn text(event: &SlurmEvent<'_>) -> String {
    match event {
        SlurmEvent::Submitted { partition, number } => {
            format!("{partition}: job {number} is submitted")
        }
        SlurmEvent::Found { partition, number } => {
            format!("{partition}: job {number} was submitted before and is followed again")
        }
        SlurmEvent::State { partition, number, words } => {
            format!("{partition}: job {number} is {words}")
        }
        SlurmEvent::Line { partition, line } => format!("{partition}: {line}"),
    }
}
