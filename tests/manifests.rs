//! What a manifest may ask for beyond the fixed rule, through the command line: noise of a stored
//! run, chunk lengths as a condition, warnings about a design that shows too little.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod sandbox;

use std::collections::{BTreeMap, BTreeSet};

use insta::assert_snapshot;
use runner::project::Project;
use runner::record::{StoredPilot, store_pilot};
use sample_table::{SampleRow, SampleState, Work};
use sandbox::{Said, Sandbox};

const ASSUMED: &str = "assumed_round_sd_percent = 0.5\nassumed_block_sd_percent = 1.0";

/// Writes the manifest with another source of its noise and checks it.
fn check_with(sandbox: &Sandbox, id: &str, noise: &str) -> Said {
    let seen = ("prior_access = \"none\"", "prior_access = \"seen\"");
    let file = sandbox.manifest(id, &[(ASSUMED, noise), seen]);
    sandbox.runner(&["check", &file])
}

#[test]
fn noise_is_read_from_a_record_frozen_with_the_manifest_and_run() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("first", &[]);
    sandbox.runner(&["exec", "--register", &file]).expect_code(0);
    let record = format!("first/{}", sandbox.runs("first").pop().unwrap());
    let noise = format!("record = \"{record}\"");
    let checked = check_with(&sandbox, "second", &noise).expect_code(0);
    // five rounds are four degrees of freedom
    for text in ["warning[noise-barely-known]", "from 4 degrees of freedom", "no faults"] {
        assert!(checked.out.contains(text) || checked.err.contains(text), "{checked:?}");
    }
    let run = sandbox.runner(&["--json", "exec", "--register", "experiments/second.toml"]);
    assert_eq!(run.code, 0, "{run:?}");
    let entry = sandbox.files("results/second/ledger").pop().unwrap();
    let entry = std::fs::read_to_string(sandbox.path(&entry)).unwrap();
    assert!(entry.contains(&record), "{entry}");
    sandbox.runner(&["record", "verify"]).expect_code(0);
}

#[test]
fn a_record_that_is_not_there_or_was_changed() {
    let sandbox = Sandbox::with_model();
    let none = check_with(&sandbox, "second", "record = \"first/20261129-161031\"").expect_code(2);
    assert_snapshot!(none.err, @r#"
    error[unknown-noise-source]: there is no record `first/20261129-161031`: `results/` has no such run
      --> experiments/second.toml:37:10
       |
    37 | record = "first/20261129-161031"
       |          ^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: there are no records here: `runner try` makes a pilot, or write both `assumed_…` numbers

    experiments/second.toml: 1 error
    "#);
    let file = sandbox.manifest("first", &[]);
    sandbox.runner(&["exec", "--register", &file]).expect_code(0);
    let run = sandbox.runs("first").pop().unwrap();
    check_with(&sandbox, "second", &format!("record = \"first/{run}0\""))
        .expect_code(2)
        .expect_text("error[unknown-noise-source]");
    check_with(&sandbox, "second", "record = \"frist/20261129-161031\"")
        .expect_code(2)
        .expect_text(&format!("`record = \"first/{run}\"`"));
    for bad in ["first", "../first/20261129-161031", "first/..", "first/20261129-161031/x"] {
        check_with(&sandbox, "second", &format!("record = \"{bad}\""))
            .expect_code(2)
            .expect_text("error[unknown-noise-source]");
    }
    let samples = sandbox.files(&format!("results/first/{run}"));
    let samples = samples.iter().find(|file| file.contains("samples.")).unwrap();
    let mut rows = sample_table::read(&sandbox.path(samples)).unwrap();
    rows[7].nanoseconds += 1;
    sample_table::write(&sandbox.path(samples), &rows).unwrap();
    check_with(&sandbox, "second", &format!("record = \"first/{run}\""))
        .expect_code(2)
        .expect_text("error[bad-noise-source]")
        .expect_text("the samples were changed after they were sealed");
}

/// Rows of off and off-again over so many rounds of four blocks, two chunks each.
fn rows(rounds: u32) -> Vec<SampleRow> {
    let mut rows = Vec::new();
    for round in 0..rounds {
        for block in 0..4 {
            for (place, arm) in ["off", "off-again"].into_iter().enumerate() {
                for chunk in 0..2 {
                    // some spread of rounds and of blocks, without a generator
                    let swing = u64::from((round * 7 + block * 13) % 11) * 100_000;
                    rows.push(SampleRow {
                        condition: 0,
                        round,
                        segment: round,
                        block,
                        chunk,
                        place: u32::try_from(place).unwrap(),
                        arm: arm.to_owned(),
                        input: format!("item-{block}"),
                        work: Work::Decode,
                        tokens: 8,
                        nanoseconds: 8_000_000 + swing * place as u64,
                        started_nanoseconds: 0,
                        state: SampleState::Timed,
                        energy: None,
                        flags: String::new(),
                    });
                }
            }
        }
    }
    rows
}

/// Stores a pilot of the manifest's own work.
fn store(sandbox: &Sandbox, run: &str, rows: &[SampleRow]) {
    let file = sandbox.manifest("as-pilot", &[]);
    let root = sandbox.root();
    let project = Project::find(root, None).unwrap();
    let read = runner::reading::read_manifest(&sandbox.path(&file), &project).unwrap();
    let plan = &read.reading.plan;
    let pilot = StoredPilot {
        format_version: 1,
        run: run.to_owned(),
        at: "2026-11-29T16:10:31Z".to_owned(),
        commit: None,
        machine: "test".to_owned(),
        question_key: runner::manifest::question_key(plan).to_string(),
        canonical_manifest: runner::manifest::canonical_form(plan),
        effects: Vec::new(),
    };
    store_pilot(&project, &pilot, rows).unwrap();
}

#[test]
fn noise_is_read_from_a_pilot() {
    let sandbox = Sandbox::new();
    store(&sandbox, "20261129-161031", &rows(4));
    store(&sandbox, "20261129-161032", &rows(1));
    store(&sandbox, "20261129-161033", &[]);
    let named = |name: &str| check_with(&sandbox, "piloted", &format!("pilot = \"{name}\""));
    named("20261129-161031").expect_code(0).expect_text("from 3 degrees of freedom");
    for short in ["20261129-161032", "20261129-161033"] {
        named(short).expect_code(2).expect_text("error[noise-of-too-few-rounds]");
    }
    named("20261129-161039")
        .expect_code(2)
        .expect_text("error[unknown-noise-source]")
        .expect_text("did you mean `pilot = \"20261129-16103");
    for bad in ["..", "a", "../../first"] {
        named(bad).expect_code(2).expect_text("error[unknown-noise-source]");
    }
    // a pilot of other work: a warning that names both
    let other =
        [(ASSUMED, "pilot = \"20261129-161031\""), ("chunk_tokens = 8", "chunk_tokens = 4")];
    let file = sandbox.manifest("other", &other);
    sandbox
        .runner(&["check", &file])
        .expect_code(0)
        .expect_text("warning[noise-of-other-work]")
        .expect_text("chunk_tokens 8 there, 4 here");
    sandbox.write("results/pilots/20261129-161031/pilot.toml", "run = 3\n");
    named("20261129-161031").expect_code(2).expect_text("error[bad-noise-source]");
}

#[test]
fn l07_one_round_is_a_single_draw_and_no_source_of_noise() {
    let sandbox = Sandbox::with_model();
    store(&sandbox, "20261129-161031", &rows(1));
    store(&sandbox, "20261129-161032", &rows(4));
    let with = |pilot: &str| sandbox.manifest("drawn", &[(ASSUMED, pilot)]);
    let one = with("pilot = \"20261129-161031\"");
    for command in [&["check", &one][..], &["register", &one], &["exec", "--register", &one]] {
        sandbox.runner(command).expect_code(2).expect_text("error[noise-of-too-few-rounds]");
    }
    assert!(!sandbox.path("results/drawn").exists(), "nothing was registered or run");
    let four = with("pilot = \"20261129-161032\"");
    sandbox.runner(&["check", &four]).expect_code(0);
}

#[test]
fn l10_a_wording_names_only_what_the_manifest_contains() {
    let sandbox = Sandbox::with_model();
    let worded = |win: &str| {
        let text = format!("[claim]\nwin = \"{win}\"\n\n[noise]\n");
        sandbox.manifest("worded", &[("[noise]\n", text.as_str())])
    };
    for (win, name) in [
        ("`faster` decodes faster.", "faster"),
        ("`fast` decodes faster with `flash_attention`.", "flash_attention"),
        ("It decodes faster with `threads=4`.", "threads=4"),
        // a model and a set are known by name, with and without backticks
        ("`fast` decodes faster on code-48.", "code-48"),
        ("`fast` decodes faster with builtin-tiny-experts.", "builtin-tiny-experts"),
    ] {
        let file = worded(win);
        for command in [&["check", &file][..], &["register", &file], &["exec", "--register", &file]]
        {
            sandbox
                .runner(command)
                .expect_code(2)
                .expect_text("error[claim-names-another]")
                .expect_text(&format!("the wording names `{name}`, of which nothing is run here"));
        }
    }
    assert!(!sandbox.path("results/worded").exists(), "nothing was registered or run");
    let sound =
        worded("`fast` (`threads=2`) decodes faster than `off` on prose-48 with builtin-tiny.");
    sandbox.runner(&["check", &sound]).expect_code(0);
}

#[test]
fn each_value_of_a_condition_on_chunks_cuts_the_same_work_otherwise() {
    let sandbox = Sandbox::with_model();
    let condition = "[condition]\nsetting = \"chunk_tokens\"\nvalues = [4, 16, 8]\n\n[metric]";
    let changes = [
        ("chunk_tokens = 8\n", ""),
        ("[metric]", condition),
        ("rounds = 5", "rounds = 4"),
        ("blocks_per_round = 4", "blocks_per_round = 2"),
    ];
    let file = sandbox.manifest("chunks", &changes);
    sandbox.runner(&["check", &file]).expect_code(0);
    sandbox.runner(&["exec", "--register", &file]).expect_code(0);
    let rows = sandbox.samples("chunks");
    let decoded = rows.iter().filter(|row| row.work == Work::Decode);
    let mut chunks: BTreeMap<u32, BTreeSet<(u32, u32)>> = BTreeMap::new();
    let mut tokens: BTreeMap<(u32, &str, u32, u32), u32> = BTreeMap::new();
    for row in decoded {
        chunks.entry(row.condition).or_default().insert((row.chunk, row.tokens));
        *tokens.entry((row.condition, &row.arm, row.round, row.block)).or_default() += row.tokens;
    }
    let cut = |count: u32, length: u32| -> BTreeSet<(u32, u32)> {
        (0..count).map(|chunk| (chunk, length)).collect()
    };
    assert_eq!(chunks[&0], cut(4, 4));
    assert_eq!(chunks[&1], cut(1, 16));
    assert_eq!(chunks[&2], cut(2, 8));
    assert_eq!(tokens.len(), 3 * 3 * 4 * 2);
    assert!(tokens.values().all(|tokens| *tokens == 16), "{tokens:?}");
    sandbox.runner(&["record", "verify"]).expect_code(0);
}

#[test]
fn a_design_that_shows_too_little_is_a_warning_with_what_would_do() {
    let sandbox = Sandbox::new();
    let noisy = [("assumed_block_sd_percent = 1.0", "assumed_block_sd_percent = 12.0")];
    let file = sandbox.manifest("noisy", &noisy);
    let said = sandbox.runner(&["check", &file]).expect_code(0);
    assert!(said.out.contains("no faults"), "{said:?}");
    for text in [
        "warning[unreachable-design]: this design is unlikely to show what it is made for: level",
        "rounds = 5",
        "rounds would give 80 %",
        "1 warning",
    ] {
        assert!(said.err.contains(text), "{text:?} is missing: {}", said.err);
    }
    let json = sandbox.runner(&["check", &file, "--json"]).expect_code(0).json();
    let fault = &json[0]["faults"][0];
    assert_eq!(fault["severity"], "warning", "{json}");
    assert_eq!(fault["code"], "unreachable-design");
    assert_eq!(fault["line"], 42, "{json}");
    assert_eq!((&json[0]["errors"], &json[0]["warnings"]), (&0.into(), &1.into()));
    assert!(json[0]["manifest_hash"].is_string(), "it can be used: {json}");
    let two = sandbox.manifest("two", &[("rounds = 5", "rounds = 2")]);
    sandbox.runner(&["check", &two]).expect_code(0).expect_text("unreachable-design");
}

#[test]
fn a_claim_about_a_class_needs_inputs_drawn_from_it() {
    let sandbox = Sandbox::new();
    let class = ("input_scope = \"set\"", "input_scope = \"class\"");
    let filler = ("prose-48", "filler-48");
    let file = sandbox.manifest("filler", &[class, filler]);
    sandbox.runner(&["check", &file]).expect_code(2).expect_text("error[inputs-of-no-class]");
    let file = sandbox.manifest("prose", &[class]);
    sandbox.runner(&["check", &file]).expect_code(0);
    let set = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/experiments/workloads/filler-48.toml"
    ));
    sandbox.write("mine.toml", set.unwrap());
    let file = sandbox.manifest("copied", &[class, ("prose-48", "mine.toml")]);
    sandbox
        .runner(&["check", &file])
        .expect_code(2)
        .expect_text("texts made by one rule say nothing of a class of texts");
}
