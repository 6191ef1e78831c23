//! `exec --on slurm`: on a real cluster of one node on loopback, and, for what is rare, with programs that
//! play one.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod sandbox;

use std::process::Stdio;

use sandbox::cluster::Cluster;
use sandbox::runs::{interrupt, wait, wait_on};
use sandbox::{QUIET_SCRIPT, Sandbox, finish};
use serde_json::Value;

/// A name with all that a shell, an environment or Slurm might take for its own.
const ODD: &str = "it's a \"folder\" $(false) 100%j a=b ";

/// An engine whose times really pass: a block takes a seventh of a second.
fn slow_script() -> String {
    QUIET_SCRIPT
        .replace("1_000_000", "3_000_000")
        .replace("833_000", "2_500_000")
        .replace("[base]\n", "[base]\nsleep = true\n")
}

/// Blocks in the journals of an experiment's jobs.
fn blocks(sandbox: &Sandbox, id: &str) -> usize {
    let files = sandbox.files(&format!(".cache/slurm/{id}"));
    files
        .iter()
        .filter(|file| file.ends_with("/journal.jsonl"))
        .map(|file| {
            let text = std::fs::read_to_string(sandbox.path(file)).unwrap_or_default();
            text.matches("\"block\":{").count()
        })
        .sum()
}

fn provenance(sandbox: &Sandbox, id: &str, run: &str) -> String {
    std::fs::read_to_string(sandbox.path(&format!("results/{id}/{run}/provenance.toml"))).unwrap()
}

#[test]
fn two_partitions_and_both_records_come_back_whole() {
    let Some(cluster) = Cluster::start() else { return };
    let sandbox = Sandbox::with_model_called(ODD);
    let file = sandbox.manifest("both", &[]);
    let submit = ["exec", &file, "--on", "slurm", "--partition", "one", "--partition", "two"];
    // only what is registered
    cluster
        .runner(&sandbox, &submit)
        .expect_code(3)
        .expect_text("this experiment is not registered");
    sandbox.runner(&["register", &file]).expect_code(0);
    let said = cluster.runner(&sandbox, &submit).expect_code(0);
    let said = said
        .expect_text("one: job ")
        .expect_text("two: job ")
        .expect_text("is COMPLETED")
        .expect_text("win fast (above_margin)")
        .expect_text("partition `one`, whole node")
        .expect_text("by machine:");
    assert_eq!(said.out.matches("win fast (above_margin)").count(), 2, "{}", said.out);
    let runs = sandbox.runs("both");
    assert_eq!(runs.len(), 2, "{runs:?}");
    assert_eq!(sandbox.journal_file("both"), None);
    sandbox.runner(&["record", "verify"]).expect_code(0).expect_text("2 records verified");
    for (run, partition) in runs.iter().zip(["one", "two"]) {
        let text = provenance(&sandbox, "both", run);
        assert!(text.contains("[scheduler]\nname = \"slurm\"\n"), "{text}");
        assert!(text.contains(&format!("partition = \"{partition}\"\nexclusive = true")), "{text}");
        assert!(!text.contains("loop") && !text.contains("SLURM"), "private: {text}");
    }
    // whichever began second is the second attempt, and says so
    let shown = sandbox.runner(&["--json", "show", &format!("both/{}", runs[1])]).json();
    assert_eq!(shown["record"]["attempt"], 2);
    let rows = sandbox.runner(&["--json", "show", "both"]).json()["by_machine"]["rows"].take();
    let partitions: Vec<&Value> =
        rows.as_array().unwrap().iter().map(|row| &row["partition"]).collect();
    assert_eq!(partitions, ["one", "two"]);
    let shown = sandbox.runner(&["show", "both"]).expect_code(0).out;
    for text in [
        "by machine:",
        "partition one",
        "partition two",
        "attempt 2",
        "difference between machines",
    ] {
        assert!(shown.contains(text), "{text:?} is missing: {shown}");
    }
    // Slurm's own words
    let wrong = ["exec", &file, "--on", "slurm", "--partition", "nowhere"];
    cluster
        .runner(&sandbox, &wrong)
        .expect_code(3)
        .expect_text("invalid partition")
        .expect_text("`sinfo` lists");
    let wrong =
        ["exec", &file, "--on", "slurm", "--partition", "one", "--constraint", "no-such-feature"];
    cluster.runner(&sandbox, &wrong).expect_code(3).expect_text("Slurm did not take the job");
    assert_eq!(sandbox.runs("both").len(), 2);
}

#[test]
fn what_is_cut_is_no_record_and_the_next_run_is_the_next_attempt() {
    let Some(cluster) = Cluster::start() else { return };
    let sandbox = Sandbox::with_model();
    sandbox.script(&slow_script());
    let file = sandbox.manifest("cut", &[]);
    sandbox.runner(&["register", &file]).expect_code(0);
    let submit = ["exec", &file, "--on", "slurm", "--partition", "one", "--constraint", "tiny"];
    let start = || {
        let mut command = cluster.command(&sandbox, &submit);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    // Ctrl-C leaves the job, and the same command follows it
    let mut child = start();
    wait_on(&mut child, "two blocks", || blocks(&sandbox, "cut") >= 2);
    interrupt(&child);
    finish(child)
        .expect_code(5)
        .expect_text("following was interrupted by SIGINT")
        .expect_text("the same command follows it again");
    let jobs = cluster.jobs();
    assert_eq!(jobs.len(), 1, "{jobs:?}");
    let mut child = start();
    wait_on(&mut child, "two more blocks", || blocks(&sandbox, "cut") >= 4);
    assert_eq!(cluster.jobs(), jobs);
    cluster.ask("scancel", &[&jobs[0]]);
    finish(child)
        .expect_code(5)
        .expect_text("was submitted before and is followed again")
        .expect_text("ended early: CANCELLED")
        .expect_text("the run counts as an attempt")
        .expect_text("results/cut/");
    sandbox.wait_for_no_worker();
    assert_eq!(sandbox.runs("cut"), Vec::<String>::new());
    // what was seen is seen, wherever it lies
    let amend = ["record", "amend", &file, "--reason", "r", "--impact", "i"];
    sandbox.runner(&amend).expect_code(3).expect_text("(unfinished)");
    let same_question = sandbox.manifest("same-question", &[]);
    sandbox.runner(&["register", &same_question]).expect_code(3).expect_text("earlier looks");
    // a time limit; Slurm counts in minutes, and can be told an end
    // it looks for them twice a minute, so the run must take longer
    let slower = slow_script().replace("3_000_000", "90_000_000");
    sandbox.script(&slower.replace("2_500_000", "75_000_000"));
    let before = blocks(&sandbox, "cut");
    let mut child = start();
    wait_on(&mut child, "a block of the second job", || blocks(&sandbox, "cut") > before);
    let job = cluster.jobs().pop().unwrap();
    assert_ne!(job, jobs[0]);
    cluster.ask("scontrol", &["update", &format!("JobId={job}"), "EndTime=now+1seconds"]);
    finish(child).expect_code(5).expect_text("ended early: TIMEOUT (TimeLimit)");
    sandbox.wait_for_no_worker();
    // a whole one
    sandbox.script(QUIET_SCRIPT);
    let json: Vec<&str> = ["--json"].into_iter().chain(submit).collect();
    let said = cluster.runner(&sandbox, &json).expect_code(0).json();
    let record = &said["jobs"][0]["record"];
    assert_eq!((&record["attempt"], &said["jobs"][0]["error"]), (&Value::from(3), &Value::Null));
    let earlier = record["earlier"].as_array().unwrap();
    assert_eq!(earlier.len(), 2, "{earlier:?}");
    let claim = record["claims"][0]["sentence"].as_str().unwrap();
    assert!(claim.contains("does not win alone"), "{claim}");
    assert_eq!(sandbox.runs("cut").len(), 1);
    sandbox.runner(&["record", "verify"]).expect_code(0).expect_text("1 record verified");
    let text = provenance(&sandbox, "cut", &sandbox.runs("cut")[0]);
    assert!(text.contains("constraint = \"tiny\""), "{text}");
}

/// Slurm as far as `sbatch` goes: it takes the job and runs nothing.
const TAKES: (&str, &str) = (
    "sbatch",
    "[ \"$1\" = --version ] && echo 'slurm 99.1' && exit; echo \"$@\" >>\"$0.log\"; echo '7;here'",
);

/// Slurm that runs the job at once, in a partition of this name.
fn runs_in(partition: &str) -> String {
    format!(
        "[ \"$1\" = --version ] && echo 'slurm 99.1' && exit\n\
         SLURM_JOB_ID=7 SLURM_JOB_PARTITION={partition} ./job.sh >/dev/null 2>&1\necho 7"
    )
}

#[test]
fn what_slurm_says_of_a_job_that_it_ended_is_said() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("rare", &[]);
    sandbox.runner(&["register", &file]).expect_code(0);
    let submit = ["exec", &file, "--on", "slurm", "--partition", "one"];
    for (line, said) in [
        ("PREEMPTED|one|None", "ended early: PREEMPTED"),
        ("NODE_FAIL|one|NodeDown", "ended early: NODE_FAIL (NodeDown)"),
        ("OUT_OF_MEMORY|one|OutOfMemory", "ended early: OUT_OF_MEMORY (OutOfMemory)"),
    ] {
        let squeue = format!("echo '{line}'");
        sandbox
            .plays(&[TAKES, ("squeue", &squeue)], &submit)
            .expect_code(5)
            .expect_text("one: job 7 is submitted")
            .expect_text(said)
            .expect_text("nothing was measured");
    }
    // Slurm takes the job, and does not say so in time
    let busy =
        "[ \"$1\" = --version ] && echo 'slurm 99.1' && exit; echo 'Socket timed out' >&2; exit 1";
    let squeue = "case \"$*\" in *--name*) echo 8;; *) echo 'CANCELLED|one|None';; esac";
    sandbox
        .plays(&[("sbatch", busy), ("squeue", squeue)], &submit)
        .expect_code(5)
        .expect_text("one: job 8 is submitted")
        .expect_text("ended early: CANCELLED");
    // and a command that was ended before it knew the number finds the job, though Slurm does not
    let jobs = || sandbox.files(".cache/slurm/rare");
    let refused = [("sbatch", busy), ("squeue", "echo 'no answer' >&2; exit 1")];
    sandbox.plays(&refused, &submit).expect_code(3).expect_text("Socket timed out");
    let open: Vec<String> = jobs()
        .iter()
        .filter_map(|file| file.strip_suffix("/job.toml").map(str::to_owned))
        .filter(|folder| !jobs().contains(&format!("{folder}/closed")))
        .collect();
    assert_eq!(open.len(), 1, "{open:?}");
    sandbox.write(&format!("{}/node", open[0]), "job 9\npartition one\n");
    sandbox
        .plays(&[TAKES, ("squeue", "echo 'NODE_FAIL|one|None'")], &submit)
        .expect_code(5)
        .expect_text("one: job 9 was submitted before and is followed again");
    // it waits, and then runs elsewhere: it is ended
    let squeue = "test -e \"$0.2\" && echo 'RUNNING|two|None' && exit; : >\"$0.2\"; echo 'PENDING|one|Resources'";
    let scancel = ("scancel", "echo \"$@\" >>\"$0.log\"");
    sandbox
        .plays(&[TAKES, ("squeue", squeue), scancel], &submit)
        .expect_code(3)
        .expect_text("one: job 7 is PENDING (Resources)")
        .expect_text("landed in `two`");
    let log = std::fs::read_to_string(sandbox.path("played/scancel.log")).unwrap();
    assert_eq!(log, "7\n");
    let log = std::fs::read_to_string(sandbox.path("played/sbatch.log")).unwrap();
    for argument in ["--nodes=1", "--exclusive", "--no-requeue", "--time=25", "--partition=one"] {
        assert!(log.contains(argument), "{argument} is missing: {log}");
    }
    assert_eq!(sandbox.runs("rare"), Vec::<String>::new());
}

#[test]
fn a_run_refuses_by_itself_what_slurm_should_not_have_done() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("moved", &[]);
    sandbox.runner(&["register", &file]).expect_code(0);
    let submit = ["exec", &file, "--on", "slurm", "--partition", "one"];
    let sbatch = runs_in("two");
    sandbox
        .plays(&[("sbatch", &sbatch), ("squeue", "echo 'FAILED|one|NonZeroExitCode'")], &submit)
        .expect_code(3)
        .expect_text("submitted to partition `one` and landed in `two`: nothing was measured");
    // and where Slurm has forgotten the job already, its files are enough
    let sbatch = runs_in("one");
    let forgotten = "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1";
    let programs = [("sbatch", sbatch.as_str()), ("squeue", forgotten)];
    let json: Vec<&str> = ["--json"].into_iter().chain(submit).collect();
    let said = sandbox.plays(&programs, &json).expect_code(0).json();
    assert_eq!(said["jobs"][0]["partition"], "one");
    assert_eq!(said["jobs"][0]["record"]["attempt"], 1);
    assert_eq!(sandbox.runs("moved").len(), 1);
    sandbox.runner(&["record", "verify"]).expect_code(0);
    // a record that is not whole is not collected
    let spoil = runs_in("one") + "\nfor f in results/moved/2*/table.md; do echo x >>\"$f\"; done";
    let programs = [("sbatch", spoil.as_str()), ("squeue", "echo 'COMPLETED|one|None'")];
    sandbox
        .plays(&programs, &submit)
        .expect_code(1)
        .expect_text("does not verify and is not collected");
    assert_eq!(sandbox.runs("moved").len(), 1);
    // and the verdict that came can fail a build
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("named", &[]);
    let sbatch = runs_in("one");
    let programs = [("sbatch", sbatch.as_str()), ("squeue", "echo 'COMPLETED|one|None'")];
    let submit =
        ["exec", &file, "--register", "--on", "slurm", "--partition", "one", "--fail-on", "win"];
    sandbox.plays(&programs, &submit).expect_code(1).expect_text("win fast (above_margin)");
}

#[test]
fn without_slurm_or_without_a_place_nothing_is_frozen_or_submitted() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("nothing", &[]);
    let submit = ["exec", &file, "--register", "--on", "slurm", "--partition", "one"];
    let mut command = sandbox.command(&submit);
    command.env("PATH", "/nowhere");
    sandbox
        .refuses_command(command, 3)
        .expect_text("`sbatch` cannot be run: it is not installed")
        .expect_text("the package `slurm-client`");
    for (arguments, said) in [
        (&["--on", "slurm"][..], "no partition is named"),
        (&["--partition", "one"], "add `--on slurm`"),
        (&["--on", "slurm", "--partition", "a", "--partition", "a"], "named twice"),
        (&["--on", "slurm", "--partition", "a,b"], "one job for each partition"),
        (&["--on", "slurm", "--partition", "../a"], "a partition's name has at most"),
        (&["--on", "somewhere"], "possible values: here, slurm"),
    ] {
        let all: Vec<&str> = ["exec", &file].into_iter().chain(arguments.iter().copied()).collect();
        sandbox.refuses(&all, 2).expect_text(said);
    }
    wait("nothing runs", || sandbox.living_workers().is_empty());
}
