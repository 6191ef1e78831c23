//! Workloads that cannot be used: sets with faults, too short in bytes or in tokens, over the
//! context of the model.

mod sandbox;

use sandbox::{QUIET_SCRIPT, Sandbox, fake_worker};

const FILE: &str = "experiments/a.toml";
const INPUTS: &str = "inputs = \"prose-48\"";
const OWN: &str = "inputs = \"sets/own.toml\"";
const HEAD: &str =
    "schema = 1\nlicence = \"MIT\"\nsource = \"ours\"\nclasses = [\"dense_throughput\"]\n";

fn item(id: &str, text: &str) -> String {
    format!("[[item]]\nid = \"{id}\"\ntext = \"{text}\"\n")
}

/// Every command refuses the manifest with these words; no worker is started.
#[track_caller]
fn faulty(sandbox: &Sandbox, words: &[&str]) {
    for command in [&["check"][..], &["plan"], &["register"], &["exec", "--register"]] {
        sandbox.refuses(&[command, &[FILE]].concat(), 2).expect_texts(words);
    }
    assert!(!sandbox.path("script.toml.pids").exists(), "a worker loaded a model");
}

#[test]
fn a_set_with_faults_shows_them_all_with_their_lines() {
    let sandbox = Sandbox::new();
    sandbox.trap();
    let worker = fake_worker();
    sandbox.manifest("a", &[(INPUTS, OWN), (worker.as_str(), "trap")]);
    let set = [
        HEAD,
        &item("a", "one"),
        &item("a", "two"),
        &item("b|c", "three"),
        &item("d\\n", "four"),
        &item("e", " "),
        &item("f", "one"),
    ];
    sandbox.write("sets/own.toml", set.concat());
    faulty(
        &sandbox,
        &[
            "error[bad-workload]: the set `sets/own.toml` cannot be used",
            "sets/own.toml:9: the id `a` is used twice, first at line 6",
            "sets/own.toml:12: the id \"b|c\" may hold",
            "sets/own.toml:15: the id \"d\\n\" may hold",
            "sets/own.toml:19: the text of `e` is empty",
            "sets/own.toml:22: `f` has the same text as `a` at line 7",
            "docs/workloads.md shows the format of a set",
        ],
    );
}

#[test]
fn a_set_without_items_and_files_that_are_no_sets() {
    let sandbox = Sandbox::new();
    sandbox.manifest("a", &[(INPUTS, OWN)]);
    let garbage: Vec<u8> = (0..1_u32 << 20).map(|number| (number * 7) as u8).collect();
    for (set, words) in [
        (HEAD.as_bytes().to_vec(), "the set has no [[item]]"),
        (Vec::new(), "missing field"),
        (HEAD.replace("[\"dense_throughput\"]", "[]").into_bytes(), "the set serves no class"),
        (HEAD.replace("schema = 1", "schema = 2").into_bytes(), "schema 2 of a set is not known"),
        ([HEAD, "name = 1\n"].concat().into_bytes(), "sets/own.toml:5: unknown field `name`"),
        (garbage, "is not UTF-8 text"),
        (vec![b'['; 1 << 20], "sets/own.toml:1"),
    ] {
        sandbox.write("sets/own.toml", set);
        faulty(&sandbox, &["error[bad-workload]", words, "docs/workloads.md shows the format"]);
    }
}

#[test]
fn a_set_that_is_not_there_or_has_a_name_of_another() {
    let sandbox = Sandbox::new();
    sandbox.manifest("a", &[(INPUTS, OWN)]);
    faulty(
        &sandbox,
        &["error[unknown-workload]", "there is no such set of inputs", "known: prose-48"],
    );
    sandbox.manifest("a", &[(INPUTS, "inputs = \"prose-84\"")]);
    faulty(&sandbox, &["error[unknown-workload]", "did you mean `inputs = \"prose-48\"`?"]);
    sandbox.manifest("a", &[]);
    sandbox.write("experiments/workloads/prose-48.toml", [HEAD, &item("a", "mine")].concat());
    faulty(&sandbox, &["error[bad-workload]", "is built in, with another content"]);
}

#[test]
fn a_set_for_another_class() {
    let sandbox = Sandbox::new();
    let class = "class = \"dense_throughput\"";
    sandbox
        .manifest("a", &[(INPUTS, "inputs = \"filler-48\""), (class, "class = \"speculation\"")]);
    faulty(
        &sandbox,
        &[
            "error[workload-class]: `filler-48` does not serve the class \"speculation\"",
            "serves \"dense_throughput\"",
            "prompt-lookup hit rate 0.",
            "take another set, or another class",
        ],
    );
}

#[test]
fn a_set_that_is_too_short_in_bytes() {
    let sandbox = Sandbox::new();
    sandbox.write("sets/own.toml", [HEAD, &item("a", "one two"), &item("b", "three")].concat());
    sandbox.manifest("a", &[(INPUTS, OWN)]);
    faulty(
        &sandbox,
        &[
            "error[workload-too-short]: `sets/own.toml` cannot give 16 tokens",
            "experiments/a.toml:16:17\n",
            "12 bytes of text in all",
            "take a longer set, or fewer tokens",
        ],
    );
}

#[test]
fn a_set_that_is_too_short_in_tokens() {
    let sandbox = Sandbox::with_model();
    // long words: bytes enough, and three tokens an item, the opening one included
    let set = [HEAD, &item("a", &"w".repeat(50)), &item("b", &"v".repeat(50))].concat();
    sandbox.write("sets/own.toml", set);
    sandbox.manifest("a", &[(INPUTS, OWN)]);
    sandbox.refuses(&["check", FILE], 0);
    for command in [&["plan"][..], &["register"], &["exec", "--register"]] {
        sandbox
            .refuses(&[command, &[FILE]].concat(), 3)
            .expect_text("[workload] inputs = \"sets/own.toml\": the workload is too short")
            .expect_text("4 tokens in all, and 16 are needed")
            .expect_text("ask for fewer tokens, or give a longer set");
        assert_eq!(sandbox.living_workers(), Vec::<u32>::new());
    }
}

#[test]
fn a_prompt_over_the_context_of_the_model() {
    let sandbox = Sandbox::with_model();
    sandbox.manifest("a", &[("context_tokens = 1024\n", "")]);
    sandbox.runner(&["register", FILE]).expect_code(0);
    sandbox.script(&format!("context_tokens = 33\n{QUIET_SCRIPT}"));
    // 16 of prompt, 16 timed, an untimed one in each of two chunks
    for command in [&["plan"][..], &["register"]] {
        sandbox
            .refuses(&[command, &[FILE]].concat(), 3)
            .expect_text("arm `off`: the context has 33 tokens, and 34 are needed")
            .expect_text("write `context_tokens = 34` in [engine]");
    }
    sandbox
        .refuses(&["exec", FILE], 3)
        .expect_text("the context has 33 tokens, a block needs 34")
        .expect_text("raise `context_tokens`, or ask for less");
    assert_eq!(sandbox.living_workers(), Vec::<u32>::new());
}

#[test]
fn a_depth_beyond_every_number_of_tokens() {
    let sandbox = Sandbox::with_model();
    let cosine = "contract.cosine = { at_least = 0.9, basis = \"seen\" }";
    sandbox.manifest(
        "a",
        &[
            ("context_tokens = 1024\n", ""),
            ("decode_tokens = 16", "decode_tokens = 16\ndepth_tokens = 4294967295"),
            ("contract.identical.of = \"tokens\"", cosine),
        ],
    );
    sandbox.refuses(&["register", FILE], 3).expect_text("4294967807 are needed");
}
