//! `runner machine quiet` on described machines: what it reads, what it changes, and that it puts
//! everything back.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod sandbox;

use std::os::unix::fs::symlink;

use sandbox::runs::{kill, wait_on};
use sandbox::{QUIET_SCRIPT, Sandbox};
use serde_json::Value;

const CPU: &str = "sys/devices/system/cpu";
const READ: [&str; 5] = ["--json", "machine", "quiet", "--seconds", "0.5"];

/// A laptop with twelve processors, on metal.
fn laptop() -> Sandbox {
    let sandbox = Sandbox::new();
    let governors = (0..12).map(|number| format!("{CPU}/cpu{number}/cpufreq/scaling_governor"));
    for governor in governors {
        sandbox.machine_file(&governor, "powersave\n");
    }
    for (file, text) in [
        (format!("{CPU}/cpu10/cpufreq/scaling_governor"), "schedutil\n"),
        (format!("{CPU}/cpu0/cpufreq/scaling_cur_freq"), "1200000\n"),
        (format!("{CPU}/cpu10/cpufreq/scaling_cur_freq"), "3600000\n"),
        (format!("{CPU}/intel_pstate/no_turbo"), "0\n"),
        (format!("{CPU}/smt/active"), "1\n"),
        ("sys/class/thermal/thermal_zone0/type".into(), "x86_pkg_temp\n"),
        ("sys/class/thermal/thermal_zone0/temp".into(), "45000\n"),
        ("sys/class/power_supply/BAT0/type".into(), "Battery\n"),
        ("sys/class/power_supply/BAT0/status".into(), "Full\n"),
        ("sys/devices/system/node/node0/cpulist".into(), "0-5\n"),
        ("sys/devices/system/node/node1/cpulist".into(), "6-11\n"),
        ("sys/devices/system/clocksource/clocksource0/current_clocksource".into(), "tsc\n"),
        ("sys/kernel/mm/transparent_hugepage/enabled".into(), "[always] madvise never\n"),
    ] {
        sandbox.machine_file(&file, text);
    }
    sandbox
}

fn sensor<'a>(said: &'a Value, name: &str) -> &'a Value {
    let all = said["sensors"].as_array().unwrap();
    all.iter().find(|sensor| sensor["name"] == name).unwrap()
}

#[track_caller]
fn assert_sensor(said: &Value, name: &str, fit: &str, value: impl Into<Value>) {
    let found = sensor(said, name);
    assert_eq!((&found["fit"], &found["value"]["known"]), (&fit.into(), &value.into()), "{found}");
    let has_advice = found["advice"].is_string();
    assert!(has_advice || fit != "unfit", "unfit without advice: {found}");
}

fn machine_text(sandbox: &Sandbox, path: &str) -> String {
    std::fs::read_to_string(sandbox.path(&format!(".machine/{path}"))).unwrap()
}

#[test]
fn each_sensor_has_a_value_and_says_what_would_make_it_fit() {
    let sandbox = laptop();
    let said = sandbox.runner(&READ).expect_code(1).json();
    assert_eq!(said["fit"], false);
    for name in ["others_cpu", "pressure", "memory_pressure", "steal", "swap", "throttled"] {
        assert_sensor(&said, name, "fit", 0.0);
    }
    assert_sensor(&said, "quota_throttled", "fit", 0.0);
    // the clocks are those of the machine that the test runs on
    for name in ["suspend", "clock_step"] {
        assert_eq!(sensor(&said, name)["fit"], "fit");
    }
    assert_sensor(&said, "governor", "unfit", "powersave,schedutil");
    assert_sensor(&said, "turbo", "unfit", "on");
    assert_sensor(&said, "frequency", "information", 2400.0);
    assert_sensor(&said, "temperature", "fit", 45.0);
    assert_sensor(&said, "battery", "fit", "not in use");
    assert_sensor(&said, "smt", "information", "on");
    assert_sensor(&said, "quota", "fit", "unlimited");
    assert_sensor(&said, "numa", "information", "our processors lie on 1 of 2 nodes");
    assert_sensor(&said, "transparent_huge_pages", "information", "always");
    assert_sensor(&said, "clock_source", "fit", "tsc");
    assert_eq!(said["standing"].as_array().unwrap().len(), 2, "{}", said["standing"]);

    for (file, text) in [
        ("sys/class/thermal/thermal_zone0/temp", "18000\n"),
        ("sys/class/power_supply/BAT0/status", "Discharging\n"),
        ("sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n"),
        ("proc/self/status", "Name:\trunner\nCpus_allowed_list:\t4-11\n"),
    ] {
        sandbox.machine_file(file, text);
    }
    let said = sandbox.runner(&READ).expect_code(1).json();
    assert_sensor(&said, "temperature", "unfit", 18.0);
    assert_sensor(&said, "battery", "unfit", "in use");
    assert_sensor(&said, "clock_source", "unfit", "hpet");
    assert_sensor(&said, "numa", "information", "our processors lie on 2 of 2 nodes");
    assert!(sensor(&said, "numa")["advice"].as_str().unwrap().contains("--cpunodebind=0"));
    sandbox.machine_file("sys/class/thermal/thermal_zone0/temp", "91000\n");
    let said = sandbox.runner(&READ).expect_code(1).json();
    assert_sensor(&said, "temperature", "unfit", 91.0);
}

#[test]
fn f13_what_cannot_be_read_is_unknown_with_the_reason_and_half_a_core_is_half_a_core() {
    let sandbox = laptop();
    sandbox.machine_file(&format!("{CPU}/cpu10/cpufreq/scaling_governor"), "\n");
    sandbox.machine_file("sys/fs/cgroup/cpu.max", "50000 100000\n");
    let said = sandbox.runner(&READ).expect_code(1).json();
    let governor = sensor(&said, "governor");
    assert_eq!(governor["fit"], "unknown");
    assert!(governor["value"]["unknown"].as_str().unwrap().contains("cpu10"), "{governor}");
    assert_sensor(&said, "quota", "unfit", 0.5);
    assert_sensor(&said, "cores_usable", "information", 0.5);

    std::fs::remove_dir_all(sandbox.path(".machine/sys")).unwrap();
    std::fs::remove_dir_all(sandbox.path(".machine/proc")).unwrap();
    let said = sandbox.runner(&READ).expect_code(0).json();
    assert_eq!(said["fit"], Value::Null, "what is unknown is not fit");
    for sensor in said["sensors"].as_array().unwrap() {
        if ["suspend", "clock_step"].contains(&sensor["name"].as_str().unwrap()) {
            continue;
        }
        assert_eq!(sensor["fit"], "unknown", "{sensor}");
        assert_ne!(sensor["value"]["unknown"].as_str().unwrap(), "", "{sensor}");
    }
    sandbox
        .runner(&["machine", "quiet", "--seconds", "0.5"])
        .expect_code(0)
        .expect_text("nothing is unfit; unknown: others_cpu, pressure, ")
        .expect_text("/proc/stat: not there");
}

#[test]
fn what_is_applied_is_put_back_to_the_byte_however_often_it_was_applied() {
    let sandbox = laptop();
    let before = sandbox.snapshot(".machine/sys");
    let apply = ["machine", "quiet", "--seconds", "0.5", "--apply"];
    sandbox.runner(&apply).expect_code(0).expect_text(
        "changed     /sys/devices/system/cpu/cpu10/cpufreq/scaling_governor: performance instead of \
         schedutil",
    );
    for number in 0..12 {
        let governor = format!("{CPU}/cpu{number}/cpufreq/scaling_governor");
        assert_eq!(machine_text(&sandbox, &governor), "performance");
    }
    assert_eq!(machine_text(&sandbox, &format!("{CPU}/intel_pstate/no_turbo")), "1");
    let journal = sandbox.snapshot(".cache/machine");
    assert_eq!(journal.len(), 1, "{:?}", journal.keys());
    sandbox.runner(&apply).expect_code(0).expect_text("nothing to change: all is as wanted");
    // somebody lowers one of them meanwhile
    sandbox.machine_file(&format!("{CPU}/cpu3/cpufreq/scaling_governor"), "ondemand\n");
    sandbox.runner(&apply).expect_code(0).expect_text("performance instead of ondemand");
    assert_eq!(sandbox.snapshot(".cache/machine"), journal, "the first old values stay");

    let restore = ["machine", "quiet", "--restore"];
    sandbox
        .runner(&restore)
        .expect_code(0)
        .expect_text("cpu10/cpufreq/scaling_governor: schedutil");
    assert_eq!(sandbox.snapshot(".machine/sys"), before);
    assert!(sandbox.snapshot(".cache/machine").is_empty());
    sandbox.runner(&restore).expect_code(0).expect_text("nothing to restore");
}

#[test]
fn a_setting_that_cannot_be_written_is_said_and_the_rest_goes_on() {
    let sandbox = laptop();
    // no user may write to this file
    let governor = sandbox.path(&format!(".machine/{CPU}/cpu10/cpufreq/scaling_governor"));
    std::fs::remove_file(&governor).unwrap();
    symlink("/proc/version", &governor).unwrap();
    let said = sandbox
        .runner(&["machine", "quiet", "--seconds", "0.5", "--apply"])
        .expect_code(1)
        .expect_text("not changed /sys/devices/system/cpu/cpu10/cpufreq/scaling_governor: ")
        .expect_text("changed     /sys/devices/system/cpu/cpu11/cpufreq/scaling_governor")
        .expect_text("not quiet: governor");
    assert!(!said.out.contains("nothing to change"), "{}", said.out);
    let said = sandbox.runner(&["machine", "quiet", "--restore"]).expect_code(0);
    assert!(!said.out.contains("cpu10"), "it was never changed: {}", said.out);
    let cpu11 = format!("{CPU}/cpu11/cpufreq/scaling_governor");
    assert_eq!(machine_text(&sandbox, &cpu11), "powersave\n");
}

#[test]
fn a_machine_without_such_settings_says_so() {
    let sandbox = Sandbox::new();
    sandbox
        .runner(&["machine", "quiet", "--seconds", "0.5", "--apply"])
        .expect_code(0)
        .expect_text("nothing to change: this machine shows no such setting");
    sandbox.runner(&["machine", "quiet", "--apply", "--restore"]).expect_code(2);
}

#[test]
fn nothing_is_changed_while_a_timed_run_holds_the_machine() {
    let sandbox = Sandbox::with_model();
    sandbox.machine_file(&format!("{CPU}/cpu0/cpufreq/scaling_governor"), "powersave\n");
    let script = QUIET_SCRIPT.replace("[base]\n", "[base]\nsleep = true\n");
    sandbox.script(&script.replace("1_000_000", "20_000_000"));
    let file = sandbox.manifest("holds-it", &[]);
    sandbox.runner(&["register", &file]).expect_code(0);
    let mut child = sandbox.start(&["exec", &file]);
    wait_on(&mut child, "a block", || sandbox.entries("holds-it", "block") >= 1);
    for change in ["--apply", "--restore"] {
        sandbox
            .runner(&["machine", "quiet", change])
            .expect_code(3)
            .expect_text("another timed run holds this machine")
            .expect_text(&format!("process {} runs experiment `holds-it`", child.id()));
    }
    kill(child);
    let governor = format!("{CPU}/cpu0/cpufreq/scaling_governor");
    assert_eq!(machine_text(&sandbox, &governor), "powersave\n");
    sandbox.wait_for_no_worker();
}
