//! Two records side by side, and tables that fit whatever the width.

mod sandbox;

use sandbox::Sandbox;

/// As wide as an id may be.
const LONG: &str = "a-very-long-name-of-an-experiment-that-takes-all-the-64-letters-x";

fn flat(text: &str) -> String {
    let plain = text.replace(['│', '┆'], " ");
    plain.split_whitespace().collect::<Vec<&str>>().join(" ")
}

#[test]
fn what_is_the_same_what_differs_and_no_verdict_on_the_difference() {
    let sandbox = Sandbox::with_model();
    sandbox.judge("one", &[]);
    // the same arm under another name, deeper
    sandbox.judge(
        "other",
        &[
            ("name = \"fast\"", "name = \"two-threads\""),
            ("prompt_tokens = 16", "prompt_tokens = 16\ndepth_tokens = 32"),
        ],
    );
    let said = sandbox.runner(&["show", "one", "other"]).expect_code(0).out;
    let text = flat(&said);
    for expected in [
        "the same: model builtin-tiny",
        "arms threads=2",
        "depth_tokens 0 32",
        "may come from any of: depth_tokens",
        "fast, two-threads",
        "overlap: that neither shows a",
        "no verdict on the difference",
        "win: above_margin",
    ] {
        assert!(text.contains(expected), "{expected:?} is missing: {said}");
    }
    let json = sandbox.runner(&["--json", "show", "one", "other"]).expect_code(0).json();
    let pair = &json["comparisons"][0];
    assert_eq!(
        (&pair["first"]["arm"], &pair["second"]["arm"]),
        (&"fast".into(), &"two-threads".into())
    );
    assert_eq!(pair["intervals"], "overlap");
    assert_eq!(json["verdict"], serde_json::Value::Null);
    let differs = json["differs"].as_array().unwrap();
    assert!(differs.iter().any(|one| one["what"] == "depth_tokens" && one["second"] == "32"));
    // intervals that do not meet are said so, and still nothing is concluded
    sandbox.script(
        "seed = 7\n[base]\ndecode_nanoseconds_per_token = 1_000_000\nnoise_sd = 0.01\nprocess_sd = 0.003\n\
         [[when]]\nsettings = { threads = 2 }\ndecode_nanoseconds_per_token = 1_300_000\n",
    );
    sandbox.judge("slow", &[("prior_access = \"none\"", "prior_access = \"seen\"")]);
    let said = sandbox.runner(&["show", "one", "slow"]).expect_code(0).out;
    assert!(flat(&said).contains("do not meet"), "{said}");
    assert!(flat(&said).contains("no verdict on the difference"), "{said}");
    sandbox.runner(&["show", "one", "nobody"]).expect_code(1).expect_text("no such record");
    sandbox.runner(&["show", "one", "two", "three"]).expect_code(2);
}

#[test]
fn every_table_fits_its_width_with_the_longest_names() {
    let sandbox = Sandbox::with_model();
    let id = &LONG[..64];
    let arm = "an-arm-with-a-name-as-long-as-names-of-arms-are-allowed-to-be-ok";
    assert_eq!((id.len(), arm.len()), (64, 64));
    let title =
        "A title that goes on and on, for as long as anybody may care to read it, and longer";
    let arms = [
        ("Two threads against one", title),
        ("name = \"fast\"", &format!("name = \"{arm}\"") as &str),
    ];
    let judged = sandbox.judge(id, &arms);
    assert_eq!(judged.code, 0);
    sandbox.judge("short", &[("prior_access = \"none\"", "prior_access = \"seen\"")]);
    let file = format!("experiments/{id}.toml");
    let commands: [&[&str]; 7] = [
        &["list"],
        &["show", id],
        &["show", id, "--all"],
        &["show", id, "short"],
        &["plan", &file],
        &["list", "--like", "experiments/short.toml"],
        &["record", "spread", id],
    ];
    for columns in ["60", "80", "120"] {
        let width: usize = columns.parse().unwrap();
        for command in commands {
            let output = sandbox.command(command).env("COLUMNS", columns).output().unwrap();
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(output.status.success(), "{command:?}: {output:?}");
            let wide: Vec<&str> =
                said.lines().filter(|line| line.chars().count() > width).collect();
            assert!(wide.is_empty(), "{command:?} at {columns}:\n{}", wide.join("\n"));
            assert!(!said.contains('\u{1b}'), "{command:?} is coloured");
        }
    }
    let colours = ["--color", "always", "show", id, "short"];
    assert!(sandbox.runner(&colours).out.contains('\u{1b}'));
}
