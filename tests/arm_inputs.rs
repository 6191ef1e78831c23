//! An arm that is only shown may work on a set of its own, beside inputs that something is judged on.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod sandbox;

use std::fmt::Write;

use sandbox::{QUIET_SCRIPT, Sandbox};

const FILE: &str = "experiments/a.toml";
const ROUTING: (&str, &str) = ("class = \"dense_throughput\"", "class = \"routing\"");
const FILLER: &str = "[[arm]]\nname = \"filler\"\nrole = \"ceiling\"\ninputs = \"filler-48\"\n";

/// The manifest's arms, and this one.
fn and(arm: &str) -> String {
    format!("{arm}\n[metric]")
}

/// A prompt takes as long as it has different words.
fn varied_is_slow(sandbox: &Sandbox) {
    let varied = "nanoseconds_per_different_token = 1_000_000\n[[when]]";
    sandbox.script(&QUIET_SCRIPT.replace("[[when]]", varied));
}

fn described<'a>(analysis: &'a serde_json::Value, arm: &str) -> &'a serde_json::Value {
    let all = analysis["described"].as_array().unwrap();
    all.iter().find(|one| one["arm"] == arm).unwrap()
}

/// Each arm's inputs, in the order in which they were timed.
fn worked_on(sandbox: &Sandbox, arm: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for row in sandbox.samples("a").into_iter().filter(|row| row.arm == arm) {
        if found.last() != Some(&row.input) {
            found.push(row.input);
        }
    }
    found
}

#[test]
fn l11_filler_is_welcome_as_an_arm_beside_prose() {
    let sandbox = Sandbox::new();
    varied_is_slow(&sandbox);
    let work = ("prompt_tokens = 16\ndecode_tokens = 16", "prefill_tokens = 64");
    let metric = ("\"decode_tokens_per_second\"", "\"prefill_tokens_per_second\"");
    let arms = and(FILLER);
    let changes = [ROUTING, work, metric, ("chunk_tokens = 8\n", ""), ("[metric]", arms.as_str())];
    let judged = sandbox.judge("a", &changes);
    assert_eq!(judged.code, 0, "{judged:?}");
    // prose has more different words in 64 tokens than filler: the best case was timed, and shown
    let filler = described(judged.analysis(), "filler");
    let words = "`filler` worked on `filler-48`, a best case that nothing is judged on; off worked on \
                 `prose-48`";
    assert_eq!(filler["reason"]["code"], "described_only", "{filler}");
    for text in [&filler["reason"]["text"], &filler["claim"]] {
        assert!(text.as_str().unwrap().contains(words), "{text}");
    }
    let faster = filler["effect"]["log_ratio"].as_f64().unwrap().exp();
    assert!(faster > 2.0, "{faster}");
    assert_ne!(judged.comparison("fast")["reason"]["code"], "unequal_work");

    let (offs, own) = (worked_on(&sandbox, "off"), worked_on(&sandbox, "filler"));
    assert_eq!(worked_on(&sandbox, "off-again"), offs);
    assert_eq!(offs.len(), own.len());
    // filler's items are numbered; prose's have names of their own, in the order of the set
    assert!(own.iter().all(|id| id.starts_with("filler")), "{own:?}");
    assert!(!offs.iter().any(|id| id.starts_with("filler")), "{offs:?}");

    sandbox.runner(&["record", "verify"]).expect_code(0);
    let shown = sandbox.runner(&["show", "a"]).expect_code(0);
    shown
        .expect_text("`filler` worked on `filler-48`, a best")
        .expect_text("inputs prose-48 (filler on filler-48)");
    let run = sandbox.runs("a").pop().unwrap();
    let read = |file: &str| {
        std::fs::read_to_string(sandbox.path(&format!("results/a/{run}/{file}"))).unwrap()
    };
    assert!(read("table.md").contains("a best case that nothing is judged on"));
    let provenance: toml::Table = read("provenance.toml").parse().unwrap();
    let of_arm = &provenance["arm_inputs"][0];
    assert_eq!(of_arm["arm"].as_str(), Some("filler"));
    assert_eq!(of_arm["name"].as_str(), Some("filler-48"));
    assert_eq!(of_arm["blake3"].as_str().map(str::len), Some(64));
    assert_eq!(provenance["workload"]["name"].as_str(), Some("prose-48"));
}

/// Its tokens continue other texts: they are held against nothing while it is timed.
#[test]
fn an_arm_with_inputs_of_its_own_generates_and_is_compared_with_nothing() {
    let sandbox = Sandbox::new();
    let drafts = format!("{FILLER}draft_source = \"prompt_lookup\"\ndraft_tokens = 4\n");
    let plain = FILLER.replace("\"filler\"", "\"plain\"");
    let arms = and(&format!("{drafts}{plain}"));
    let judged = sandbox.judge("a", &[("[metric]", arms.as_str())]);
    assert_eq!(judged.code, 0, "{judged:?}");
    for arm in ["filler", "plain"] {
        assert_eq!(described(judged.analysis(), arm)["reason"]["code"], "described_only");
    }
    let controls = judged.facts()["draft_controls"].as_array().unwrap();
    let of_filler = controls.iter().find(|finding| finding["arm"] == "filler").unwrap();
    assert_eq!(of_filler["state"], "kept", "{of_filler}");
    sandbox.runner(&["record", "verify"]).expect_code(0);
}

#[test]
fn a_plan_says_what_the_arm_works_on_and_registration_freezes_it() {
    let sandbox = Sandbox::new();
    sandbox.write("sets/own.toml", set(48, "gravel"));
    let own = FILLER.replace("filler-48", "sets/own.toml");
    sandbox.manifest("a", &[("[metric]", &and(&own))]);
    let words = "`filler` works on `own.toml`, a best case that nothing is judged on; off works on";
    sandbox.runner(&["plan", FILE]).expect_code(0).expect_text(words);
    sandbox.runner(&["register", FILE]).expect_code(0);
    let entry = sandbox.files("results/a/ledger").pop().unwrap();
    let entry = std::fs::read_to_string(sandbox.path(&entry)).unwrap();
    assert!(entry.contains("arm = \"filler\"") && entry.contains("name = \"sets/own.toml\""));
    sandbox.write("sets/own.toml", set(48, "anchor"));
    let said = sandbox.runner(&["exec", FILE]);
    assert!([2, 3].contains(&said.code), "{said:?}");
    assert!(sandbox.runs("a").is_empty());
}

/// A set of so many items, made of one word.
fn set(items: usize, word: &str) -> String {
    let mut file = "schema = 1\nlicence = \"CC0-1.0\"\nsource = \"made by a rule\"\nclasses = \
                    [\"dense_throughput\"]\n"
        .to_owned();
    for number in 0..items {
        let text = format!("{word}{number} ").repeat(40);
        write!(file, "\n[[item]]\nid = \"own-{number}\"\ntext = {text:?}\n").unwrap();
    }
    file
}

#[test]
fn what_is_judged_or_promises_something_has_no_inputs_of_its_own() {
    let sandbox = Sandbox::new();
    let refused = |arm: &str, words: &[&str]| {
        sandbox.manifest("a", &[("[metric]", &and(arm))]);
        for command in [&["check"][..], &["plan"], &["register"], &["exec", "--register"]] {
            sandbox.refuses(&[command, &[FILE]].concat(), 2).expect_texts(words);
        }
    };
    let treatment = FILLER.replace("ceiling", "treatment");
    refused(
        &format!("{treatment}threads = 3\ncontract.identical.of = \"tokens\"\n"),
        &[
            "error[own-inputs]",
            "`filler` may not have inputs of its own",
            "let the arm be a `ceiling`",
        ],
    );
    refused(
        &FILLER.replace("ceiling", "aa"),
        &["error[own-inputs]", "`filler` may not have inputs of its own"],
    );
    refused(
        &format!("{FILLER}contract.identical.of = \"tokens\"\n"),
        &["error[own-inputs]", "`filler` works on other texts than off, and promises something"],
    );
    let control = FILLER.replace("ceiling", "control");
    refused(
        &format!(
            "{control}draft_source = \"prompt_lookup\"\ndraft_tokens = 4\ndraft_acceptance = \"nothing\"\n"
        ),
        &["error[own-inputs]", "`filler` keeps no draft, and works on other texts than off"],
    );
    refused(
        &FILLER.replace("filler-48", "prose-48"),
        &["error[own-inputs]", "`prose-48` is what all arms work on"],
    );
    refused(
        &FILLER.replace("filler-48", "filer-48"),
        &["error[unknown-workload]", "did you mean `inputs = \"filler-48\"`?"],
    );
}

#[test]
fn a_set_with_fewer_items_than_the_workloads_is_refused_with_both_counts() {
    let sandbox = Sandbox::new();
    sandbox.write("sets/own.toml", set(47, "gravel"));
    sandbox.manifest("a", &[("[metric]", &and(&FILLER.replace("filler-48", "sets/own.toml")))]);
    for command in [&["check"][..], &["plan"], &["register"], &["exec", "--register"]] {
        sandbox.refuses(&[command, &[FILE]].concat(), 2).expect_texts(&[
            "error[workload-too-short]",
            "`sets/own.toml` has 47 items, and the workload 48",
            "name a set of 48 items or more",
        ]);
    }
    sandbox.write("sets/own.toml", set(48, "gravel"));
    sandbox.runner(&["check", FILE]).expect_code(0);
}

/// What one set's bytes may hold, the tokenizer may not make of it.
#[test]
fn a_set_with_too_few_tokens_is_refused_before_anything_is_frozen() {
    let sandbox = Sandbox::new();
    sandbox.write("sets/own.toml", set(48, "gravel"));
    let own = and(&FILLER.replace("filler-48", "sets/own.toml"));
    let long = ("prompt_tokens = 16", "prompt_tokens = 2200\ndepth_tokens = 0");
    let context = ("context_tokens = 1024", "context_tokens = 8192");
    sandbox.manifest("a", &[long, context, ("[metric]", &own)]);
    sandbox.runner(&["check", FILE]).expect_code(0);
    for command in [&["plan"][..], &["register"], &["exec", "--register"]] {
        sandbox
            .refuses(&[command, &[FILE]].concat(), 3)
            .expect_texts(&["arm `filler`: its set is too short: ", "and 2200 are needed"]);
    }
}
