//! That a treatment was applied, that what surrounds it is known, and that the workers were at rest:
//! memory budgets, devices and buffers, settings in effect, environment, warm-up.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod sandbox;

use sandbox::{QUIET_SCRIPT, Sandbox};
use serde_json::Value;

/// The manifest with a table more.
fn with_table(table: &str) -> String {
    format!("{table}\n\n[decision]")
}

/// A line that the treatment has beside being fast.
fn treatment(more: &str) -> String {
    format!("contract.identical.of = \"tokens\"\n{more}")
}

const CONTRACT: &str = "contract.identical.of = \"tokens\"";
const FAST: &str = "threads = 2\ncontract.identical.of = \"tokens\"";

/// All workers compute 48 MB, and behave like this beside it.
fn computing_48_megabytes(more: &str) -> Sandbox {
    let sandbox = Sandbox::with_model();
    let buffers = "buffers = [\n\
        { device = \"FAKE\", kind = \"weights\", bytes = 40_000_000 },\n\
        { device = \"FAKE\", kind = \"kv\", bytes = 8_000_000 },\n]\n";
    sandbox.script(&QUIET_SCRIPT.replace("[[when]]", &format!("{buffers}{more}\n[[when]]")));
    sandbox
}

/// `fast` behaves like this beside being fast.
fn fast_also(behaviour: &str) -> Sandbox {
    let sandbox = Sandbox::with_model();
    sandbox.script(&format!("{QUIET_SCRIPT}{behaviour}\n"));
    sandbox
}

/// Resident bytes of an arm at the end of each round.
fn resident(facts: &Value, arm: &str) -> Vec<u64> {
    let readings = facts["processes"]["memory_readings"].as_array().unwrap();
    let own = readings.iter().filter(|one| one["arm"] == arm);
    own.map(|one| one["resident_bytes"].as_u64().unwrap()).collect()
}

#[test]
#[cfg(target_os = "linux")]
fn l13_resident_memory_falls_and_the_guard_still_sees_the_computed_bytes() {
    // registering loads the script once, testing before timing six times: the first two rounds are
    // processes 8 to 13
    let released =
        "[[when]]\nprocesses = [14, 15, 16, 17, 18, 19, 20, 21, 22]\nholds_megabytes = 0";
    let sandbox = computing_48_megabytes("holds_megabytes = 48");
    let script = std::fs::read_to_string(sandbox.path("script.toml")).unwrap();
    sandbox.script(&format!("{script}{released}\n"));
    let enough = with_table("[budget]\narm_megabytes = 48\nmemory_megabytes = 144");
    let judged = sandbox.judge("falls", &[("[decision]", &enough)]);
    judged.expect("fast", "win", "above_margin");
    let facts = judged.facts();
    for arm in ["off", "off-again", "fast"] {
        let resident = resident(facts, arm);
        assert_eq!(resident.len(), 5, "{facts}");
        assert!(resident[0] > 48_000_000 && resident[4] < 40_000_000, "{arm}: {resident:?}");
    }
    let guard = &facts["processes"]["memory_guard"];
    assert_eq!(guard[0]["computed_bytes"], 144_000_000, "{guard}");
    assert_eq!(guard[0]["refused_bytes"], 144_000_001, "{guard}");
    assert_eq!(guard[1]["computed_bytes"], 48_000_000, "{guard}");
    assert_eq!(guard[2]["limit"], "memory of this machine", "{guard}");
    // by what is resident now a budget of 47 MB would do
    let sandbox = computing_48_megabytes("holds_megabytes = 0");
    let less = with_table("[budget]\narm_megabytes = 47");
    let said = sandbox.refused("under", &[("[decision]", &less)]);
    let texts = [
        "budget of any one arm",
        "needs 48.0 MB computed from allocations (weights 40.0, kv 8.0), over 47.0 MB",
    ];
    for text in texts {
        assert!(said.contains(text), "{text:?} is missing: {said}");
    }
}

#[test]
fn what_the_machine_cannot_hold_is_refused_and_an_unknown_machine_is_named() {
    let sandbox = computing_48_megabytes("");
    // 102.4 MB; three arms need 144
    sandbox.machine_file("proc/meminfo", "MemTotal:       100000 kB\n");
    let said = sandbox.refused("too-small", &[]);
    let text = "the arms together need 144.0 MB computed from allocations (weights 120.0, kv 24.0), over 102.4 MB";
    assert!(said.contains(text) && said.contains("memory of this machine"), "{said}");
    // a container's limit is less than the machine's memory
    sandbox.machine_file("proc/meminfo", "MemTotal:       1000000 kB\n");
    sandbox.machine_file("sys/fs/cgroup/memory.max", "143000000\n");
    assert!(sandbox.refused("container", &[]).contains("over 143.0 MB"));
    sandbox.machine_file("proc/meminfo", "nothing\n");
    let judged = sandbox.judge("unknown", &[]);
    judged.expect("fast", "win", "above_margin");
    let unknown = judged.facts()["processes"]["memory_unknown"].as_str().unwrap();
    assert!(unknown.contains("MemTotal"), "{unknown}");
    sandbox
        .runner(&["show", "unknown"])
        .expect_code(0)
        .expect_text("memory of this machine is no limit, it is unknown");
}

#[test]
fn a_budget_of_a_buffer_type_counts_that_type_alone() {
    let sandbox = computing_48_megabytes("");
    let budget = with_table("[budget]\nbuffer.FAKE.at_most_megabytes = 143");
    let said = sandbox.refused("of-type", &[("[decision]", &budget)]);
    assert!(said.contains("budget of buffers of type `FAKE`"), "{said}");
    let budget = with_table("[budget]\nbuffer.CUDA0.at_most_megabytes = 1");
    sandbox.judge("of-another", &[("[decision]", &budget)]).expect("fast", "win", "above_margin");
}

#[test]
fn memory_is_estimated_before_and_shown_after_a_run_and_is_never_judged() {
    let sandbox = Sandbox::with_model();
    let budget = with_table("[budget]\nmemory_megabytes = 1");
    let file = sandbox.manifest("estimated", &[("[decision]", &budget)]);
    let planned = sandbox.runner(&["plan", &file]).expect_code(0);
    for text in [" of KV cache and ", "budget: 1 MB for all arms", "over the budget of 1 MB"] {
        assert!(planned.out.contains(text) || planned.err.contains(text), "{text:?}: {planned:?}");
    }
    let estimate = sandbox.runner(&["--json", "plan", &file]).json();
    assert!(estimate["kv_bytes_estimated"].as_u64().unwrap() > 0, "{estimate}");
    sandbox.judge("shown", &[]);
    let short = sandbox.runner(&["show", "shown"]).expect_code(0).out;
    assert!(!short.contains("memory as the system saw it"), "{short}");
    assert!(short.contains("memory computed from allocations"), "{short}");
    sandbox
        .runner(&["show", "shown", "--all"])
        .expect_code(0)
        .expect_text("memory as the system saw it, at the end of each round")
        .expect_text("off: resident ")
        .expect_text("major faults ");
    sandbox.runner(&["record", "verify"]).expect_code(0);
}

#[test]
fn a_silent_fallback_to_another_device_is_void_and_says_where_it_ran() {
    let on_the_cpu = "operations_on = { CPU = { mul_mat = 200, rope = 10 } }";
    let expected = treatment("expect.device.CUDA0.at_least = 1");
    let judged = fast_also(on_the_cpu).judge("fell-back", &[(CONTRACT, &expected)]);
    let reason = judged.expect("fast", "void", "treatment_not_applied");
    let text = "arm `fast` ran 0 of 210 operations on `CUDA0` in its observed run; expected at least 1; it ran on `CPU` (210)";
    assert!(reason.contains(text), "{reason}");
    assert_eq!(judged.code, 4);
    assert!(judged.ratio("fast").is_some(), "the numbers are kept");
    let mostly = "operations_on = { CPU = { mul_mat = 20 }, CUDA0 = { mul_mat = 180 } }";
    let share =
        |percent: u32| treatment(&format!("expect.device.CUDA0.at_least_percent = {percent}"));
    fast_also(mostly).judge("ninety", &[(CONTRACT, &share(90))]).expect(
        "fast",
        "win",
        "above_margin",
    );
    let judged = fast_also(mostly).judge("ninety-one", &[(CONTRACT, &share(91))]);
    let reason = judged.expect("fast", "void", "treatment_not_applied");
    assert!(reason.contains("expected at least 91 % of them"), "{reason}");
}

#[test]
fn buffers_that_are_not_held_void_and_the_record_says_what_is_held() {
    let plain = "buffers = [{ device = \"CPU\", kind = \"weights\", bytes = 900 }]";
    let expected = treatment("expect.buffer.CPU_REPACK.at_least_bytes = 500");
    let judged = fast_also(plain).judge("plain", &[(CONTRACT, &expected)]);
    let reason = judged.expect("fast", "void", "treatment_not_applied");
    let text = "arm `fast` holds 0 bytes in buffers of type `CPU_REPACK`; expected at least 500; it holds `CPU` (900)";
    assert!(reason.contains(text), "{reason}");
    let repacked = "buffers = [{ device = \"CPU_REPACK\", kind = \"weights\", bytes = 900 }]";
    fast_also(repacked).judge("repacked", &[(CONTRACT, &expected)]).expect(
        "fast",
        "win",
        "above_margin",
    );
    let none = treatment("expect.buffer.CPU_REPACK.at_most_bytes = 0");
    fast_also(repacked).judge("not-wanted", &[(CONTRACT, &none)]).expect(
        "fast",
        "void",
        "treatment_not_applied",
    );
}

#[test]
fn f17_a_setting_that_the_engine_ignores_is_refused() {
    let said = fast_also("effective = { threads = 1 }").refused("ignored", &[]);
    let texts = ["arm `fast`", "`threads` was asked for as 2, and is 1 in effect"];
    for text in texts {
        assert!(said.contains(text), "{text:?} is missing: {said}");
    }
}

#[test]
fn f17_two_arms_of_which_the_engine_makes_one_are_refused() {
    let sandbox = Sandbox::with_model();
    let chosen_anyway = "effective = { poll_percent = 50 }\n[[when]]";
    sandbox.script(&QUIET_SCRIPT.replace("[[when]]", chosen_anyway));
    let asked = FAST.replace("threads = 2", "poll_percent = 50");
    let said = sandbox.refused("twins", &[(FAST, &asked)]);
    let text = "`fast` and `off` ask for different settings (`poll_percent`), and the engine makes the same of both";
    assert!(said.contains(text), "{said}");
}

/// A variable makes a worker faster.
const BOUND_SCRIPT: &str = "\
[[when]]
environment = { OMP_PROC_BIND = \"true\" }
decode_nanoseconds_per_token = 700_000
";

#[test]
fn a_variable_of_the_shell_reaches_no_worker_and_a_registered_one_does() {
    let sandbox = fast_also(BOUND_SCRIPT);
    let registered = FAST.replace("threads = 2", "environment.OMP_PROC_BIND = \"true\"");
    let file = sandbox.manifest("variables", &[(FAST, &registered)]);
    let mut command = sandbox.command(&["--json", "exec", "--register", &file]);
    let shell = [
        ("OMP_PROC_BIND", "true"),
        ("OMP_NUM_THREADS", "31415"),
        ("LD_BIND_NOW", "1"),
        ("SECRET_TOKEN", "27182"),
    ];
    let output = command.envs(shell).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let json: Value = serde_json::from_str(&text).unwrap();
    let comparison = &json["record"]["analysis"]["comparisons"][0];
    assert_eq!(comparison["verdict"], "win", "{comparison}");
    let ratio = comparison["effect"]["log_ratio"].as_f64().unwrap().exp();
    assert!((1.38..1.48).contains(&ratio), "off was started with a variable of the shell: {ratio}");
    let environment = &json["provenance"]["environment"];
    let expected = serde_json::json!({
        "scrubbed": ["LD_BIND_NOW", "OMP_NUM_THREADS", "OMP_PROC_BIND"],
        "set": { "fast": { "OMP_PROC_BIND": "true" } },
    });
    assert_eq!(environment, &expected);
    sandbox
        .runner(&["show", "variables"])
        .expect_code(0)
        .expect_text("environment of fast: OMP_PROC_BIND=true")
        .expect_text("LD_BIND_NOW, OMP_NUM_THREADS, OMP_PROC_BIND");
    for file in sandbox.files("results") {
        let bytes = std::fs::read(sandbox.path(&file)).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        for private in ["31415", "27182", "SECRET_TOKEN"] {
            assert!(!text.contains(private), "{private} is in {file}");
        }
    }
    sandbox.runner(&["record", "verify"]).expect_code(0);
}

/// A rule under which the slow start of the tests is over after some pieces.
const STATIONARY: &str = "[warm_up]\nrule = \"stationary\"\nwindow_pieces = 3\ntolerance_percent = 5.0\nat_most_pieces = 40";

/// Every process starts three times as slow, and is half-way there after two commands.
fn slow_start() -> Sandbox {
    let sandbox = Sandbox::with_model();
    let slow = "slow_start = 2.0\nslow_start_halves_after = 2.0\n[[when]]";
    sandbox.script(&QUIET_SCRIPT.replace("[[when]]", slow));
    sandbox
}

#[test]
fn a_slow_start_is_warmed_away_by_the_registered_rule_and_the_series_is_kept() {
    let table = with_table(STATIONARY);
    let judged = slow_start().judge("warmed", &[("[decision]", &table)]);
    judged.expect("fast", "win", "above_margin");
    let series = judged.facts()["processes"]["warm_up"].as_array().unwrap();
    // three arms in five rounds
    assert_eq!(series.len(), 15, "{series:?}");
    for one in series {
        assert_eq!(one["outcome"], "settled", "{one}");
        let times: Vec<u64> = serde_json::from_value(one["nanoseconds"].clone()).unwrap();
        assert!((7..40).contains(&times.len()), "{one}");
        assert!(times[0] > 2 * times[times.len() - 1], "{one}");
    }
    // what was timed after it is as fast as the engine is in the end
    let timed = |judged: &sandbox::judged::Judged| {
        judged.comparison("fast")["off"]["median"].as_f64().unwrap()
    };
    assert!(timed(&judged) > 950.0, "{}", timed(&judged));
    let cold = slow_start().judge("cold", &[]);
    assert!(timed(&cold) < timed(&judged), "{}", timed(&cold));
    assert!(cold.facts()["processes"]["warm_up"].is_null());
}

#[test]
fn an_arm_that_does_not_settle_goes_on_and_the_report_says_so() {
    let never = STATIONARY.replace("5.0", "0.0001").replace("40", "8");
    let sandbox = slow_start();
    let judged = sandbox.judge("restless", &[("[decision]", &with_table(&never))]);
    judged.expect("fast", "win", "above_margin");
    let series = judged.facts()["processes"]["warm_up"].as_array().unwrap();
    for one in series {
        assert_eq!(one["outcome"], "did_not_settle", "{one}");
        assert_eq!(one["nanoseconds"].as_array().unwrap().len(), 8, "{one}");
    }
    sandbox
        .runner(&["show", "restless"])
        .expect_code(0)
        .expect_text("warm-up of off: settled 0 of 5 times")
        .expect_text("did not settle in round 4 (8 pieces)");
    sandbox.runner(&["record", "verify"]).expect_code(0);
}

#[test]
fn each_shape_is_warmed_up_by_itself() {
    let depths = "[condition]\nsetting = \"depth_tokens\"\nvalues = [0, 64]\n\n[metric]";
    let judged = slow_start()
        .judge("shapes", &[("[decision]", &with_table(STATIONARY)), ("[metric]", depths)]);
    let series = judged.facts()["processes"]["warm_up"].as_array().unwrap();
    assert_eq!(series.len(), 30, "three arms, five rounds, two depths");
    let at = |condition: u64| series.iter().filter(|one| one["condition"] == condition).count();
    assert_eq!((at(0), at(1)), (15, 15));
}
