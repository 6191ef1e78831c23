//! A manifest meets what is stored of its question and its arms, with the scope in which that holds.

mod sandbox;

use sandbox::Sandbox;

/// The question of `fast` with a second model, another depth, and one in which it is one arm of two.
fn stored() -> Sandbox {
    let sandbox = Sandbox::with_model();
    sandbox.judge("asked-before", &[]);
    sandbox.judge("deeper", &[("prompt_tokens = 16", "prompt_tokens = 16\ndepth_tokens = 32")]);
    sandbox.judge("one-of-two", &[("threads = 2\n", "threads = 2\npoll_percent = 0\n")]);
    sandbox
}

const BOTH: (&str, &str) = (
    "[metric]",
    "[[arm]]\nname = \"polled\"\nrole = \"treatment\"\nthreads = 2\npoll_percent = 0\n\
     contract.identical.of = \"tokens\"\n\n[metric]",
);

#[test]
fn list_like_tells_the_same_question_from_the_same_arms_and_from_one_arm() {
    let sandbox = stored();
    let file = sandbox.manifest("now", &[]);
    let said = sandbox.runner(&["list", "--like", &file]).expect_code(0).out;
    let sections: Vec<&str> = said.lines().filter(|line| !line.starts_with(' ')).collect();
    assert_eq!(
        sections,
        ["same question:", "same arms, another model, class, depth or engine:"],
        "{said}"
    );
    let (same, other) = said.split_once("same arms").unwrap();
    assert!(same.contains("asked-before/") && same.contains("win fast 1."), "{said}");
    assert!(same.contains("covers the manifest's scope"), "{said}");
    assert!(other.contains("deeper/") && other.contains("depth 32"), "{said}");
    assert!(other.contains("depth_tokens 32 there, 0 here"), "{said}");
    assert!(!said.contains("one-of-two"), "{said}");
    assert!(said.lines().all(|line| line.chars().count() <= 100), "{said}");
    // two arms are asked about, and one of them was measured
    let wider = sandbox.manifest("wider", &[BOTH]);
    let said = sandbox.runner(&["list", "--like", &wider]).expect_code(0).out;
    assert!(said.starts_with("an arm in common:"), "{said}");
    for text in ["one-of-two/", "in common: threads=2", "poll_percent=0", "asked-before/"] {
        assert!(said.contains(text), "{text:?} is missing: {said}");
    }
    let json = sandbox.runner(&["--json", "list", "--like", &file]).expect_code(0).json();
    assert_eq!(json["found"][0]["nearness"], "same question");
    assert_eq!(json["found"][0]["outcomes"][0]["verdict"], "win");
}

#[test]
fn plan_and_register_show_it_in_short() {
    let sandbox = stored();
    let seen = [("prior_access = \"none\"", "prior_access = \"seen\"")];
    let file = sandbox.manifest("now", &seen);
    let planned = sandbox.runner(&["plan", &file]).expect_code(0).out;
    assert!(planned.contains("prior art   same question: asked-before/"), "{planned}");
    assert!(planned.contains("same arms: deeper/"), "{planned}");
    let registered = sandbox.runner(&["register", &file]).expect_code(0).err;
    assert!(registered.contains("same arms: deeper/"), "{registered}");
    // more than five: the rest is counted
    for number in 0..4 {
        let id = format!("more-{number}");
        let file = sandbox.manifest(&id, &seen);
        sandbox.runner(&["register", &file]).expect_code(0);
    }
    let planned = sandbox.runner(&["plan", &file]).expect_code(0).out;
    let (_, from) = planned.split_once("prior art").unwrap();
    assert!(from.contains("and 1 more:"), "{planned}");
    assert!(planned.contains("registered, never run"), "{planned}");
}

#[test]
fn imports_of_the_same_work_and_struck_figures_are_said() {
    let sandbox = stored();
    let file = sandbox.manifest("now", &[]);
    let test = r#"[{"build_commit": "a", "model_filename": "/m/Builtin-Tiny.gguf", "n_prompt": 0,
        "n_gen": 16, "n_depth": 16, "avg_ts": 1.0, "samples_ns": [16000000, 16100000]}]"#;
    sandbox.write("theirs.json", test);
    sandbox.runner(&["record", "import", "theirs.json"]).expect_code(0);
    let said = sandbox.runner(&["list", "--like", &file]).expect_code(0).out;
    assert!(said.contains("imported/theirs: tg16 @ d16 of llama-bench"), "{said}");
    let run = sandbox.runs("asked-before").pop().unwrap();
    let record = format!("asked-before/{run}");
    let cause = ["record", "retract", &record, "--cause", "the clock was wrong"];
    sandbox.runner(&cause);
    let said = sandbox.runner(&["list", "--like", &file]).expect_code(0).out;
    let flat = said.split_whitespace().collect::<Vec<&str>>().join(" ");
    assert!(flat.contains("the clock was wrong"), "{said}");
}

#[test]
fn nothing_like_it_is_said_too() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("now", &[]);
    sandbox.runner(&["list", "--like", &file]).expect_code(0).expect_text("nothing like it");
    assert!(!sandbox.runner(&["plan", &file]).expect_code(0).out.contains("prior art"));
}
