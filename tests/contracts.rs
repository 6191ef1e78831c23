//! What an arm promised of its output, and proof that its treatment was applied.

mod sandbox;

use sandbox::{QUIET_SCRIPT, Sandbox};

/// `fast` behaves like this beside being fast.
fn fast_also(behaviour: &str) -> Sandbox {
    let sandbox = Sandbox::with_model();
    sandbox.script(&format!("{QUIET_SCRIPT}{behaviour}\n"));
    sandbox
}

/// The manifest's contract, and another in its place.
const IDENTICAL: &str = "contract.identical.of = \"tokens\"";
const COSINE: (&str, &str) = (
    IDENTICAL,
    "contract.cosine.at_least = 0.999\ncontract.cosine.basis = \"seen between two builds\"",
);
const KL: (&str, &str) = (
    IDENTICAL,
    "contract.kl.mean_at_most = 0.001\ncontract.kl.p99_at_most = 0.01\n\
     contract.kl.basis = \"seen between two builds\"",
);

#[test]
fn other_tokens_break_identical_and_the_numbers_are_kept() {
    // a prompt has 16 tokens: the fifth chosen token is another
    let sandbox = fast_also("diverge_from_position = 20");
    let judged = sandbox.judge("divergence", &[]);
    let reason = judged.expect("fast", "void", "contract_broken");
    assert_eq!(judged.code, 4);
    // input, position and both tokens
    let place = judged.contract("fast")["first_divergence"].as_str().unwrap();
    assert!(reason.contains(place), "{reason}");
    // and how far from a tie each side is there
    assert!(reason.contains("where they part, off's logits put token "), "{reason}");
    let figures = judged.contract("fast")["figures"].as_array().unwrap();
    for side in ["fork_margin_off", "fork_margin_arm"] {
        let figure = figures.iter().find(|figure| figure["name"] == side).unwrap();
        assert!(figure["value"].as_f64().unwrap() > 0.5, "{figures:?}");
    }
    let (input, rest) = place.strip_prefix("input `").unwrap().split_once('`').unwrap();
    let prose = format!("{}/experiments/workloads/prose-48.toml", env!("CARGO_MANIFEST_DIR"));
    assert!(std::fs::read_to_string(prose).unwrap().contains(&format!("id = \"{input}\"")));
    let (here, there) =
        rest.strip_prefix(", position 4: token ").unwrap().split_once(" here, token ").unwrap();
    let there = there.strip_suffix(" there").unwrap();
    assert_ne!(here.parse::<u32>().unwrap(), there.parse::<u32>().unwrap());
    // what is void keeps its numbers
    let ratio = judged.ratio("fast").unwrap();
    assert!((1.15..1.25).contains(&ratio), "{ratio}");
    let shown = sandbox.runner(&["show", "divergence"]).expect_code(0).out;
    for text in ["1.198x (+19.8 %)", "identical BROKEN", "void fast (contract_broken)", "5 rounds"]
    {
        assert!(shown.contains(text), "{text:?} is missing:\n{shown}");
    }
    sandbox.runner(&["report"]).expect_code(0);
    let index = std::fs::read_to_string(sandbox.path("results/INDEX.md")).unwrap();
    assert!(index.contains("1 comparison: 1 void."), "{index}");
}

#[test]
fn a_divergence_that_shows_only_while_timed_breaks_identical() {
    // registering loads the script once, testing before timing six times: the first round is 8 to 10
    let judged = other_processes(&[8, 9, 10], "diverge_from_position = 0").judge("late", &[]);
    let reason = judged.expect("fast", "void", "contract_broken");
    assert!(reason.contains("(while timed: round 0, block "), "{reason}");
    assert_eq!(judged.code, 4);
}

/// `fast` behaves like this in these processes alone, counted as they load the script.
fn other_processes(numbers: &[u32], behaviour: &str) -> Sandbox {
    let sandbox = Sandbox::with_model();
    let when = format!("[[when]]\nsettings = {{ threads = 2 }}\nprocesses = {numbers:?}");
    sandbox.script(&format!("{QUIET_SCRIPT}{when}\n{behaviour}\n"));
    sandbox
}

#[test]
fn a_divergence_that_shows_only_after_timing_breaks_identical() {
    // the last round is 20 to 22; each process decodes 9 times, warming up included
    let late = "diverge_from_position = 0\ndiverge_from_command = 10";
    let judged = other_processes(&[20, 21, 22], late).judge("after", &[]);
    let reason = judged.expect("fast", "void", "contract_broken");
    assert!(reason.contains("after timing: other tokens than off chose before it"), "{reason}");
    assert!(reason.contains(" (after timing)"), "{reason}");
    assert!(judged.ratio("fast").is_some(), "the numbers are kept");
}

#[test]
fn logits_that_change_while_timed_break_their_contract() {
    // before timing no process that is asked for logits decodes
    let judged = fast_also("logits_noise = 4.0\nlogits_noise_from_command = 5")
        .judge("logits-after", &[COSINE]);
    let reason = judged.expect("fast", "void", "contract_broken");
    assert!(reason.contains("after timing: other logits than before it"), "{reason}");
}

#[test]
fn logits_that_part_at_one_depth_void_that_depth_alone() {
    // positions of depth 0 end before 600
    let context = ("context_tokens = 1024", "context_tokens = 2048");
    let sandbox = fast_also("logits_noise = 8.0\nlogits_noise_from_position = 600");
    let depths =
        ("[metric]", "[condition]\nsetting = \"depth_tokens\"\nvalues = [0, 600]\n\n[metric]");
    let judged = sandbox.judge("depths", &[COSINE, depths, context]);
    judged.expect("fast", "win", "above_margin");
    assert_eq!(judged.code, 4);
    let shown = sandbox.runner(&["show", "depths"]).expect_code(0).out;
    for text in [
        "void fast at depth_tokens=600 (contract_broken)",
        "fast at depth_tokens=0: cosine kept",
        "fast at depth_tokens=600: cosine BROKEN",
    ] {
        assert!(shown.contains(text), "{text:?} is missing:\n{shown}");
    }
    sandbox.runner(&["record", "verify"]).expect_code(0);
}

#[test]
fn logits_of_an_arm_that_does_not_repeat_itself_are_held_against_the_same_bar() {
    let odd = "logits_noise_in_processes = \"odd\"";
    let judged = fast_also(&format!("logits_noise = 4.0\n{odd}")).judge("apart", &[COSINE]);
    let reason = judged.expect("fast", "void", "contract_not_self_equal");
    assert!(reason.contains("`fast` differs from itself in a second process"), "{reason}");
    let judged = fast_also(&format!("logits_noise = 0.01\n{odd}")).judge("near", &[COSINE]);
    judged.expect("fast", "win", "above_margin");
    let detail = judged.contract("fast")["detail"].as_str().unwrap().to_owned();
    assert!(detail.contains("`fast` differs from itself in a second process"), "{detail}");
    assert!(detail.contains("`off` equals itself to the last bit"), "{detail}");
}

#[test]
fn a_fault_that_filler_hides_shows_on_natural_text() {
    let sandbox = fast_also("logits_noise = 4.0\nlogits_noise_distinct_tokens = 60");
    let filler = ("prose-48", "filler-48");
    let judged = sandbox.judge("filler", &[filler, COSINE]);
    let reason = judged.expect("fast", "void", "contract_broken");
    assert!(reason.contains("token by token: worst on `code-48`: cosine min 0."), "{reason}");
    let own = "on `filler-48` (the inputs that are timed, dense throughput): cosine min 1.000000";
    assert!(reason.contains(own), "{reason}");
    assert!(reason.contains("on `prose-48`: cosine min 0."), "{reason}");
    let figures = judged.contract("fast")["figures"].as_array().unwrap();
    let names: Vec<&str> = figures.iter().filter_map(|figure| figure["name"].as_str()).collect();
    for name in ["centred_cosine_min", "largest_difference", "perplexity_ratio"] {
        assert!(names.contains(&name), "{names:?}");
    }
    assert!(names.contains(&"cosine_min on filler-48"), "{names:?}");
}

#[test]
fn logits_that_part_from_a_position_on_name_it() {
    let judged = fast_also("logits_noise = 8.0\nlogits_noise_from_position = 100")
        .judge("from-100", &[COSINE]);
    let reason = judged.expect("fast", "void", "contract_broken");
    let place = judged.contract("fast")["first_divergence"].as_str().unwrap().to_owned();
    let position = place.strip_prefix("position ").unwrap().split_once(':').unwrap().0;
    assert!(position.parse::<u32>().unwrap() >= 100, "{reason}");
    assert!(place.contains("off prefers token ") && place.contains(" (by "), "{place}");
    assert!(reason.contains("margins of the best token"), "{reason}");
}

#[test]
fn a_contract_that_cannot_be_judged_is_refused_before_it_is_registered() {
    let sandbox = Sandbox::with_model();
    for (contract, said) in [
        ("contract.cosine.at_least = 0.99", "`basis` is missing"),
        ("contract.cosine.at_least = 0.99\ncontract.cosine.basis = \"\"", "basis"),
        ("contract.cosine.at_least = 0.99\ncontract.cosine.basis = \"  \"", "basis"),
        ("contract.cosine.at_least = 1.01\ncontract.cosine.basis = \"b\"", "at_least"),
        ("contract.cosine.at_least = nan\ncontract.cosine.basis = \"b\"", "at_least"),
        (
            "contract.kl.mean_at_most = -0.1\ncontract.kl.p99_at_most = 0.1\n\
             contract.kl.basis = \"b\"",
            "mean_at_most",
        ),
        (
            "contract.argmax.agreement_at_least = 0.9\ncontract.argmax.basis = \"b\"\n\
             contract.argmax.positions = 0",
            "positions",
        ),
    ] {
        let file = sandbox.manifest("unsound", &[(IDENTICAL, contract)]);
        let refused = sandbox.runner(&["check", &file]).expect_code(2);
        assert!(refused.err.contains(said) || refused.out.contains(said), "{refused:?}");
    }
}

#[test]
fn an_arm_that_does_not_repeat_itself_cannot_be_asked() {
    let sandbox = fast_also("diverge_from_position = 20\ndiverge_in_processes = \"odd\"");
    let judged = sandbox.judge("unrepeatable", &[]);
    let reason = judged.expect("fast", "void", "contract_not_self_equal");
    assert!(reason.contains("`fast` against itself"), "{reason}");
    assert_eq!(judged.contract("fast")["state"], "not_self_equal");
    assert_eq!(judged.code, 4);
}

#[test]
fn an_off_arm_that_does_not_repeat_itself_cannot_be_asked_either() {
    let sandbox = Sandbox::with_model();
    let all = QUIET_SCRIPT.replace(
        "[base]\n",
        "[base]\ndiverge_from_position = 20\ndiverge_in_processes = \"odd\"\n",
    );
    sandbox.script(&all);
    let judged = sandbox.judge("off-unrepeatable", &[]);
    let reason = judged.expect("fast", "void", "contract_not_self_equal");
    assert!(reason.contains("`off` against itself"), "{reason}");
}

#[test]
fn logits_within_the_bar_keep_their_contract() {
    let judged = fast_also("logits_noise = 0.01").judge("within", &[COSINE]);
    judged.expect("fast", "win", "above_margin");
    let finding = judged.contract("fast");
    assert_eq!((&finding["contract"], &finding["state"]), (&"cosine".into(), &"kept".into()));
    assert_eq!(finding["compared"], 512 + 128);
    assert_eq!(judged.code, 0);
}

#[test]
fn logits_over_the_bar_break_their_contract_and_both_numbers_are_named() {
    let judged = fast_also("logits_noise = 4.0").judge("over", &[KL]);
    let reason = judged.expect("fast", "void", "contract_broken");
    assert!(reason.contains("contract `kl` of arm `fast` is broken"), "{reason}");
    assert!(reason.contains("(bar 0.001)"), "{reason}");
    assert_eq!(judged.code, 4);
    assert!(judged.ratio("fast").is_some(), "the numbers are kept");
}

#[test]
fn a_logit_of_nan_breaks_the_contract_and_its_place_is_named() {
    let judged = fast_also("logits_nan_at = 300").judge("nan", &[COSINE]);
    let reason = judged.expect("fast", "void", "contract_broken");
    assert!(reason.contains("position 300: the logit of token 0 is NaN in the arm"), "{reason}");
    assert_eq!(judged.code, 4);
}

#[test]
fn a_treatment_whose_operation_never_ran_was_not_applied() {
    let expected = format!("{IDENTICAL}\nexpect.operation.flash_attn_ext.at_least = 1");
    let replacements = [(IDENTICAL, expected.as_str())];
    let sandbox = fast_also("operations = { mul_mat = 10 }");
    let judged = sandbox.judge("ignored", &replacements);
    let reason = judged.expect("fast", "void", "treatment_not_applied");
    assert!(reason.contains("ran `flash_attn_ext` 0 times"), "{reason}");
    assert_eq!(judged.code, 4);
    assert!(judged.ratio("fast").is_some(), "the numbers are kept");
    let sandbox = fast_also("operations = { flash_attn_ext = 3 }");
    sandbox.judge("applied", &replacements).expect("fast", "win", "above_margin");
}

#[test]
fn a_setting_that_would_be_ignored_is_refused_with_its_arm() {
    let sandbox = Sandbox::with_model();
    sandbox.script(&QUIET_SCRIPT.replace("[base]\n", "[base]\nunsupported = [\"poll_percent\"]\n"));
    let polled = format!("poll_percent = 50\n{IDENTICAL}");
    let said = sandbox.refused("polled", &[("threads = 2\n", ""), (IDENTICAL, &polled)]);
    for text in ["arm `fast`", "`poll_percent` would be ignored by this engine"] {
        assert!(said.contains(text), "{text:?} is missing: {said}");
    }
}
