//! Manifests with faults, through every command that takes one: the fault's place, what to write,
//! nothing run and nothing written.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod sandbox;

use insta::assert_snapshot;
use sandbox::{Said, Sandbox, fake_worker, manifest};

/// Each with a manifest behind it. With `--register` too: nothing faulty may get into the ledger.
const COMMANDS: [&[&str]; 5] =
    [&["check"], &["plan"], &["register"], &["exec"], &["exec", "--register"]];

/// A manifest whose worker betrays that it was started, with pieces replaced.
fn text(changes: &[(&str, &str)]) -> String {
    let sound = manifest("faulty").replace(&fake_worker(), "trap");
    changes.iter().fold(sound, |text, (old, new)| {
        assert!(text.contains(old), "{old:?} is not in the manifest");
        text.replacen(old, new, 1)
    })
}

/// `LINE:COLUMN` of a piece of text, both from 1, columns in characters.
fn place(text: &str, piece: &str) -> String {
    let offset = text.find(piece).unwrap();
    let line = text[..offset].matches('\n').count() + 1;
    let before = text[..offset].rsplit('\n').next().unwrap();
    format!("{line}:{}", before.trim_start_matches('\u{feff}').chars().count() + 1)
}

/// Every command refuses this text with these words, and touches nothing.
#[track_caller]
fn refused(sandbox: &Sandbox, text: impl AsRef<[u8]>, words: &[&str]) -> Said {
    sandbox.trap();
    sandbox.write("experiments/faulty.toml", text);
    for command in COMMANDS {
        let arguments = [command, &["experiments/faulty.toml"]].concat();
        let said = sandbox.refuses(&arguments, 2);
        assert!(said.err.len() < 20_000, "{} bytes of message", said.err.len());
        said.expect_texts(words);
    }
    sandbox.refuses(&["check", "experiments/faulty.toml"], 2)
}

/// One fault, marked at this piece of text, with these words.
#[track_caller]
fn one_fault(changes: &[(&str, &str)], piece: &str, words: &[&str]) -> Said {
    let text = text(changes);
    let place = format!("--> experiments/faulty.toml:{}\n", place(&text, piece));
    let words = [words, &[place.as_str(), "experiments/faulty.toml: 1 error"]].concat();
    refused(&Sandbox::new(), text, &words)
}

#[test]
fn the_manifest_that_all_others_are_made_from_is_sound() {
    let sandbox = Sandbox::new();
    sandbox.trap();
    sandbox.write("experiments/faulty.toml", text(&[]));
    sandbox.refuses(&["check"], 0).expect_text("experiments/faulty.toml: no faults");
}

#[test]
fn an_unknown_key() {
    one_fault(
        &[("threads = 2", "threds = 2")],
        "threds",
        &["error[unknown-key]: `[[arm]]` has no key `threds`", "did you mean `threads`?"],
    );
    one_fault(&[("threads = 2", "n_threads = 2")], "n_threads", &["that is `threads` here"]);
    one_fault(
        &[("[metric]", "[metrics]\nx = 1\n[metric]")],
        "metrics]",
        &["has no key `metrics`", "did you mean `metric`?"],
    );
}

#[test]
fn a_key_in_the_wrong_table() {
    one_fault(
        &[("cap_minutes = 10", "cap_minutes = 10\nchunk_tokens = 8")],
        "chunk_tokens = 8\n\n[gate]",
        &["`chunk_tokens` does not belong to `[stop.fixed]`", "it is a key of `[design]`"],
    );
}

#[test]
fn a_wrong_type() {
    one_fault(
        &[("rounds = 5", "rounds = \"five\"")],
        "\"five\"",
        &["error[wrong-type]: `rounds` must be a whole number, 2 to 10000, not a text"],
    );
    one_fault(&[("rounds = 5", "rounds = \"5\"")], "\"5\"", &["without quotes: `rounds = 5`"]);
    one_fault(
        &[("threads = 2", "flash_attention = true")],
        "true",
        &["write `flash_attention = \"on\"`"],
    );
    one_fault(&[("margin_percent = 5.0", "margin_percent = nan")], "nan", &["cannot be nan"]);
    one_fault(&[("title = \"", "title = [] # \"")], "[]", &["`title` must be a line of text"]);
}

#[test]
fn a_missing_off() {
    one_fault(
        &[("role = \"off\"", "role = \"control\"\nthreads = 3")],
        "[[arm]]",
        &["error[missing-off]: no arm is `off`", "role = \"off\""],
    );
}

#[test]
fn duplicate_names() {
    let said = one_fault(
        &[("name = \"fast\"", "name = \"off\"")],
        "\"off\"\nrole = \"treatment\"",
        &["error[duplicate-arm]: two arms are called `off`", "again", "first"],
    );
    // both places are shown
    let first = place(&text(&[]), "\"off\"");
    let line = first.split(':').next().unwrap();
    assert!(said.err.contains(&format!("\n{line} | name = \"off\"")), "{}", said.err);
    one_fault(
        &[("rounds = 5", "rounds = 5\nrounds = 6")],
        "rounds = 6",
        &["error[duplicate-key]: `rounds` is given twice"],
    );
}

/// The treatment replaced by a ladder with these rungs.
fn ladder(rungs: &str) -> Vec<(&'static str, String)> {
    let ladder = format!(
        "[ladder]\nsetting = \"threads\"\nrungs = {rungs}\ncontract.identical.of = \"tokens\"\n"
    );
    let arm = "[[arm]]\nname = \"fast\"\nrole = \"treatment\"\nthreads = 2\n\
               contract.identical.of = \"tokens\"\n";
    vec![(arm, ladder)]
}

#[test]
fn an_empty_ladder_and_one_with_equal_rungs() {
    let with = |rungs: &str, piece: &str, words: &[&str]| {
        let changes = ladder(rungs);
        let changes: Vec<(&str, &str)> =
            changes.iter().map(|(old, new)| (*old, new.as_str())).collect();
        one_fault(&changes, piece, words)
    };
    with("[]", "[]", &["error[empty-list]: `rungs` is empty", "write, for example, `rungs = ["]);
    with("[2, 4, 2]", "2]", &["the rung 2 occurs twice", "first"]);
    with("[1, 2]", "1, 2]", &["`threads=1` does the same as `off`", "leave this rung out"]);
}

#[test]
fn an_arm_equal_to_off_that_is_not_aa() {
    let words = ["error[arm-equals-off]: `fast` does the same as `off`", "`role = \"aa\"`"];
    one_fault(&[("threads = 2\n", "")], "\"fast\"", &words);
    // one thread is what `[engine]` says already
    one_fault(&[("threads = 2\n", "threads = 1\n")], "\"fast\"", &words);
}

#[test]
fn two_equal_treatments() {
    let twin = "[[arm]]\nname = \"faster\"\nrole = \"treatment\"\nthreads = 2\n\
                contract.identical.of = \"tokens\"\n\n[metric]";
    one_fault(
        &[("[metric]", twin)],
        "\"faster\"",
        &["error[equal-treatments]: `fast` and `faster` do the same", "leave one of them out"],
    );
}

#[test]
fn a_prompt_over_the_context() {
    // 2000 + 16 timed + one untimed in each of 2 chunks
    one_fault(
        &[("prompt_tokens = 16", "prompt_tokens = 2000")],
        "16\n\n[[arm]]",
        &[
            "error[over-context]: 2018 tokens do not fit into a context of 1024",
            "write `context_tokens = 2018` or more",
        ],
    );
}

#[test]
fn zero_blocks_and_other_numbers_out_of_range() {
    for (key, value, limit) in [
        ("blocks_per_round = 4", "blocks_per_round = 0", "at least 1"),
        ("rounds = 5", "rounds = 0", "at least 2"),
        ("rounds = 5", "rounds = -1", "at least 2"),
        ("rounds = 5", "rounds = 99999999999999999999", "at most 10000"),
        ("decode_tokens = 16", "decode_tokens = 0", "at least 1"),
        ("confidence_percent = 95", "confidence_percent = 100", "50 to 99.9"),
        ("cap_minutes = 10", "cap_minutes = 0", "above 0"),
    ] {
        let number = value.rsplit(' ').next().unwrap();
        let piece = text(&[(key, value)]);
        let piece = &piece[piece.find(value).unwrap() + value.len() - number.len()..];
        one_fault(&[(key, value)], piece, &["error[out-of-range]", limit, "for example"]);
    }
}

#[test]
fn a_design_that_would_not_fit_into_memory() {
    one_fault(
        &[("rounds = 5", "rounds = 10000"), ("blocks_per_round = 4", "blocks_per_round = 10000")],
        "10000\nblocks",
        &["the design has 100000000 blocks; a run has at most 100000", "fewer rounds or blocks"],
    );
}

#[test]
fn nothing_to_compare() {
    let logits = "contract.cosine = { at_least = 0.99, basis = \"seen\", positions = 0 }";
    one_fault(
        &[("contract.identical.of = \"tokens\"", logits)],
        "0 }",
        &["error[out-of-range]: `positions` cannot be 0", "512 or more"],
    );
    one_fault(
        &[("contract.identical.of = \"tokens\"\n", "")],
        "\"fast\"",
        &["error[missing-contract]", "contract.identical.of = \"tokens\""],
    );
    one_fault(
        &[("role = \"treatment\"", "role = \"control\"")],
        "[[arm]]",
        &["error[no-treatment]", "`role = \"treatment\"`"],
    );
}

#[test]
fn an_id_with_a_slash_or_that_is_taken() {
    for (id, remedy) in [
        ("a/b", "write, for example, `id = \"a-b\"`"),
        ("../up", "write, for example, `id = \"up\"`"),
        ("/etc/passwd", "write, for example, `id = \"etc-passwd\"`"),
        ("Größe", "write, for example, `id = \"gr--e\"`"),
        ("pilots", "write, for example, `id = \"my-question\"`"),
    ] {
        let quoted = format!("\"{id}\"");
        let changes = [("\"faulty\"", quoted.as_str())];
        one_fault(&changes, &quoted, &["error[bad-name]: `id` cannot be", remedy]);
    }
}

#[test]
fn a_name_that_would_break_a_table() {
    for (name, bad) in [("fa|st", "'|'"), ("fa\\nst", "'\\n'"), ("fa\\u0007st", "'\\u{7}'")] {
        let quoted = format!("\"{name}\"");
        let changes = [("\"fast\"", quoted.as_str())];
        let words = ["error[bad-name]", bad, "write, for example, `name = \"fa-st\"`"];
        one_fault(&changes, &quoted, &words);
    }
    one_fault(
        &[("Two threads against one", "Two | one")],
        "\"Two | one\"",
        &["error[bad-text]: `title` cannot have '|'", "keep it on one line"],
    );
}

#[test]
fn faults_of_every_kind_are_shown_at_once() {
    let text = text(&[
        ("rounds = 5", "rounds = \"5\""),
        ("threads = 2", "threds = 2"),
        ("role = \"off\"", "role = \"of\""),
        ("inputs = \"prose-48\"", "inputs = \"prose-84\""),
    ]);
    let said = refused(&Sandbox::new(), text, &["4 errors"]);
    assert_eq!(said.out, "");
    assert_snapshot!(said.err, @r#"
    error[unknown-workload]: `prose-84` is no workload: no set of inputs is called `prose-84`
      --> experiments/faulty.toml:14:10
       |
    14 | inputs = "prose-84"
       |          ^^^^^^^^^^
       |
       = help: did you mean `inputs = "prose-48"`?

    error[unknown-value]: `role` cannot be "of"
      --> experiments/faulty.toml:21:8
       |
    21 | role = "of"
       |        ^^^^ one of "off", "aa", "treatment", "control", "peer", "ceiling"
       |
       = help: did you mean `role = "off"`?

    error[unknown-key]: `[[arm]]` has no key `threds`
      --> experiments/faulty.toml:30:1
       |
    30 | threds = 2
       | ^^^^^^
       |
       = help: did you mean `threads`?

    error[wrong-type]: `rounds` must be a whole number, 2 to 10000, not a text
      --> experiments/faulty.toml:42:10
       |
    42 | rounds = "5"
       |          ^^^
       |
       = help: without quotes: `rounds = 5`

    experiments/faulty.toml: 4 errors
    "#);
}

#[test]
fn syntax_faults_do_not_hide_others() {
    let text = text(&[
        ("title = \"Two threads against one\"", "title = \"Two threads against one"),
        ("threads = 2", "threds = 2"),
        ("order_seed = 1", "order_seed 1"),
    ]);
    let places = ["Two threads against one\n", "threds"].map(|piece| place(&text, piece));
    let words = ["error[toml-syntax]", "error[unknown-key]", "end the text with", "3 errors"];
    let said = refused(&Sandbox::new(), text, &words).expect_text(&format!(":{}\n", places[1]));
    let line = places[0].split(':').next().unwrap();
    assert!(said.err.contains(&format!("faulty.toml:{line}:")), "{}", said.err);
}
