//! Slices of a model and the whole of it, from the manifest to the report, through the command line.

mod sandbox;

use sandbox::{Sandbox, fake_worker};

/// On the first 2 of 4 layers two threads are 3.11 times as fast as one; on the whole 1.52 times.
const TWO_REGIMES: &str = "\
seed = 7
[base]
decode_nanoseconds_per_token = 1_000_000
noise_sd = 0.01
process_sd = 0.003
[[when]]
settings = { threads = 2 }
decode_nanoseconds_per_token = 657_895
[[when]]
model = \"-2.gguf\"
decode_nanoseconds_per_token = 622_000
[[when]]
model = \"-2.gguf\"
settings = { threads = 2 }
decode_nanoseconds_per_token = 200_000
";

const SLICED: (&str, &str) = ("context_tokens = 1024", "context_tokens = 1024\nlayers = 2");
const PREDICTS: (&str, &str) = ("[engine]", "[regime]\npredicts = \"the-whole\"\n\n[engine]");

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::with_model();
    sandbox.script(TWO_REGIMES);
    sandbox
}

/// What a command says, on one line: tables and wrapped lines are put together.
fn flat(sandbox: &Sandbox, arguments: &[&str]) -> String {
    let said = sandbox.runner(arguments).expect_code(0).out;
    said.split_whitespace().collect::<Vec<_>>().join(" ").replace("\\_", "_").replace("\\`", "`")
}

/// The slices in the cache, or their descriptions.
fn slices(sandbox: &Sandbox, ending: &str) -> Vec<String> {
    let mut files = sandbox.files(".cache/models/slices");
    files.retain(|file| file.ends_with(ending));
    files
}

#[test]
fn l23_a_slice_predicts_and_the_whole_model_gives_something_else() {
    let sandbox = sandbox();
    let slice = sandbox.judge("the-slice", &[SLICED, PREDICTS]);
    slice.expect("fast", "win", "above_margin");
    assert!((slice.ratio("fast").unwrap() / 3.11 - 1.0).abs() < 0.02);
    let claim = slice.comparison("fast")["claim"].as_str().unwrap();
    assert!(claim.contains("with builtin-tiny on the first 2 of 4 layers (95 %"), "{claim}");
    let alone = "says nothing of the whole model: no record measures it (`the-whole` has no \
                 finished run)";
    for command in ["report", "show"] {
        let said = flat(&sandbox, &[command, "the-slice"]);
        assert!(said.contains(alone), "{said}");
    }

    let whole = sandbox.judge("the-whole", &[]);
    whole.expect("fast", "win", "above_margin");
    assert!((whole.ratio("fast").unwrap() / 1.52 - 1.0).abs() < 0.02);
    let claim = whole.comparison("fast")["claim"].as_str().unwrap();
    assert!(!claim.contains("layers"), "{claim}");
    let run = |id: &str| sandbox.runs(id).pop().unwrap();
    for id in ["the-slice", "the-whole"] {
        for command in ["report", "show"] {
            let said = flat(&sandbox, &[command, id]);
            for text in [
                "fast: the slice of 2 of 4 layers predicted 3.1",
                &format!("(win: above_margin) in the-slice/{}", run("the-slice")),
                "the whole model gave 1.5",
                &format!("(win: above_margin) in the-whole/{}", run("the-whole")),
                "times the whole's, and their intervals do not meet",
            ] {
                assert!(said.contains(text), "{command} {id}: {text:?} is missing in\n{said}");
            }
            assert!(!said.contains("differ in more than layers"), "{said}");
        }
        let json = sandbox.runner(&["--json", "show", id]).expect_code(0).json();
        let pair = &json["slice_and_whole"]["pairs"][0];
        let apart = pair["slice_over_whole"].as_f64().unwrap();
        assert!((apart / (3.11 / 1.52) - 1.0).abs() < 0.03, "{pair}");
    }
    let listed = sandbox.runner(&["--json", "list"]).expect_code(0).json();
    let extents = [&listed["results"][0]["extent"], &listed["results"][1]["extent"]];
    assert_eq!(extents, ["slice of 2 of 4 layers", "whole_model"]);
    let listed = flat(&sandbox, &["list"]);
    assert!(listed.contains("slice of 2"), "{listed}");
    sandbox.runner(&["report"]).expect_code(0);
    let index = std::fs::read_to_string(sandbox.path("results/INDEX.md")).unwrap();
    assert!(index.contains("fast (slice of 2 of 4 layers)"), "{index}");
    sandbox.runner(&["record", "verify"]).expect_code(0).expect_text("2 records verified");
}

#[test]
fn l23_what_is_registered_loaded_and_stored_of_a_slice() {
    let sandbox = sandbox();
    let file = sandbox.manifest("stored", &[SLICED]);
    let plan = sandbox.runner(&["--json", "plan", &file]).expect_code(0).json();
    let length = std::fs::metadata(sandbox.path(&slices(&sandbox, ".gguf")[0])).unwrap().len();
    assert_eq!(plan["weights_bytes"], 3 * length);
    assert!(length < 3_791_200, "{length}");
    sandbox
        .runner(&["plan", &file])
        .expect_code(0)
        .expect_text("extent      slice of 2 of 4 layers in every arm");
    sandbox.runner(&["register", &file]).expect_code(0);
    sandbox.runner(&["exec", &file]).expect_code(0).expect_text("win");
    let json = sandbox.runner(&["--json", "show", "stored"]).expect_code(0).json();
    let provenance = &json["provenance"];
    assert_eq!(provenance["regime"]["extent"], "slice of 2 of 4 layers");
    let slice = &provenance["slices"][0];
    assert_eq!(slice["arms"], serde_json::json!(["off", "off-again", "fast"]));
    assert_eq!((&slice["layers"], &slice["of_layers"]), (&2.into(), &4.into()));
    assert_eq!(slice["cut_from_sha256"], provenance["model"]["sha256"]);
    let memory = &json["record"]["facts"]["memory"][0]["buffers"][0]["bytes"];
    assert_eq!(memory, &serde_json::json!(length));
    let said = flat(&sandbox, &["report", "stored"]);
    assert!(said.contains("says nothing of the whole model: no record measures it"), "{said}");
    assert!(said.contains("extent: slice of 2 of 4 layers"), "{said}");
}

#[test]
fn l23_layers_are_skipped_by_ceilings_and_controls_alone() {
    let sandbox = sandbox();
    let fewer = [("threads = 2\n", "layers = 2\n")];
    let file = sandbox.manifest("skips", &fewer);
    sandbox.refuses(&["check", &file], 2).expect_text("layers-differ");
    sandbox.refuses(&["exec", "--register", &file], 2).expect_text("no speed-up");
    let beside = (
        "[metric]",
        "[[arm]]\nname = \"less\"\nrole = \"ceiling\"\nthreads = 2\nlayers = 2\n\n[metric]",
    );
    let judged = sandbox.judge("beside", &[beside]);
    judged.expect("fast", "win", "above_margin");
    let json = sandbox.runner(&["--json", "show", "beside"]).expect_code(0).json();
    let described = json["record"]["analysis"]["described"][0]["claim"].as_str().unwrap();
    let words = "on the first 2 of 4 layers against the whole model was described, not judged";
    assert!(described.contains(words), "{described}");
    let regime = &json["provenance"]["regime"];
    assert_eq!(regime["extent"], "whole_model");
    assert_eq!(regime["extent_by_arm"]["less"], "slice of 2 of 4 layers");
    let whole = [SLICED, ("[engine]", "[regime]\nclaims = \"whole_model\"\n\n[engine]")];
    let file = sandbox.manifest("claims", &whole);
    sandbox.refuses(&["check", &file], 2).expect_text("claim-outside-regime");
}

#[test]
fn l23_an_engine_that_does_not_load_the_slice_is_refused() {
    let sandbox = sandbox();
    sandbox.script(&TWO_REGIMES.replace("[base]\n", "[base]\nlayers = 4\n"));
    let said = sandbox.refused("ignored", &[SLICED]);
    assert!(said.contains("has loaded 4 layers, and the manifest names 2"), "{said}");
    // the whole model has a number of its own, which nobody named
    sandbox.judge("not-named", &[]).expect("fast", "win", "above_margin");
}

#[test]
fn a_slice_has_fewer_layers_than_the_model() {
    let sandbox = sandbox();
    for layers in ["4", "30"] {
        let layers = format!("context_tokens = 1024\nlayers = {layers}");
        let file = sandbox.manifest("too-many", &[(SLICED.0, &layers)]);
        sandbox.refuses(&["check", &file], 0);
        for command in ["plan", "register"] {
            sandbox.refuses(&[command, &file], 3).expect_text("the model has 4 layers");
        }
    }
}

#[test]
fn a_slice_that_was_changed_is_not_used_and_one_without_description_is_made_anew() {
    let sandbox = sandbox();
    let file = sandbox.manifest("changed", &[SLICED]);
    sandbox.runner(&["register", &file]).expect_code(0);
    let gguf = slices(&sandbox, ".gguf").pop().unwrap();
    let description = slices(&sandbox, ".toml").pop().unwrap();
    let good = std::fs::read(sandbox.path(&gguf)).unwrap();
    let mut bad = good.clone();
    *bad.last_mut().unwrap() ^= 1;
    sandbox.write(&gguf, &bad);
    for command in ["plan", "register", "exec"] {
        sandbox
            .refuses(&[command, &file], 3)
            .expect_text("the slice's file was changed since it was made")
            .expect_text("take ");
    }
    // a slice of another file, whole in itself
    sandbox.write(&gguf, &good);
    let text = std::fs::read_to_string(sandbox.path(&description)).unwrap();
    for (from, to) in [("schema = 1", "schema = 2"), ("layers = 2", "layers = 3"), ("sha256", "sh")]
    {
        sandbox.write(&description, text.replacen(from, to, 1));
        sandbox.refuses(&["exec", &file], 3).expect_text("take ");
    }
    std::fs::remove_file(sandbox.path(&description)).unwrap();
    sandbox.write(&gguf, &bad);
    sandbox.runner(&["exec", &file]).expect_code(0).expect_text("win");
    assert_eq!(std::fs::read(sandbox.path(&gguf)).unwrap(), good);
    assert_eq!(std::fs::read_to_string(sandbox.path(&description)).unwrap(), text);
}

#[test]
fn a_drafters_slice_is_held_against_its_description_too() {
    let sandbox = Sandbox::with_model();
    sandbox.script(&format!("{}accepts = [2]\n", TWO_REGIMES.split("[[when]]").next().unwrap()));
    let drafts = [
        ("class = \"dense_throughput\"", "class = \"speculation\""),
        ("threads = 2\n", "draft_source = \"self_slice\"\ndraft_layers = 1\ndraft_tokens = 4\n"),
    ];
    let file = sandbox.manifest("drafts", &drafts);
    sandbox.runner(&["register", &file]).expect_code(0);
    let gguf = slices(&sandbox, "-1.gguf").pop().unwrap();
    let mut bytes = std::fs::read(sandbox.path(&gguf)).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    sandbox.write(&gguf, &bytes);
    sandbox
        .refuses(&["exec", &file], 3)
        .expect_text("the drafter of arm `fast`: the slice's file was changed");
}

#[test]
fn a_slice_of_a_form_is_cut_from_the_form() {
    let sandbox = sandbox();
    let formed = ("context_tokens = 1024", "context_tokens = 1024\nform = \"q8_0\"\nlayers = 2");
    let file = sandbox.manifest("formed", &[formed]);
    sandbox
        .runner(&["plan", &file])
        .expect_code(0)
        .expect_text("runner model forms builtin-tiny --make q8_0")
        .expect_text("a slice of a form that is not made yet");
    sandbox.refuses(&["register", &file], 3).expect_text("not made yet: q8_0");
    let worker = fake_worker();
    let make = ["model", "forms", "builtin-tiny", "--make", "q8_0", "--worker", &worker];
    sandbox.runner(&make).expect_code(0);
    let judged = sandbox.judge("formed", &[formed]);
    let claim = judged.comparison("fast")["claim"].as_str().unwrap();
    let words = "on the first 2 of 4 layers as Q8_0 (quantised from F16) (95 %";
    assert!(claim.contains(words), "{claim}");
    let json = sandbox.runner(&["--json", "show", "formed"]).expect_code(0).json();
    let cut_from = &json["provenance"]["slices"][0]["cut_from_sha256"];
    assert_eq!(cut_from, &json["provenance"]["forms"][0]["sha256"]);
}

#[test]
fn l22_a_verdict_about_one_drafter_is_not_one_about_another() {
    let sandbox = Sandbox::with_model();
    sandbox.script(&format!("{}accepts = [2]\n", TWO_REGIMES.split("[[when]]").next().unwrap()));
    let speculation = ("class = \"dense_throughput\"", "class = \"speculation\"");
    let lookup = ("threads = 2\n", "draft_source = \"prompt_lookup\"\ndraft_tokens = 4\n");
    let judged = sandbox.judge("by-lookup", &[speculation, lookup]);
    assert!(judged.code == 0);
    let run = sandbox.runs("by-lookup").pop().unwrap();
    let cites = format!(
        "[[prior_art]]\nrecord = \"by-lookup/{run}\"\nscope = \"drafting pays\"\n\n[engine]"
    );
    let cites = ("[engine]", cites.as_str());
    let slice =
        ("threads = 2\n", "draft_source = \"self_slice\"\ndraft_layers = 2\ndraft_tokens = 4\n");
    let file = sandbox.manifest("by-slice", &[speculation, slice, cites]);
    let said = sandbox.refuses(&["check", &file], 0).expect_texts(&[
        "warning[other-scope]",
        &format!("`by-lookup/{run}` speaks of another scope"),
        "draft_source=prompt_lookup",
        "draft_source=self_slice",
    ]);
    assert!(said.err.contains("claim no more of it here"), "{}", said.err);
    // the same drafter again
    let file = sandbox.manifest("again", &[speculation, lookup, cites]);
    let said = sandbox.refuses(&["check", &file], 0);
    assert!(!said.err.contains("other-scope"), "{}", said.err);
    // and what is not here
    let file = sandbox.manifest("none", &[("[engine]", &cites.1.replace("by-lookup", "no-such"))]);
    sandbox.refuses(&["check", &file], 0).expect_text("warning[unknown-record]");
}

#[test]
fn l22_a_slices_record_is_cited_with_both_scopes() {
    let sandbox = sandbox();
    sandbox.judge("on-two", &[SLICED]);
    let run = sandbox.runs("on-two").pop().unwrap();
    let cites = format!(
        "[[prior_art]]\nrecord = \"on-two/{run}\"\nscope = \"two threads win\"\n\n[engine]"
    );
    let file = sandbox.manifest("whole", &[("[engine]", &cites)]);
    sandbox
        .refuses(&["check", &file], 0)
        .expect_text("speaks of another scope: layers the first 2 there, all here");
}
