//! Energy as a metric: the fake worker moves the counter of a described machine while it computes.

mod sandbox;

use sample_table::Work;
use sandbox::Sandbox;

const ZONE: &str = "sys/class/powercap/intel-rapl:0";

/// Judged by energy; chunks of 16 tokens last 24 ms and more, so that the counter can tell them.
const BY_ENERGY: [(&str, &str); 3] = [
    ("primary = \"decode_tokens_per_second\"", "primary = \"joules_per_token\""),
    ("chunk_tokens = 8", "chunk_tokens = 16"),
    ("hypothesis = \"two threads decode 10 % faster or more\"", "hypothesis = \"less energy\""),
];

/// Both arms are equally fast and the second takes a tenth less power.
fn script(sandbox: &Sandbox, more: &str) {
    let counter = sandbox.path(&format!(".machine/{ZONE}/energy_uj"));
    sandbox.script(&format!(
        "seed = 7\n[base]\ndecode_nanoseconds_per_token = 1_600_000\nsleep = true\n\
         prefill_nanoseconds_per_token = 1_600_000\nnoise_sd = 0.01\nprocess_sd = 0.003\n\
         energy_file = {:?}\nwatts = 100.0\n{more}\
         [[when]]\nsettings = {{ threads = 2 }}\nwatts = 90.0\n",
        counter.display().to_string()
    ));
}

/// A machine with the counter of one package.
fn counted(energy: &str) -> Sandbox {
    let sandbox = Sandbox::with_model();
    sandbox.machine_file(&format!("{ZONE}/name"), "package-0\n");
    sandbox.machine_file(&format!("{ZONE}/max_energy_range_uj"), "262143328850\n");
    sandbox.machine_file(&format!("{ZONE}/energy_uj"), energy);
    script(&sandbox, "");
    sandbox
}

#[test]
fn an_arm_that_takes_a_tenth_less_energy_at_equal_speed_wins() {
    let sandbox = counted("1000\n");
    let judged = sandbox.judge("less-energy", &BY_ENERGY);
    let reason = judged.expect("fast", "win", "above_margin");
    assert!(reason.contains("of off over the arm: more is better"), "{reason}");
    let ratio = judged.ratio("fast").unwrap();
    assert!((1.09..1.13).contains(&ratio), "off takes {ratio} of the arm's energy");
    let comparison = judged.comparison("fast");
    // 100 W for 1.6 ms
    let joules = comparison["off"]["median"].as_f64().unwrap();
    assert!((0.15..0.17).contains(&joules), "{joules} J a token");
    let claim = comparison["claim"].as_str().unwrap();
    assert!(claim.contains("`fast` takes 1") || claim.contains("`fast` takes 9"), "{claim}");
    assert!(claim.contains(" % less energy a token to decode than `off`"), "{claim}");
    assert!(claim.contains("95 % interval -1"), "{claim}");
    let read = &judged.facts()["energy"]["read"];
    assert_eq!(read["counters"], serde_json::json!(["intel-rapl:0 package-0"]));
    assert_eq!(read["shortest_milliseconds"], 20);
    // the untimed token of a chunk is paid for, and counted; prompts are not asked for
    for row in sandbox.samples("less-energy") {
        let tokens = row.energy.map(|energy| energy.tokens);
        assert_eq!(tokens, (row.work == Work::Decode).then_some(17), "{row:?}");
    }
    sandbox.runner(&["record", "verify"]).expect_code(0);
    sandbox.runner(&["show", "less-energy"]).expect_code(0).expect_text("J/token");
    // the claim may be written where the record is cited, and other figures may not
    let run = sandbox.runs("less-energy").pop().unwrap();
    let joules = format!("{joules:.3} J/token");
    sandbox.write("fine.md", format!("{claim} Off takes {joules} (less-energy/{run}).\n"));
    sandbox.write("wrong.md", format!("`fast` takes 0.042 J/token (less-energy/{run}).\n"));
    let audited = sandbox.runner(&["audit"]).expect_code(1);
    assert!(audited.out.contains("wrong.md") && !audited.out.contains("fine.md"), "{audited:?}");
}

#[test]
fn a_counter_that_begins_again_changes_no_figure() {
    let sandbox = counted("1000\n");
    // about a chunk and a half: it begins again some thirty times
    sandbox.machine_file(&format!("{ZONE}/max_energy_range_uj"), "4000000\n");
    let judged = sandbox.judge("begins-again", &BY_ENERGY);
    judged.expect("fast", "win", "above_margin");
    let ratio = judged.ratio("fast").unwrap();
    assert!((1.09..1.13).contains(&ratio), "off takes {ratio} of the arm's energy");
}

#[test]
fn more_energy_at_equal_speed_is_a_loss() {
    let sandbox = counted("1000\n");
    script(&sandbox, "[[when]]\nsettings = { threads = 1 }\nwatts = 80.0\n");
    let judged = sandbox.judge("more-energy", &BY_ENERGY);
    judged.expect("fast", "loss", "below_margin");
    let claim = judged.comparison("fast")["claim"].as_str().unwrap();
    assert!(claim.contains("`fast` takes 12.") || claim.contains("`fast` takes 13."), "{claim}");
    assert!(claim.contains(" % more energy a token to decode than `off`"), "{claim}");
}

#[test]
fn energy_that_cannot_be_read_is_refused_as_the_primary_metric() {
    let sandbox = Sandbox::with_model();
    let said = sandbox.refused("no-counter", &BY_ENERGY);
    let said: Vec<&str> = said.lines().skip_while(|line| !line.starts_with("error")).collect();
    insta::assert_snapshot!(said.join("\n"), @"
    error: `joules_per_token`, the primary metric: energy cannot be read here: RAPL: no processor package has a counter below /sys/class/powercap (usual in virtual machines)
      hint: RAPL's energy_uj is readable by root alone unless somebody allows more: `sudo chmod a+r /sys/class/powercap/intel-rapl:*/energy_uj`, until the next boot; elsewhere take a speed as the primary metric (docs/energy.md)
    ");
    let sandbox = counted("1000\n");
    // root may read all files: one that is a folder stands for what cannot be read
    std::fs::remove_file(sandbox.path(&format!(".machine/{ZONE}/energy_uj"))).unwrap();
    sandbox.write(&format!(".machine/{ZONE}/energy_uj/inner"), "");
    let said = sandbox.refused("unreadable", &BY_ENERGY);
    assert!(said.contains("/sys/class/powercap/intel-rapl:0/energy_uj: "), "{said}");
    assert!(said.contains("chmod a+r"), "{said}");
}

const BESIDE: (&str, &str) = (
    "primary = \"decode_tokens_per_second\"",
    "primary = \"decode_tokens_per_second\"\nsecondary = [\"joules_per_token\"]",
);

#[test]
fn energy_that_cannot_be_read_is_unknown_as_a_secondary_metric() {
    let sandbox = Sandbox::with_model();
    let judged = sandbox.judge("unknown", &[BESIDE]);
    judged.expect("fast", "win", "above_margin");
    let why = judged.facts()["energy"]["unknown"]["why"].as_str().unwrap();
    assert!(why.contains("no processor package has a counter"), "{why}");
    assert_eq!(judged.analysis()["secondary"], serde_json::Value::Null);
    assert!(sandbox.samples("unknown").iter().all(|row| row.energy.is_none()));
    let said = sandbox.runner(&["show", "unknown"]).expect_code(0);
    said.expect_text("joules_per_token unknown: RAPL: no processor package has a counter");
    sandbox.runner(&["record", "verify"]).expect_code(0);
}

#[test]
fn energy_is_described_beside_a_speed() {
    let sandbox = counted("1000\n");
    let chunks = ("chunk_tokens = 8", "chunk_tokens = 16");
    let level =
        ("hypothesis = \"two threads decode 10 % faster or more\"", "hypothesis = \"equal\"");
    let judged = sandbox.judge("beside", &[BESIDE, chunks, level]);
    judged.expect("fast", "level", "within_margin");
    let figures = judged.analysis()["secondary"].as_array().unwrap();
    let median = |arm: &str| {
        let figure = figures.iter().find(|figure| figure["arm"] == arm).unwrap();
        assert_eq!(figure["metric"], "joules_per_token");
        figure["values"]["median"].as_f64().unwrap()
    };
    let ratio = median("off") / median("fast");
    assert!((1.08..1.14).contains(&ratio), "{ratio}");
    let csv = sandbox.runner(&["record", "export", "beside", "--format", "csv"]).expect_code(0).out;
    let mut lines = csv.lines();
    assert!(lines.next().unwrap().ends_with(",flags,microjoules,energy_tokens"));
    assert!(lines.any(|line| line.ends_with(",17")), "{csv}");
    let text = sandbox.runner(&["show", "beside"]).expect_code(0).out;
    assert!(text.contains("intel-rapl:0 package-0 around each timed request"), "{text}");
}

#[test]
fn chunks_that_are_too_short_for_the_counter_are_refused() {
    let sandbox = counted("1000\n");
    script(&sandbox, "");
    let text = std::fs::read_to_string(sandbox.path("script.toml")).unwrap();
    sandbox.script(&text.replace("sleep = true", "sleep = false"));
    let said = sandbox.refused("too-short", &BY_ENERGY[..1]);
    assert!(said.contains("and the counters need 20 ms"), "{said}");
    assert!(said.contains("raise `chunk_tokens`"), "{said}");
}

#[test]
fn a_counter_that_is_lost_on_the_way_voids_and_is_never_zero() {
    let sandbox = counted("1000\n");
    script(&sandbox, "energy_ends_after = 5\n");
    let judged = sandbox.judge("lost", &BY_ENERGY);
    assert_eq!(judged.comparison("fast")["verdict"], "void", "{judged:?}");
    let rows = sandbox.samples("lost");
    assert!(rows.iter().any(|row| row.energy.is_none() && row.work == Work::Decode));
    assert!(rows.iter().filter_map(|row| row.energy).all(|energy| energy.microjoules > 0));
}

#[test]
fn a_prefill_is_judged_by_energy_too() {
    let sandbox = counted("1000\n");
    let prefill = [
        BY_ENERGY[0],
        ("prompt_tokens = 16\ndecode_tokens = 16", "prefill_tokens = 16"),
        ("chunk_tokens = 8\n", ""),
        BY_ENERGY[2],
    ];
    let judged = sandbox.judge("prefill-energy", &prefill);
    judged.expect("fast", "win", "above_margin");
    let claim = judged.comparison("fast")["claim"].as_str().unwrap();
    assert!(claim.contains("less energy a token to prefill than `off`"), "{claim}");
    let rows = sandbox.samples("prefill-energy");
    assert!(rows.iter().all(|row| row.energy.is_some_and(|energy| energy.tokens == 16)));
}

#[test]
fn the_counters_of_a_machine_are_shown() {
    let sandbox = counted("1000\n");
    let said = sandbox.runner(&["machine", "quiet", "--seconds", "0.5"]);
    said.expect_text("energy_counters").expect_text("intel-rapl:0 package-0");
}
