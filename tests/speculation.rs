//! Speculative decoding through the command line, with scripted drafts.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod sandbox;

use sandbox::Sandbox;
use sandbox::judged::Judged;

/// An evaluation takes a millisecond whatever its width; drafts accept 2, 0 and 4 tokens in turn.
const SCRIPT: &str = "\
seed = 7
[base]
decode_nanoseconds_per_token = 1_000_000
noise_sd = 0.01
process_sd = 0.003
accepts = [2, 0, 4]
";

/// `fast` drafts four tokens by prompt lookup, `full-width` keeps none of as many.
const DRAFTS: [(&str, &str); 4] = [
    ("class = \"dense_throughput\"", "class = \"speculation\""),
    (
        "threads = 2\n",
        "draft_source = \"prompt_lookup\"\ndraft_tokens = 4\nexpect.accepted_tokens.at_least = 1\n",
    ),
    (
        "[metric]\n",
        "[[arm]]\nname = \"full-width\"\nrole = \"control\"\ndraft_source = \"prompt_lookup\"\n\
         draft_tokens = 4\ndraft_acceptance = \"nothing\"\n\n[metric]\n",
    ),
    ("decode_tokens = 16", "decode_tokens = 32"),
];

fn sandbox(behaviour: &str) -> Sandbox {
    let sandbox = Sandbox::with_model();
    sandbox.script(&format!("{SCRIPT}{behaviour}"));
    sandbox
}

fn judge(behaviour: &str, id: &str) -> Judged {
    sandbox(behaviour).judge(id, &DRAFTS)
}

/// Behaviour of arms that keep drafts, and of controls.
const OF_FAST: &str = "[[when]]\nsettings = { draft_source = \"prompt_lookup\" }\n";
const OF_CONTROL: &str = "[[when]]\nsettings = { draft_acceptance = \"nothing\" }\n";

fn drafts<'a>(judged: &'a Judged, arm: &str) -> &'a serde_json::Value {
    let all = judged.facts()["speculation"].as_array().unwrap();
    all.iter().find(|one| one["arm"] == arm).unwrap()
}

#[test]
fn sound_drafts_win_and_every_token_is_counted_once() {
    let sandbox = sandbox("");
    let judged = sandbox.judge("sound", &DRAFTS);
    judged.expect("fast", "win", "above_margin");
    assert_eq!(judged.code, 0);
    // nine tokens in three evaluations, in the long run
    let ratio = judged.ratio("fast").unwrap();
    assert!((2.0..3.5).contains(&ratio), "{ratio}");

    let fast = drafts(&judged, "fast");
    let number = |value: &serde_json::Value| value.as_u64().unwrap();
    let sum =
        |list: &serde_json::Value| -> u64 { list.as_array().unwrap().iter().map(number).sum() };
    let counts = &fast["counts"];
    let kept = number(&fast["kept_tokens"]);
    assert_eq!(kept, number(&counts["evaluations"]) + sum(&counts["accepted_by_position"]));
    // the samples say the same: what was kept, and nothing twice
    let rows = sandbox.samples("sound");
    let timed = |arm: &str| -> u64 {
        rows.iter()
            .filter(|row| row.arm == arm && row.work == sample_table::Work::Decode)
            .map(|row| u64::from(row.tokens))
            .sum()
    };
    assert_eq!(timed("fast"), kept);
    assert_eq!(timed("off"), 5 * 4 * 32);
    // a block goes at most one draft beyond
    assert!((timed("off")..=timed("off") + 5 * 4 * 4).contains(&kept), "{kept}");
    // the control evaluates five for each one that it keeps
    let control = drafts(&judged, "full-width");
    assert_eq!(number(&control["kept_tokens"]), 5 * 4 * 32);
    assert_eq!(number(&control["counts"]["evaluated_tokens"]), 5 * 4 * 32 * 5);

    let shown = sandbox.runner(&["show", "sound"]).expect_code(0).out;
    for text in [
        "rollback exact, batching exact",
        "what became of drafts",
        "this program's own prompt lookup",
    ] {
        let flat = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(text), "{text:?} is missing:\n{shown}");
    }
    let json = sandbox.runner(&["--json", "show", "sound"]).expect_code(0).json();
    let speculation = &json["figures"]["speculation"];
    assert_eq!(speculation["isolation"][0]["isolation"], "both_exact");
    let places = speculation["drafts"][0]["acceptance_by_position"].as_array().unwrap();
    assert_eq!(places.len(), 4);
    let run = sandbox.runs("sound").pop().unwrap();
    let table = std::fs::read_to_string(sandbox.path(&format!("results/sound/{run}/table.md")));
    assert!(table.unwrap().contains("## What became of drafts, while timed"));
    sandbox.runner(&["record", "verify"]).expect_code(0);
}

#[test]
fn a_rollback_that_leaves_a_rejected_token_is_caught_and_placed() {
    let sandbox = sandbox(&format!(
        "{OF_FAST}rollback_leaves_token = true\n{OF_CONTROL}rollback_leaves_token = false\n"
    ));
    let judged = sandbox.judge("left-over", &DRAFTS);
    let reason = judged.expect("fast", "void", "contract_broken");
    assert_eq!(judged.code, 4);
    let place = judged.contract("fast")["first_divergence"].as_str().unwrap();
    assert!(reason.contains(place), "{reason}");
    // chosen are: after the prompt, after the untimed token, then 3 by the first verification
    assert!(place.contains("position 5: token "), "{place}");
    assert!(judged.ratio("fast").is_some(), "the numbers are kept");
    // asked for logits a worker drafts nothing, so the arm's say nothing of its batches
    assert!(reason.contains("logits asked of it are those of plain decoding"), "{reason}");
    let figures = judged.contract("fast")["figures"].as_array().unwrap();
    let figure = |name: &str| &figures.iter().find(|one| one["name"] == name).unwrap()["value"];
    assert!(figure("fork_margin_off").is_number() && figure("fork_margin_arm").is_null());
    let shown = sandbox.runner(&["show", "left-over"]).expect_code(0).out;
    let flat = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("fast: the arm parts and batches whose drafts are all rejected do not"));
    assert!(!flat.contains("rollback broken"), "{shown}");
}

#[test]
fn a_control_that_parts_voids_nothing_and_isolates_the_batch() {
    let sandbox = sandbox(&format!("{OF_CONTROL}diverge_from_position = 20\n"));
    let judged = sandbox.judge("batching", &DRAFTS);
    judged.expect("fast", "win", "above_margin");
    assert_eq!(judged.code, 0);
    let found = &judged.facts()["draft_controls"][0];
    assert_eq!((&found["arm"], &found["state"]), (&"full-width".into(), &"broken".into()));
    let shown = sandbox.runner(&["show", "batching"]).expect_code(0).out;
    let flat = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("fast: rollback exact, batching not"), "{shown}");
    assert!(flat.contains("voids nothing"), "{shown}");
}

/// What the record says of `fast` and its control.
#[track_caller]
fn isolation(behaviour: &str, id: &str, replaced: &[(&str, &str)]) -> (String, String) {
    let sandbox = sandbox(behaviour);
    let all: Vec<(&str, &str)> = DRAFTS.iter().chain(replaced).copied().collect();
    sandbox.judge(id, &all);
    let json = sandbox.runner(&["--json", "show", id]).expect_code(0).json();
    let said = &json["figures"]["speculation"]["isolation"][0];
    let text = |key: &str| said[key].as_str().unwrap().to_owned();
    (text("isolation"), text("sentence"))
}

/// The control has batches of three, `fast` of up to five.
const NARROW_CONTROL: (&str, &str) = (
    "draft_tokens = 4\ndraft_acceptance = \"nothing\"",
    "draft_tokens = 2\ndraft_acceptance = \"nothing\"",
);

#[test]
fn a_fault_of_the_rollback_in_arm_and_control_is_never_laid_to_batching() {
    // as in a real engine: one rollback serves both
    let fault = format!("{OF_FAST}rollback_leaves_token = true\n");
    assert_eq!(isolation(&fault, "both", &[]).0, "undecided");
    // where the arm's drafts are all rejected, both part at one place with one token
    let same = format!("{fault}accepts = []\n");
    let (said, sentence) = isolation(&same, "one-place", &[]);
    assert_eq!(said, "undecided", "{sentence}");
    assert!(sentence.contains("undecided: rollback or batching"), "{sentence}");
    let widths = "in batches of up to 5 it parts from off";
    let (said, sentence) = isolation(&same, "two-widths", &[NARROW_CONTROL]);
    assert_eq!(said, "undecided", "{sentence}");
    assert!(sentence.contains(widths) && sentence.contains("each batch of 3"), "{sentence}");
}

#[test]
fn batches_that_part_at_a_near_tie_are_told_from_a_rollback() {
    let part = format!("near_tie = true\n{OF_FAST}diverge_from_position = 20\n");
    let (said, sentence) = isolation(&part, "near-tie", &[]);
    assert_eq!(said, "batching_not_as_seen", "{sentence}");
    assert!(sentence.contains("no fault of the rollback seen"), "{sentence}");
    // the same place and token far from a tie
    let far = format!("{OF_FAST}diverge_from_position = 20\n");
    let (said, sentence) = isolation(&far, "no-tie", &[]);
    assert_eq!(said, "undecided", "{sentence}");
}

#[test]
fn a_control_that_is_wider_than_the_arm_says_nothing_of_its_batches() {
    let control = format!("{OF_CONTROL}diverge_from_position = 20\n");
    let wide = NARROW_CONTROL.1.replace('2', "6");
    let (said, sentence) = isolation(&control, "wider", &[(NARROW_CONTROL.0, &wide)]);
    assert_eq!(said, "wider_control_not", "{sentence}");
    assert!(sentence.contains("in batches of up to 5 it puts out what off does"), "{sentence}");
    assert!(sentence.contains("each batch of 7"), "{sentence}");
    assert_eq!(isolation(&control, "narrower", &[NARROW_CONTROL]).0, "batching_not");
}

#[test]
fn drafts_that_are_never_accepted_were_not_applied() {
    let judged = judge(&format!("{OF_FAST}accepts = []\n"), "idle");
    let reason = judged.expect("fast", "void", "treatment_not_applied");
    assert!(reason.contains("accepted 0 drafted tokens"), "{reason}");
    assert_eq!(judged.code, 4);
}

#[test]
fn a_token_that_is_counted_twice_ends_the_arm() {
    for (id, behaviour, said) in [
        ("end-twice", "end_of_text_twice = true", "chosen tokens"),
        ("one-more", "tokens_off_by = 1", "timed tokens"),
        ("accepted", "accepted_off_by = 1", "tokens kept"),
    ] {
        let sandbox = sandbox(&format!(
            "{OF_FAST}{behaviour}\n{OF_CONTROL}end_of_text_twice = false\ntokens_off_by = 0\naccepted_off_by = 0\n"
        ));
        let file = sandbox.manifest(id, &DRAFTS);
        let refused = sandbox.runner(&["exec", "--register", &file]).expect_code(3).err;
        assert!(refused.contains("arm `fast`"), "{refused}");
        assert!(refused.contains("it reports"), "{refused}");
        assert!(refused.contains(said), "{refused}");
    }
}

#[test]
fn widths_that_are_not_those_of_the_drafts_end_the_arm() {
    // the control drafts too: what is scripted for `fast` is taken back for it
    let sound = format!("{OF_CONTROL}width_off_by = 0\ndrafted_off_by = 0\n");
    let of_fast = |behaviour: &str| format!("{OF_FAST}{behaviour}\n{sound}");
    for (id, behaviour, said) in [
        ("narrow", "width_off_by = -1", "evaluations and drafted tokens"),
        ("wide", "width_off_by = 1", "a batch of 6 tokens"),
        ("many", "drafted_off_by = 1", "drafted at place 1 of the draft"),
    ] {
        let refused = sandbox(&of_fast(behaviour)).refused(id, &DRAFTS);
        assert!(refused.contains("arm `fast`"), "{refused}");
        assert!(refused.contains("it reports") && refused.contains(said), "{refused}");
    }
    for (id, off_by) in [("part-width", -1), ("over-width", 1)] {
        let judged = judge(&format!("{OF_CONTROL}width_off_by = {off_by}\n"), id);
        // nothing is judged of a control: it ends, and the run goes on
        judged.expect("fast", "win", "above_margin");
        let faults = &judged.facts()["arm_faults"];
        assert_eq!(faults[0]["arm"], "full-width", "{faults}");
        assert!(faults.to_string().contains("evaluations of the full width of 5"), "{faults}");
    }
}

#[test]
fn a_ladder_over_draft_lengths_is_run() {
    let ladder = "[ladder]\nsetting = \"draft_tokens\"\nrungs = [2, 4]\n\
                  draft_source = \"prompt_lookup\"\ncontract.identical.of = \"tokens\"\n\
                  expect.accepted_tokens.at_least = 1\n\n[metric]\n";
    let fast = "[[arm]]\nname = \"fast\"\nrole = \"treatment\"\nthreads = 2\n\
                contract.identical.of = \"tokens\"\n";
    let judged =
        sandbox("").judge("lengths", &[DRAFTS[0], DRAFTS[3], (fast, ""), ("[metric]\n", ladder)]);
    judged.expect("draft_tokens=2", "win", "above_margin");
    judged.expect("draft_tokens=4", "win", "above_margin");
    assert!(judged.ratio("draft_tokens=4") > judged.ratio("draft_tokens=2"));
}

#[test]
fn a_drafter_with_another_vocabulary_is_refused_with_its_arm() {
    let sandbox = sandbox("drafter_vocabulary = 100\n");
    let model =
        "draft_source = \"draft_model\"\ndraft_model = \"builtin-tiny\"\ndraft_tokens = 4\nexpect";
    let lookup = "draft_source = \"prompt_lookup\"\ndraft_tokens = 4\nexpect";
    let all: Vec<(&str, &str)> = DRAFTS.iter().copied().chain([(lookup, model)]).collect();
    let said = sandbox.refused("other-words", &all);
    for text in ["arm `fast`", "another vocabulary", "128 tokens against 100"] {
        assert!(said.contains(text), "{text:?} is missing: {said}");
    }
    // with the same vocabulary it runs, and the drafter's work is counted
    let sandbox = self::sandbox("");
    let judged = sandbox.judge("same-words", &all);
    judged.expect("fast", "win", "above_margin");
    assert!(drafts(&judged, "fast")["counts"]["drafter_tokens"].as_u64().unwrap() > 0);
    let claim = judged.comparison("fast")["claim"].as_str().unwrap();
    assert!(claim.contains("drafted by a second model, `builtin-tiny`, by"), "{claim}");
    let provenance = sandbox.runner(&["--json", "show", "same-words"]).expect_code(0).json();
    assert_eq!(provenance["provenance"]["drafters"][0]["arm"], "fast");
}

/// What `check` says of the manifest with drafts and pieces replaced.
#[track_caller]
fn checked(id: &str, replacements: &[(&str, &str)], code: &str) {
    let sandbox = Sandbox::new();
    let all: Vec<(&str, &str)> = DRAFTS.iter().chain(replacements).copied().collect();
    let file = sandbox.manifest(id, &all);
    sandbox.runner(&["check", &file]).expect_code(2).expect_text(code);
}

#[test]
fn drafts_that_cannot_be_judged_are_refused_by_check() {
    let tokens = "draft_tokens = 4\nexpect";
    checked("no-length", &[(tokens, "expect")], "missing-key");
    checked(
        "no-source",
        &[(
            "draft_source = \"prompt_lookup\"\ndraft_tokens = 4\nexpect",
            "threads = 2\ndraft_tokens = 4\nexpect",
        )],
        "setting-ignored",
    );
    checked("layers", &[(tokens, "draft_layers = 2\ndraft_tokens = 4\nexpect")], "setting-ignored");
    let cosine = "contract.cosine.at_least = 0.999\ncontract.cosine.basis = \"seen\"";
    checked("promise", &[("contract.identical.of = \"tokens\"", cosine)], "missing-contract");
    checked(
        "class",
        &[("class = \"speculation\"", "class = \"dense_throughput\"")],
        "workload-class",
    );
    checked("chunk", &[("chunk_tokens = 8", "chunk_tokens = 4")], "chunk-misfit");
    checked(
        "off",
        &[("threads = 1\n", "threads = 1\ndraft_source = \"prompt_lookup\"\ndraft_tokens = 2\n")],
        "off-drafts",
    );
    checked("context", &[("context_tokens = 1024", "context_tokens = 52")], "over-context");
    checked(
        "control",
        &[(
            "draft_acceptance = \"nothing\"",
            "draft_acceptance = \"nothing\"\nexpect.accepted_tokens.at_least = 1",
        )],
        "unreachable-outcome",
    );
    checked("empty", &[("expect.accepted_tokens.at_least = 1", "expect = {}")], "missing-key");
}

#[test]
fn a_text_that_repeats_itself_shows_a_ceiling_and_judges_nothing() {
    let filler = [
        ("inputs = \"prose-48\"", "inputs = \"filler-48\""),
        ("class = \"speculation\"", "class = \"dense_throughput\""),
    ];
    let as_ceiling = filler.iter().copied().chain([("role = \"treatment\"", "role = \"ceiling\"")]);
    let all: Vec<(&str, &str)> = DRAFTS.iter().copied().chain(as_ceiling).collect();
    let sandbox = sandbox("");
    let judged = sandbox.judge("best-case", &all);
    assert_eq!(judged.code, 0);
    assert!(drafts(&judged, "fast")["counts"]["accepted_by_position"][0].as_u64().unwrap() > 0);
    let shown = sandbox.runner(&["show", "best-case"]).expect_code(0).out;
    assert!(shown.contains("described fast (described_only)"), "{shown}");
    checked("judged", &filler, "workload-class");
}

#[test]
fn what_a_ceiling_puts_out_is_shown_and_voids_nothing() {
    let sandbox = sandbox(&format!(
        "{OF_FAST}rollback_leaves_token = true\n{OF_CONTROL}rollback_leaves_token = false\n"
    ));
    let replaced = [
        ("inputs = \"prose-48\"", "inputs = \"filler-48\""),
        ("class = \"speculation\"", "class = \"dense_throughput\""),
        ("role = \"treatment\"", "role = \"ceiling\""),
        ("contract.identical.of = \"tokens\"\n", ""),
        ("expect.accepted_tokens.at_least = 1\n", ""),
    ];
    let all: Vec<(&str, &str)> = DRAFTS.iter().chain(&replaced).copied().collect();
    let judged = sandbox.judge("parting-ceiling", &all);
    assert_eq!(judged.code, 0);
    // it generates like a treatment: nothing feeds it, and blocks go beyond off's
    let kept = drafts(&judged, "fast")["kept_tokens"].as_u64().unwrap();
    assert!((5 * 4 * 32 + 1..=5 * 4 * (32 + 4)).contains(&kept), "{kept}");
    let shown_only = judged.facts()["draft_controls"].as_array().unwrap();
    let state = |arm: &str| &shown_only.iter().find(|one| one["arm"] == arm).unwrap()["state"];
    assert_eq!((state("fast"), state("full-width")), (&"broken".into(), &"kept".into()));
    let shown = sandbox.runner(&["show", "parting-ceiling"]).expect_code(0).out;
    assert!(shown.contains("described fast (described_only)"), "{shown}");
    let flat = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("an arm that drafts and is not judged: it promises nothing"), "{shown}");
}

#[test]
fn the_template_passes() {
    let sandbox = Sandbox::new();
    sandbox.runner(&["new", "my-drafts", "--template", "speculation"]).expect_code(0);
    sandbox.runner(&["check", "experiments/my-drafts.toml"]).expect_code(0);
}
