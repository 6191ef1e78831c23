//! Energy as a metric: the fake worker moves the counter of a described machine while it computes.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod sandbox;

use sandbox::Sandbox;
use sample_table::Work;

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
}
