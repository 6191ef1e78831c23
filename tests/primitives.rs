//! Primitives through the command line, with scripted rates.

mod sandbox;

use sandbox::Sandbox;
use sandbox::bounds::store_bounds;

/// One contiguous copy against the pieces that the engine really copies: 347 and 174 GB/s were seen.
const SCRIPT: &str = "\
seed = 7
[base]
noise_sd = 0.01
process_sd = 0.003
primitive = { bytes_per_second = 347_000_000_000, bytes_per_second_in_pieces = 174_000_000_000 }
";

/// `off` copies in one piece, `real` in the model's; the script's noise is that of the manifest.
const COPIES: [(&str, &str); 6] = [
    (
        "inputs = \"prose-48\"\nclass = \"dense_throughput\"\nprompt_tokens = 16\ndecode_tokens = 16\n",
        "primitive = \"copy\"\nrepetitions = 4\ndepth_tokens = 512\n",
    ),
    (
        "name = \"fast\"\nrole = \"treatment\"\nthreads = 2\ncontract.identical.of = \"tokens\"\n",
        "name = \"real\"\nrole = \"treatment\"\npieces = \"composition\"\n",
    ),
    ("primary = \"decode_tokens_per_second\"", "primary = \"bytes_per_second\""),
    ("chunk_tokens = 8\n", ""),
    ("title = \"Two threads against one\"", "title = \"One copy against the real ones\""),
    (
        "hypothesis = \"two threads decode 10 % faster or more\"",
        "hypothesis = \"the real copies are as fast as one\"",
    ),
];

fn sandbox(script: &str) -> Sandbox {
    let sandbox = Sandbox::with_model();
    sandbox.script(script);
    sandbox
}

fn with(more: &[(&'static str, &'static str)]) -> Vec<(&'static str, &'static str)> {
    COPIES.into_iter().chain(more.iter().copied()).collect()
}

#[test]
fn l09_one_contiguous_copy_says_nothing_of_the_real_pieces() {
    let sandbox = sandbox(SCRIPT);
    let judged = sandbox.judge("copy-pieces", &COPIES);
    judged.expect("real", "loss", "below_margin");
    assert_eq!(judged.code, 0);
    let comparison = judged.comparison("real");
    assert_eq!(comparison["metric"], "bytes_per_second");
    // in GB/s, of bytes that the worker counted
    for (side, rate) in [("off", 347.0), ("treatment", 174.0)] {
        let median = comparison[side]["median"].as_f64().unwrap();
        assert!((median / rate - 1.0).abs() < 0.03, "{side}: {median}");
    }

    // both sides did the same work, cut in two ways; each says which
    let all = judged.facts()["primitives"].as_array().unwrap();
    let of = |arm: &str| all.iter().find(|one| one["arm"] == arm).unwrap();
    assert_eq!(
        (&of("off")["pieces"], &of("real")["pieces"]),
        (&"one".into(), &"composition".into())
    );
    assert_eq!(of("off")["bytes_moved"], of("real")["bytes_moved"]);
    let counted = judged.facts()["engagement"].as_array().unwrap();
    let copies = |arm: &str| {
        let found = counted.iter().find(|one| one["arm"] == arm).unwrap();
        found["operations"][0]["count"].as_u64().unwrap()
    };
    assert_eq!(copies("off"), 1);
    assert!(copies("real") > 1);

    // no sentence gives the one's figure to the other
    let claim = comparison["claim"].as_str().unwrap();
    for words in [
        "`real` copies",
        "`real`: composition, ",
        "the model's real sizes",
        "`off`: primitive, one contiguous copy of ",
        "says nothing of the composition",
    ] {
        assert!(claim.contains(words), "{words:?} is missing: {claim}");
    }
    let run = sandbox.runs("copy-pieces").pop().unwrap();
    let read = |file: &str| {
        std::fs::read_to_string(sandbox.path(&format!("results/copy-pieces/{run}/{file}"))).unwrap()
    };
    let provenance = read("provenance.toml");
    assert!(provenance.contains("[regime.primitives]"), "{provenance}");
    assert!(provenance.contains("off = \"primitive, one contiguous copy of "), "{provenance}");
    assert!(provenance.contains("real = \"composition, "), "{provenance}");
    let table = read("table.md");
    assert!(table.contains("## What the figures speak of"), "{table}");
    assert!(table.contains("GB/s"), "{table}");
    sandbox.runner(&["record", "verify"]).expect_code(0);
    sandbox
        .runner(&["show", "copy-pieces"])
        .expect_code(0)
        .expect_text("what the figures speak of");
    // a block is one sample an arm, whole, of so many repetitions
    let rows = sandbox.samples("copy-pieces");
    assert_eq!(rows.len(), 5 * 4 * 3);
    assert!(rows.iter().all(|row| row.work == sample_table::Work::Primitive && row.tokens == 4));
}

#[test]
fn l05_a_copy_faster_than_memory_is_void_with_both_numbers() {
    let sandbox = sandbox(SCRIPT);
    store_bounds(&sandbox, 400e9, 1e15);
    let judged = sandbox.judge("within", &COPIES);
    judged.expect("real", "loss", "below_margin");
    let bounds = judged.analysis()["bounds"].as_array().unwrap();
    assert_eq!(bounds.len(), 3, "copies compute nothing: {bounds:?}");
    assert!(bounds.iter().all(|one| one["bound"] == "moved_bytes" && one["state"] == "within"));

    // 347 GB/s where memory was seen to move 40
    store_bounds(&sandbox, 40e9, 1e15);
    let again = with(&[("prior_access = \"none\"", "prior_access = \"seen\"")]);
    let judged = sandbox.judge("beyond", &again);
    let reason = judged.expect("real", "void", "bound_passed").to_owned();
    assert_eq!(judged.code, 4);
    assert!(reason.contains("`one-piece`") || reason.contains("`off`"), "{reason}");
    assert!(reason.contains("would have read and written 3"), "{reason}");
    assert!(reason.contains("a repetition"), "{reason}");
    assert!(reason.contains("40.0 GB/s") && reason.contains("50.0 GB/s"), "{reason}");
    assert!(judged.ratio("real").is_some(), "the numbers are kept");
    sandbox.runner(&["record", "verify"]).expect_code(0);
}

#[test]
fn l09_a_registered_wording_cannot_hide_the_regime() {
    let sandbox = sandbox(SCRIPT);
    let worded = with(&[(
        "[noise]\n",
        "[claim]\nloss = \"Copies run at half the speed of memory.\"\n\n[noise]\n",
    )]);
    let judged = sandbox.judge("worded", &worded);
    let claim = judged.comparison("real")["claim"].as_str().unwrap();
    assert!(claim.starts_with("Copies run at half the speed of memory ("), "{claim}");
    assert!(claim.contains("`off`: primitive, one contiguous copy"), "{claim}");
    assert!(claim.contains("`real`: composition"), "{claim}");
}

#[test]
fn a_worker_that_does_not_know_the_message_is_refused_and_nothing_is_measured() {
    let sandbox = sandbox(&format!("{SCRIPT}unknown = [\"primitive\"]\n"));
    let said = sandbox.refused("old-worker", &COPIES);
    assert!(said.contains("does not know the message `primitive`"), "{said}");
    assert!(said.contains("arm `off`"), "{said}");
    assert!(said.contains("docs/primitives.md"), "{said}");
}

#[test]
fn zero_bytes_are_refused_where_they_are_written() {
    let sandbox = sandbox(SCRIPT);
    for (id, depth) in [("zero", "depth_tokens = 0\n"), ("absent", "")] {
        let none = with(&[("depth_tokens = 512\n", depth)]);
        let file = sandbox.manifest(id, &none);
        sandbox
            .runner(&["check", &file])
            .expect_code(2)
            .expect_text("over 0 cells nothing is computed");
    }
}

#[test]
fn a_worker_that_moves_no_byte_or_leaves_pieces_out_measures_nothing() {
    for (id, fault, words) in [
        ("no-byte", "bytes_off_in_pieces = -1_000_000_000", "moved no byte"),
        ("left-out", "pieces_off_by = -1", "pieces of a primitive"),
    ] {
        let sandbox = sandbox(&format!("[base]\nprimitive = {{ {fault} }}\n"));
        let said = sandbox.refused(id, &COPIES);
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn counts_that_differ_between_the_arms_or_change_while_timed_void() {
    let script = |fault: &str| {
        format!(
            "[base]\nnoise_sd = 0.01\nprimitive = {{ bytes_per_second_in_pieces = 2_000_000_000, {fault} }}\n"
        )
    };
    let judged = sandbox(&script("bytes_off_in_pieces = -64")).judge("unequal", &COPIES);
    judged.expect("real", "void", "unequal_work");
    assert_eq!(judged.code, 4);
    // the same in the middle of a run: off ends, and with it the run
    let sandbox = sandbox(&script("bytes_off_by = 64"));
    let file = sandbox.manifest("changing", &COPIES);
    let said = sandbox.runner(&["--json", "exec", "--register", &file]);
    assert_eq!(said.code, 5, "{said:?}");
    let json = said.json();
    let text = json["record"]["facts"]["end"].to_string();
    assert!(text.contains("a repetition moved"), "{text}");
}

#[test]
fn a_figure_that_no_memory_has_is_outside_the_support() {
    // two thousand TB/s, over pieces that are large enough for the timer
    let script = "[base]\nnoise_sd = 0.01\nprimitive = { bytes_per_second = 2_000_000_000_000_000, bytes_per_second_in_pieces = 2_000_000_000_000_000 }\n";
    let large = with(&[
        ("context_tokens = 1024", "context_tokens = 131072"),
        ("depth_tokens = 512", "depth_tokens = 100000"),
    ]);
    let judged = sandbox(script).judge("too-fast", &large);
    judged.expect("real", "void", "outside_support");
}

#[test]
fn what_belongs_to_texts_is_refused_with_its_place() {
    let sandbox = sandbox(SCRIPT);
    for (index, (more, words)) in [
        (
            ("primitive = \"copy\"\n", "primitive = \"copy\"\ninputs = \"prose-48\"\n"),
            "`inputs` belongs to work on texts",
        ),
        (("repetitions = 4\n", ""), "needs `repetitions`"),
        (("repetitions = 4\n", "repetitions = 4\nbatch = 1\n"), "`batch` says nothing"),
        (
            (
                "pieces = \"composition\"\n",
                "pieces = \"composition\"\ncontract.identical.of = \"tokens\"\n",
            ),
            "no output to make a promise of",
        ),
        (
            ("pieces = \"composition\"\n", "pieces = \"composition\"\nflash_attention = \"on\"\n"),
            "`flash_attention` changes nothing of a primitive",
        ),
        (("pieces = \"composition\"\n", ""), "does the same as `off`"),
        (
            ("primary = \"bytes_per_second\"", "primary = \"decode_tokens_per_second\""),
            "cannot be the primary metric of copy work",
        ),
        (("input_scope = \"set\"", "input_scope = \"class\""), "buffers are a sample of no class"),
    ]
    .into_iter()
    .enumerate()
    {
        let file = sandbox.manifest(&format!("wrong-{index}"), &with(&[more]));
        sandbox.runner(&["check", &file]).expect_code(2).expect_text(words);
    }
    // and the other way round
    let pieces = [("threads = 2\n", "threads = 2\npieces = \"composition\"\n")];
    let file = sandbox.manifest("pieces-of-text", &pieces);
    sandbox.runner(&["check", &file]).expect_code(2).expect_text("`pieces` belongs to primitives");
}

#[test]
fn products_and_attention_are_judged_by_their_arithmetic() {
    let sandbox = sandbox(SCRIPT);
    for (id, work) in [
        (
            "products",
            "primitive = \"matrix_product\"\nweight_type = \"q8_0\"\nbatch = 2\nrepetitions = 4\n",
        ),
        (
            "attention",
            "primitive = \"attention\"\nbatch = 1\nrepetitions = 4\ndepth_tokens = 512\n",
        ),
    ] {
        let more = with(&[
            ("primitive = \"copy\"\nrepetitions = 4\ndepth_tokens = 512\n", work),
            (
                "primary = \"bytes_per_second\"",
                "primary = \"operations_per_second\"\nsecondary = [\"bytes_per_second\"]",
            ),
        ]);
        let judged = sandbox.judge(id, &more);
        judged.expect("real", "loss", "below_margin");
        let comparison = judged.comparison("real");
        assert!(comparison["claim"].as_str().unwrap().starts_with("`real` computes "));
        let run = sandbox.runs(id).pop().unwrap();
        let table = std::fs::read_to_string(sandbox.path(&format!("results/{id}/{run}/table.md")));
        let table = table.unwrap();
        assert!(table.contains("Gop/s") && table.contains("GB/s"), "{table}");
    }
}

#[test]
fn a_depth_at_each_value_is_a_composition_of_its_own() {
    let sandbox = sandbox(SCRIPT);
    let varied = with(&[(
        "[metric]\n",
        "[condition]\nsetting = \"depth_tokens\"\nvalues = [256, 512]\n\n[metric]\n",
    )]);
    let judged = sandbox.judge("depths", &varied);
    let all = judged.facts()["primitives"].as_array().unwrap();
    assert_eq!(all.len(), 3 * 2);
    let bytes = |condition: u64| {
        let one = all.iter().find(|one| one["arm"] == "real" && one["condition"] == condition);
        one.unwrap()["bytes_moved"].as_u64().unwrap()
    };
    assert_eq!(2 * bytes(0), bytes(1));
}

#[test]
fn the_template_is_right_and_can_be_planned() {
    let sandbox = sandbox(SCRIPT);
    sandbox.runner(&["new", "my-copies", "--template", "primitive"]).expect_code(0);
    sandbox.runner(&["check", "experiments/my-copies.toml"]).expect_code(0);
    let file = sandbox.manifest("planned", &COPIES);
    sandbox
        .runner(&["plan", &file])
        .expect_code(0)
        .expect_text("off: one contiguous copy of ")
        .expect_text("real: ");
}
