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

/// A group-sequential rule over 16 rounds in place of the fixed one.
fn sequential(rule: &str) -> Vec<(&'static str, String)> {
    let rule = format!("[stop.group_sequential]\n{rule}\n");
    vec![("rounds = 5", "rounds = 16".to_owned()), ("[stop.fixed]\n", rule)]
}

/// What `check` says of the manifest with these pieces replaced; every command refuses it.
#[track_caller]
fn said_of(changes: &[(&str, String)]) -> String {
    let changes: Vec<(&str, &str)> = changes.iter().map(|(old, new)| (*old, &**new)).collect();
    refused(&Sandbox::new(), text(&changes), &["experiments/faulty.toml: "]).err
}

#[test]
fn looks_that_do_not_increase_or_occur_twice() {
    let rule = "looks_at_rounds = [8, 12, 10, 16]\nspending = \"pocock\"";
    assert_snapshot!(said_of(&sequential(rule)), @r#"
    error[bad-looks]: a look at 10 rounds cannot follow one at 12
      --> experiments/faulty.toml:49:27
       |
    49 | looks_at_rounds = [8, 12, 10, 16]
       |                       --  ^^ this look
       |                       |
       |                       the one before
       |
       = help: looks increase: write them in the order in which they come

    experiments/faulty.toml: 1 error
    "#);
    let rule = "looks_at_rounds = [8, 8, 16]\nspending = \"pocock\"";
    assert_snapshot!(said_of(&sequential(rule)), @r#"
    error[duplicate-value]: the look at 8 rounds occurs twice
      --> experiments/faulty.toml:49:23
       |
    49 | looks_at_rounds = [8, 8, 16]
       |                    -  ^ this look
       |                    |
       |                    the one before
       |
       = help: looks increase: write them in the order in which they come

    experiments/faulty.toml: 1 error
    "#);
}

#[test]
fn looks_too_early_too_late_too_great_or_none() {
    let rule = "looks_at_rounds = [2, 16]\nspending = \"pocock\"";
    assert_snapshot!(said_of(&sequential(rule)), @r#"
    error[bad-looks]: a look at 2 rounds comes too early
      --> experiments/faulty.toml:49:20
       |
    49 | looks_at_rounds = [2, 16]
       |                    ^ at least 8
       |
       = help: under 8 rounds the spread is not known well enough to stop by; write, for example, `looks_at_rounds = [8, 16]`

    experiments/faulty.toml: 1 error
    "#);
    let rule = "looks_at_rounds = [8, 17]\nspending = \"pocock\"";
    assert_snapshot!(said_of(&sequential(rule)), @r#"
    error[bad-looks]: the last look comes after the last round: it is at 17, and the design has 16
      --> experiments/faulty.toml:49:23
       |
    42 | rounds = 16
       |          -- rounds
    ...
    49 | looks_at_rounds = [8, 17]
       |                       ^^ last look
       |
       = help: end the list with 16, or write `rounds = 17`

    experiments/faulty.toml: 1 error
    "#);
    let rule = "looks_at_rounds = [8, 1_000_000_000]\nspending = \"pocock\"";
    assert_snapshot!(said_of(&sequential(rule)), @r#"
    error[out-of-range]: `looks_at_rounds` cannot be 1000000000
      --> experiments/faulty.toml:49:23
       |
    49 | looks_at_rounds = [8, 1_000_000_000]
       |                       ^^^^^^^^^^^^^ at most 10000
       |
       = help: it is a whole number, 1 to 10000, for example `looks_at_rounds = [8, 16]`

    experiments/faulty.toml: 1 error
    "#);
    let rule = "looks_at_rounds = []\nspending = \"pocock\"";
    assert_snapshot!(said_of(&sequential(rule)), @r#"
    error[empty-list]: `looks_at_rounds` is empty
      --> experiments/faulty.toml:49:19
       |
    49 | looks_at_rounds = []
       |                   ^^
       |
       = help: write, for example, `looks_at_rounds = [8, 16]`

    experiments/faulty.toml: 1 error
    "#);
}

#[test]
fn spending_over_alpha_falling_or_not_a_number() {
    let spent = |spent: &str| {
        said_of(&sequential(&format!("looks_at_rounds = [8, 16]\nspent_percent = {spent}")))
    };
    assert_snapshot!(spent("[50, 150]"), @r#"
    error[spending-over-alpha]: 150 % of the error cannot be spent
      --> experiments/faulty.toml:50:22
       |
    50 | spent_percent = [50, 150]
       |                      ^^^ at most 100
       |
       = help: `spent_percent` is cumulative, of the whole error: 100 is all of it, and stands last

    experiments/faulty.toml: 1 error
    "#);
    assert_snapshot!(spent("[100, 50]"), @r#"
    error[bad-spending]: 50 % cannot be spent after 100 %
      --> experiments/faulty.toml:50:23
       |
    50 | spent_percent = [100, 50]
       |                  ---  ^^ this look
       |                  |
       |                  the one before
       |
       = help: `spent_percent` is cumulative: it increases from look to look

    experiments/faulty.toml: 1 error
    "#);
    assert_snapshot!(spent("[nan, 100]"), @r#"
    error[not-finite]: `spent_percent` cannot be nan
      --> experiments/faulty.toml:50:18
       |
    50 | spent_percent = [nan, 100]
       |                  ^^^
       |
       = help: it is a number, above 0, at most 1000, for example `spent_percent = [20, 100]`

    experiments/faulty.toml: 1 error
    "#);
    assert_snapshot!(spent("[5, inf]"), @r#"
    error[not-finite]: `spent_percent` cannot be inf
      --> experiments/faulty.toml:50:21
       |
    50 | spent_percent = [5, inf]
       |                     ^^^
       |
       = help: it is a number, above 0, at most 1000, for example `spent_percent = [20, 100]`

    experiments/faulty.toml: 1 error
    "#);
    assert_snapshot!(spent("[]"), @r#"
    error[empty-list]: `spent_percent` is empty
      --> experiments/faulty.toml:50:17
       |
    50 | spent_percent = []
       |                 ^^
       |
       = help: write, for example, `spent_percent = [20, 100]`

    experiments/faulty.toml: 1 error
    "#);
}

#[test]
fn two_stopping_rules() {
    let both = "[stop.confidence_sequence]\ncap_minutes = 5\n\n[stop.fixed]";
    assert_snapshot!(said_of(&[("[stop.fixed]", both.to_owned())]), @r#"
    error[exclusive-keys]: `[stop.fixed]` and `[stop.confidence_sequence]` exclude each other
      --> experiments/faulty.toml:48:7
       |
    48 | [stop.confidence_sequence]
       |       ^^^^^^^^^^^^^^^^^^^
    ...
    51 | [stop.fixed]
       |       ----- the other one
       |
       = help: one rule says when to stop: leave one of them out

    experiments/faulty.toml: 1 error
    "#);
}

#[test]
fn a_margin_of_zero_and_one_that_is_not_finite() {
    let margin =
        |margin: &str| said_of(&[("margin_percent = 5.0", format!("margin_percent = {margin}"))]);
    assert_snapshot!(margin("0"), @r#"
    error[out-of-range]: `margin_percent` cannot be 0
      --> experiments/faulty.toml:58:18
       |
    58 | margin_percent = 0
       |                  ^ above 0, at most 1000
       |
       = help: write, for example, `margin_percent = 2.0`

    experiments/faulty.toml: 1 error
    "#);
    assert_snapshot!(margin("inf"), @r#"
    error[not-finite]: `margin_percent` cannot be inf
      --> experiments/faulty.toml:58:18
       |
    58 | margin_percent = inf
       |                  ^^^
       |
       = help: it is a number, above 0, at most 1000, for example `margin_percent = 2.0`

    experiments/faulty.toml: 1 error
    "#);
    assert_snapshot!(margin("1e308"), @r#"
    error[out-of-range]: `margin_percent` cannot be 1e308
      --> experiments/faulty.toml:58:18
       |
    58 | margin_percent = 1e308
       |                  ^^^^^ above 0, at most 1000
       |
       = help: write, for example, `margin_percent = 2.0`

    experiments/faulty.toml: 1 error
    "#);
}

#[test]
fn too_few_rounds_or_very_many() {
    let rounds = |rounds: &str| said_of(&[("rounds = 5", format!("rounds = {rounds}"))]);
    assert_snapshot!(rounds("0"), @r#"
    error[out-of-range]: `rounds` cannot be 0
      --> experiments/faulty.toml:42:10
       |
    42 | rounds = 0
       |          ^ at least 2
       |
       = help: it is a whole number, 2 to 10000, for example `rounds = 12`

    experiments/faulty.toml: 1 error
    "#);
    assert_snapshot!(rounds("1"), @r#"
    error[out-of-range]: `rounds` cannot be 1
      --> experiments/faulty.toml:42:10
       |
    42 | rounds = 1
       |          ^ at least 2
       |
       = help: it is a whole number, 2 to 10000, for example `rounds = 12`

    experiments/faulty.toml: 1 error
    "#);
    assert_snapshot!(rounds("1e9"), @r#"
    error[wrong-type]: `rounds` must be a whole number, 2 to 10000, not the number 1e9
      --> experiments/faulty.toml:42:10
       |
    42 | rounds = 1e9
       |          ^^^
       |
       = help: write, for example, `rounds = 12`

    experiments/faulty.toml: 1 error
    "#);
    assert_snapshot!(rounds("1000000000"), @r#"
    error[out-of-range]: `rounds` cannot be 1000000000
      --> experiments/faulty.toml:42:10
       |
    42 | rounds = 1000000000
       |          ^^^^^^^^^^ at most 10000
       |
       = help: it is a whole number, 2 to 10000, for example `rounds = 12`

    experiments/faulty.toml: 1 error
    "#);
    let sequence = [("[stop.fixed]", "[stop.confidence_sequence]".to_owned())];
    assert_snapshot!(said_of(&sequence), @r#"
    error[out-of-range]: a confidence sequence first looks after 20 rounds, and the design has 5
      --> experiments/faulty.toml:42:10
       |
    42 | rounds = 5
       |          ^ rounds
    ...
    48 | [stop.confidence_sequence]
       | -------------------------- the rule
       |
       = help: write `rounds = 20` or more, or take `[stop.group_sequential]` (8 rounds or more) or `[stop.fixed]`

    experiments/faulty.toml: 1 error
    "#);
}

#[test]
fn empty_lists() {
    let condition = "[condition]\nsetting = \"depth_tokens\"\nvalues = []\n\n[metric]";
    assert_snapshot!(said_of(&[("[metric]", condition.to_owned())]), @r#"
    error[empty-list]: `values` is empty
      --> experiments/faulty.toml:35:10
       |
    35 | values = []
       |          ^^
       |
       = help: write, for example, `values = [0, 512, 2048]`

    experiments/faulty.toml: 1 error
    "#);
}

#[test]
fn noise_of_nowhere_or_of_two_places() {
    let noise = |noise: &str| {
        said_of(&[
            ("assumed_round_sd_percent = 0.5\n", String::new()),
            ("assumed_block_sd_percent = 1.0", noise.to_owned()),
        ])
    };
    assert_snapshot!(noise("pilot = \"20261129-161031\""), @r#"
    error[unknown-noise-source]: there is no pilot `20261129-161031`: `results/pilots/` has none of this name
      --> experiments/faulty.toml:37:9
       |
    37 | pilot = "20261129-161031"
       |         ^^^^^^^^^^^^^^^^^
       |
       = help: there are no pilots here: `runner try` makes a pilot, or write both `assumed_…` numbers

    experiments/faulty.toml: 1 error
    "#);
    assert_snapshot!(noise("record = \"a/20261129-161031\"\npilot = \"20261129-161031\""), @r#"
    error[exclusive-keys]: `record` and `pilot` exclude each other
      --> experiments/faulty.toml:38:1
       |
    37 | record = "a/20261129-161031"
       | ------ the other one
    38 | pilot = "20261129-161031"
       | ^^^^^
       |
       = help: the noise comes from one run: leave one of them out

    experiments/faulty.toml: 1 error
    "#);
    assert_snapshot!(noise(""), @r#"
    error[missing-key]: `[noise]` does not say how much two identical arms differ
      --> experiments/faulty.toml:36:1
       |
    36 | [noise]
       | ^^^^^^^
       |
       = help: add `pilot = "…"` (`runner try` prints the name), `record = "<id>/<run>"`, or both `assumed_round_sd_percent = 0.8` and `assumed_block_sd_percent = 3.0`

    experiments/faulty.toml: 1 error
    "#);
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
