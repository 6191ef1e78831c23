//! The gate through `exec`: it shuts and opens, and what disturbs a block flags it. Machines are
//! described by files that change while a run goes on; two faults are real ones.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod sandbox;

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use sandbox::runs::{assert_whole, wait_on};
use sandbox::{QUIET_SCRIPT, Sandbox, finish};
use serde_json::Value;

/// Between two changes of a machine. A block takes a sixth of a second.
const STEP: Duration = Duration::from_millis(25);

/// A project whose engine's times really pass.
fn slow_sandbox() -> Sandbox {
    let sandbox = Sandbox::with_model();
    let script = QUIET_SCRIPT
        .replace("1_000_000", "3_000_000")
        .replace("833_000", "2_500_000")
        .replace("[base]\n", "[base]\nsleep = true\n");
    sandbox.script(&script);
    sandbox
}

/// Registers an experiment, starts it, and comes back when two blocks are done.
fn started(sandbox: &Sandbox, id: &str, replacements: &[(&str, &str)]) -> Child {
    let file = sandbox.manifest(id, replacements);
    sandbox.runner(&["register", &file]).expect_code(0);
    let mut child = sandbox.start(&["exec", &file]);
    wait_on(&mut child, "two blocks", || sandbox.entries(id, "block") >= 2);
    child
}

/// Does something to the machine again and again until the run has ended; its record.
fn disturbed(sandbox: &Sandbox, id: &str, mut child: Child, disturb: impl Fn(u64)) -> Value {
    let mut step = 0;
    while child.try_wait().unwrap().is_none() {
        step += 1;
        disturb(step);
        std::thread::sleep(STEP);
    }
    finish(child);
    record(sandbox, id)
}

fn record(sandbox: &Sandbox, id: &str) -> Value {
    sandbox.runner(&["--json", "show", id]).expect_code(0).json()["record"].take()
}

/// How many blocks a sensor flagged.
fn flagged(record: &Value, sensor: &str) -> u32 {
    let flags = record["analysis"]["flags"].as_array().unwrap();
    let line = flags.iter().find_map(|line| line.as_str()?.strip_prefix(&format!("{sensor}: ")));
    line.map_or(0, |count| count.parse().unwrap())
}

/// `/proc/stat` of two processors after so many ticks of others, and of steal.
fn stat(busy: u64, steal: u64) -> String {
    format!(
        "cpu  {busy} 0 1000 90000 5 0 0 {steal} 0 0\ncpu0 2500 0 500 45000 2 0 0 0 0 0\n\
         cpu1 2500 0 500 45000 3 0 0 0 0 0\nintr 5\nctxt 70000\n"
    )
}

/// Sets its flag when it goes, also when a test fails.
struct Over<'flag>(&'flag AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Lets others take four processors' time as long as the work goes on.
fn while_others_compute<T>(sandbox: &Sandbox, work: impl FnOnce() -> T) -> T {
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _over = Over(&over);
        scope.spawn(|| {
            let begun = Instant::now();
            while !over.load(Ordering::Relaxed) {
                let ticks = 400.0 * begun.elapsed().as_secs_f64();
                sandbox.machine_file("proc/stat", &stat(5000 + ticks as u64, 10));
                std::thread::sleep(STEP);
            }
        });
        work()
    })
}

/// Reads what a run says until it waits for quiet; the line.
fn until_it_waits(said: &mut impl BufRead) -> String {
    let mut line = String::new();
    loop {
        line.clear();
        assert!(said.read_line(&mut line).unwrap() > 0, "it ended without waiting");
        if line.contains("waiting for quiet") {
            return line;
        }
    }
}

#[test]
fn l08_the_gate_shuts_in_the_middle_of_a_run_and_opens_again() {
    let sandbox = slow_sandbox();
    let limit = [("others_cpu_percent = 100000", "others_cpu_percent = 100")];
    let mut child = started(&sandbox, "two-way", &limit);
    let mut said = BufReader::new(child.stderr.take().unwrap());
    let line = while_others_compute(&sandbox, || until_it_waits(&mut said));
    assert!(line.contains("others_cpu is ") && line.contains("(limit 100"), "{line}");
    let held_up = sandbox.entries("two-way", "block");
    assert!(held_up < 20, "nothing was left to hold up");
    // nobody computes any more
    let mut rest = String::new();
    said.read_to_string(&mut rest).unwrap();
    let said = finish(child).expect_code(0);
    assert!(said.out.contains("waited for quiet before 1 block, "), "{}", said.out);
    let record = record(&sandbox, "two-way");
    assert_eq!(record["facts"]["end"], "completed");
    assert_eq!(record["analysis"]["blocks"], 20);
    let surroundings = &record["facts"]["surroundings"];
    assert!(surroundings["waited_seconds"].as_f64().unwrap() > 0.0, "{surroundings}");
    let shut_by = surroundings["shut_by"][0].as_str().unwrap();
    assert!(shut_by.starts_with("others_cpu is "), "{shut_by}");
    assert_whole(&sandbox.samples("two-way"));
    sandbox.runner(&["record", "verify"]).expect_code(0);
}

#[test]
fn l08_a_machine_that_stays_busy_ends_the_run_and_what_was_measured_is_kept() {
    let sandbox = slow_sandbox();
    let limits = [
        ("others_cpu_percent = 100000", "others_cpu_percent = 100"),
        ("wait_seconds = 600", "wait_seconds = 2"),
    ];
    let child = started(&sandbox, "stays-busy", &limits);
    let said = while_others_compute(&sandbox, || finish(child));
    assert_eq!(said.code, 4, "{said:?}");
    let record = record(&sandbox, "stays-busy");
    let why = record["facts"]["end"]["never_quiet"]["detail"].as_str().unwrap();
    assert!(why.starts_with("others_cpu is ") && why.contains("; waited "), "{why}");
    assert!(why.contains("a shut gate opens at 80"), "{why}");
    let comparison = &record["analysis"]["comparisons"][0];
    assert_eq!(comparison["verdict"], "void");
    assert_eq!(comparison["reason"]["code"], "never_quiet");
    let blocks = record["analysis"]["blocks"].as_u64().unwrap();
    assert!((2..20).contains(&blocks), "{blocks}");
}

#[test]
fn f12_a_machine_that_sleeps_flags_the_blocks_and_no_duration_holds_the_sleep() {
    let sandbox = slow_sandbox();
    let child = started(&sandbox, "sleeps", &[]);
    let record = disturbed(&sandbox, "sleeps", child, |step| {
        sandbox.machine_file("slept_milliseconds", &format!("{}\n", step * 3_600_000));
    });
    assert!(flagged(&record, "suspend") > 0, "{}", record["analysis"]["flags"]);
    assert_eq!(flagged(&record, "clock_step"), 0, "the wall clock goes on in sleep");
    assert_eq!(record["facts"]["end"], "completed");
    // many hours were slept
    assert!(record["facts"]["wall_nanoseconds"].as_u64().unwrap() < 3_600_000_000_000);
    let rows = sandbox.samples("sleeps");
    assert!(rows.iter().all(|row| row.block > 1 || row.round > 0 || row.flags.is_empty()));
}

#[test]
fn f12_a_wall_clock_that_is_set_back_flags_the_blocks_and_makes_no_duration_negative() {
    let sandbox = slow_sandbox();
    let child = started(&sandbox, "set-back", &[]);
    let record = disturbed(&sandbox, "set-back", child, |step| {
        sandbox.machine_file("clock_stepped_milliseconds", &format!("-{}\n", step * 3_600_000));
    });
    assert!(flagged(&record, "clock_step") > 0, "{}", record["analysis"]["flags"]);
    assert_eq!(flagged(&record, "suspend"), 0);
    let rows = sandbox.samples("set-back");
    assert_whole(&rows);
    let hour = 3_600_000_000_000;
    assert!(rows.iter().all(|row| (1..hour).contains(&row.nanoseconds)));
    assert!(record["facts"]["wall_nanoseconds"].as_u64().unwrap() < hour);
}

#[test]
fn l06_disturbed_blocks_are_flagged_by_each_sensor_and_stay_out_of_the_estimate() {
    let sandbox = slow_sandbox();
    for number in 2..12 {
        let counter = format!("sys/devices/system/cpu/cpu{number}/thermal_throttle");
        sandbox.machine_file(&format!("{counter}/core_throttle_count"), "0\n");
    }
    let child = started(&sandbox, "disturbed", &[]);
    let record = disturbed(&sandbox, "disturbed", child, |step| {
        // of a window of 25 ms, all are waited for memory
        let waited = 500 + step * 25_000;
        sandbox.machine_file(
            "proc/pressure/memory",
            &format!("some avg10=0.00 avg60=0.00 avg300=0.00 total={waited}\n"),
        );
        let swapped = format!("pswpin {step}\npswpout 0\npgfault 1\npgmajfault {step}\n");
        sandbox.machine_file("proc/vmstat", &swapped);
        sandbox.machine_file("proc/stat", &stat(5000, 10 + step * 4));
        sandbox.machine_file(
            "sys/devices/system/cpu/cpu10/thermal_throttle/core_throttle_count",
            &format!("{step}\n"),
        );
        let stopped = format!("usage_usec 5\nnr_periods {step}\nnr_throttled {step}\n");
        sandbox.machine_file("sys/fs/cgroup/cpu.stat", &stopped);
    });
    for sensor in ["memory_pressure", "swap", "steal", "throttled", "quota_throttled"] {
        assert!(flagged(&record, sensor) > 0, "{sensor}: {}", record["analysis"]["flags"]);
    }
    assert_eq!(flagged(&record, "others_cpu"), 0);
    let analysis = &record["analysis"];
    let (blocks, out) = (&analysis["blocks"], analysis["blocks_flagged"].as_u64().unwrap());
    assert_eq!(blocks, 20);
    assert_eq!(analysis["comparisons"][0]["blocks"].as_u64().unwrap(), 20 - out);
    assert!(record["facts"]["unread_sensors"].is_null(), "{}", record["facts"]);
    let shown = sandbox.runner(&["show", "disturbed"]).expect_code(0);
    for text in ["flags: memory_pressure: ", "throttled: ", "around a block, median: "] {
        assert!(shown.out.contains(text), "{text:?} is missing: {}", shown.out);
    }
}

#[test]
fn what_this_machine_hides_is_unknown_in_the_record_and_holds_nothing_up() {
    let sandbox = Sandbox::with_model();
    for hidden in ["proc/pressure", "sys/devices/system/cpu/cpu0", "sys/devices/system/cpu/cpu1"] {
        std::fs::remove_dir_all(sandbox.path(&format!(".machine/{hidden}"))).unwrap();
    }
    std::fs::remove_file(sandbox.path(".machine/sys/fs/cgroup/cpu.stat")).unwrap();
    let judged = sandbox.judge("hidden", &[]);
    judged.expect("fast", "win", "above_margin");
    let unread = judged.facts()["unread_sensors"][0].as_str().unwrap();
    assert_eq!(unread, "memory_pressure, pressure, quota_throttled, throttled");
}

#[test]
fn f09_where_every_block_is_contaminated_the_run_is_void_with_the_counts() {
    let sandbox = Sandbox::with_model();
    // the workers of other arms go on computing while one is measured
    sandbox.script(&QUIET_SCRIPT.replace("[base]\n", "[base]\nburn = true\n"));
    let judged = sandbox.judge("all-flagged", &[]);
    let why = judged.expect("fast", "void", "no_accepted_block");
    assert_eq!(judged.code, 4);
    assert_eq!(why, "no accepted block: of 20, 20 flagged (peer_not_idle: 20), 0 without a number");
    assert_eq!(judged.ratio("fast"), None);
}

#[test]
fn l06_a_busy_loop_that_starts_in_the_middle_is_seen() {
    let sandbox = slow_sandbox();
    let limits = [
        ("others_cpu_percent = 100000", "others_cpu_percent = 10"),
        ("wait_seconds = 600", "wait_seconds = 3"),
    ];
    let file = sandbox.manifest("busy-loop", &limits);
    sandbox.runner(&["register", &file]).expect_code(0);
    // the machine that the test runs on; whoever else computes there is seen just as well
    let mut command = sandbox.command(&["exec", &file]);
    command.env_remove("RUNNER_MACHINE_ROOT").stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    while child.try_wait().unwrap().is_none() && sandbox.entries("busy-loop", "block") == 0 {
        std::thread::sleep(STEP);
    }
    let mut busy = Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
    child.wait().unwrap();
    busy.kill().unwrap();
    busy.wait().unwrap();
    let record = record(&sandbox, "busy-loop");
    let shut = record["facts"]["end"]["never_quiet"]["detail"].as_str().unwrap_or("");
    let seen = flagged(&record, "others_cpu") > 0 || shut.contains("others_cpu is ");
    assert!(seen, "{} {}", record["facts"], record["analysis"]["flags"]);
}

#[test]
fn l06_a_worker_that_is_stopped_for_a_while_flags_the_block() {
    let sandbox = slow_sandbox();
    let child = started(&sandbox, "stopped", &[]);
    let record = disturbed(&sandbox, "stopped", child, |_| {
        let Some(pid) = sandbox.living_workers().pop() else { return };
        let pid = Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
        // it may have ended just now
        if kill_process(pid, Signal::STOP).is_ok() {
            std::thread::sleep(4 * STEP);
            let _ = kill_process(pid, Signal::CONT);
        }
    });
    assert!(flagged(&record, "worker_stopped") > 0, "{}", record["analysis"]["flags"]);
    assert_eq!(record["facts"]["end"], "completed");
}
