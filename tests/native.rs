//! The real engine through the command line: nothing here is scripted.

#![cfg(feature = "native")]

mod sandbox;

use sandbox::{Sandbox, finish};

/// The committed quickstart in a project of its own, with a wide cap on everything.
fn quickstart(sandbox: &Sandbox) -> String {
    let text = include_str!("../experiments/quickstart.toml");
    sandbox.write("experiments/quickstart.toml", text);
    "experiments/quickstart.toml".to_owned()
}

#[test]
fn the_quickstart_ends_in_a_sealed_table_on_the_built_in_engine() {
    let sandbox = Sandbox::new();
    let manifest = quickstart(&sandbox);
    let said = sandbox.runner(&["exec", "--register", &manifest]);
    // busy machines may void it, with a reason; nothing else may happen
    assert!([0, 4].contains(&said.code), "{}\n{}", said.out, said.err);
    let said = said.expect_text("ratio to off").expect_text("kl kept, 640 positions compared");
    assert!(said.out.contains("llama-cpp-sys-2"), "{}", said.out);
    sandbox.runner(&["record", "verify"]).expect_code(0).expect_text("1 record verified");
}

#[test]
fn an_engine_says_what_it_was_built_from_and_what_it_honours() {
    let sandbox = Sandbox::new();
    let facts = sandbox.runner(&["engine", "info", "--json"]).expect_code(0).json();
    let engine = &facts["engine"];
    assert_eq!(engine["source"]["pinned"]["package"], "llama-cpp-sys-2");
    let flags = engine["flags"].as_object().unwrap();
    assert!(flags.values().all(|list| list.to_string().contains("-O3")), "{flags:?}");
    let settings = engine["supported_settings"].to_string();
    assert!(settings.contains("flash_attention"), "{settings}");
    assert!(!settings.contains("poll_percent") || engine["threading"] != "openmp", "{settings}");
}

#[test]
fn a_setting_that_would_be_ignored_is_refused_and_nothing_is_left() {
    let sandbox = Sandbox::new();
    let manifest = quickstart(&sandbox);
    let text = std::fs::read_to_string(sandbox.path(&manifest)).unwrap();
    let text = text.replace("[workload]", "gpu_layers = 4\n\n[workload]");
    sandbox.write(&manifest, text);
    let said = sandbox.runner(&["exec", "--register", &manifest]).expect_code(3);
    assert!(said.err.contains("gpu_layers"), "{}", said.err);
    let left: Vec<String> =
        sandbox.files("results").into_iter().filter(|file| !file.contains("ledger")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_killed_run_of_the_real_engine_goes_on_and_loses_nothing() {
    let sandbox = Sandbox::new();
    let manifest = quickstart(&sandbox);
    let mut child = sandbox.start(&["exec", "--register", &manifest]);
    // until the first block is on disk
    let journal = loop {
        let found =
            sandbox.files("results").into_iter().find(|file| file.ends_with("journal.jsonl"));
        let blocks = found.as_ref().map_or(0, |file| {
            let text = std::fs::read_to_string(sandbox.path(file)).unwrap_or_default();
            text.lines().filter(|line| line.contains("\"block\":{")).count()
        });
        if blocks >= 2 {
            break found.unwrap();
        }
        assert!(child.try_wait().unwrap().is_none(), "it ended before it could be killed");
        std::thread::sleep(std::time::Duration::from_millis(5));
    };
    child.kill().unwrap();
    drop(finish(child));
    assert!(sandbox.path(&journal).is_file());
    let said = sandbox.runner(&["exec", &manifest]);
    assert!([0, 4].contains(&said.code), "{}\n{}", said.out, said.err);
    assert!(said.out.contains("interrupted in round"), "{}", said.out);
    let record = sandbox.runner(&["show", "quickstart", "--json"]).expect_code(0).json();
    let facts = &record["record"]["facts"];
    assert_eq!(facts["interruptions"].as_array().map(Vec::len), Some(1), "{facts}");
    sandbox.runner(&["record", "verify"]).expect_code(0);
}

#[test]
fn a_look_at_a_file_of_ones_own_is_stored_without_its_folder() {
    let sandbox = Sandbox::with_model();
    let built_in = sandbox.runner(&["model", "path", "builtin-tiny"]).expect_code(0).out;
    let elsewhere = tempfile::tempdir().unwrap();
    let file = elsewhere.path().join("my-model.gguf");
    std::fs::copy(built_in.trim(), &file).unwrap();
    let file = file.to_str().unwrap();
    let arguments =
        ["try", file, "--vary", "threads=1,2", "--decode", "16", "--minutes", "0.1", "--json"];
    sandbox.runner(&arguments).expect_code(0);
    let stored = sandbox.files("results/pilots");
    let pilot = stored.iter().find(|file| file.ends_with("pilot.toml")).unwrap();
    let text = std::fs::read_to_string(sandbox.path(pilot)).unwrap();
    assert!(text.contains("my-model.gguf"), "{text}");
    assert!(!text.contains(elsewhere.path().to_str().unwrap()), "{text}");
}

#[test]
fn a_look_gives_ratios_is_stored_and_saves_a_manifest_that_checks() {
    let sandbox = Sandbox::new();
    let arguments = [
        "try",
        "builtin-tiny",
        "--vary",
        "flash_attention=off,on",
        "--decode",
        "16",
        "--set",
        "threads=1",
        "--minutes",
        "0.1",
        "--save",
        "looked-at",
    ];
    let said = sandbox.runner(&arguments).expect_code(0).expect_text("never a verdict");
    assert!(said.out.contains("off-again"), "{}", said.out);
    let stored = sandbox.files("results/pilots");
    assert!(stored.iter().any(|file| file.ends_with("pilot.toml")), "{stored:?}");
    sandbox.runner(&["check", "experiments/looked-at.toml"]).expect_code(0);
    let text = std::fs::read_to_string(sandbox.path("experiments/looked-at.toml")).unwrap();
    assert!(text.contains("prior_access = \"pilot\""), "{text}");
}

/// Drafting by lookup and by a slice on the built-in model, with a control. How the verdict falls
/// hangs on the machine; where the tokens are not those of plain decoding does not.
#[test]
fn drafts_put_out_the_tokens_of_plain_decoding_but_for_near_ties() {
    let sandbox = Sandbox::new();
    let manifest = quickstart(&sandbox);
    let text = std::fs::read_to_string(sandbox.path(&manifest)).unwrap();
    let (head, rest) = text.split_once("[[arm]]").unwrap();
    let (_, tail) = rest.split_once("[metric]").unwrap();
    let head = head
        .lines()
        .map(|line| match line.split_once(" = ").map(|(key, _)| key.trim()) {
            Some("class") => "class = \"speculation\"",
            _ => line,
        })
        .collect::<Vec<_>>()
        .join("\n");
    let arms = "[[arm]]\nname = \"off\"\nrole = \"off\"\n\n\
        [[arm]]\nname = \"off-again\"\nrole = \"aa\"\n\n\
        [[arm]]\nname = \"lookup\"\nrole = \"treatment\"\ndraft_source = \"prompt_lookup\"\n\
        draft_tokens = 4\ncontract.identical.of = \"tokens\"\n\n\
        [[arm]]\nname = \"slice\"\nrole = \"treatment\"\ndraft_source = \"self_slice\"\n\
        draft_layers = 1\ndraft_tokens = 4\ncontract.identical.of = \"tokens\"\n\n\
        [[arm]]\nname = \"full-width\"\nrole = \"control\"\ndraft_source = \"prompt_lookup\"\n\
        draft_tokens = 4\ndraft_acceptance = \"nothing\"\n\n[metric]";
    sandbox.write(&manifest, format!("{head}\n{arms}{tail}"));
    let said = sandbox.runner(&["--json", "exec", "--register", &manifest]);
    assert!([0, 4].contains(&said.code), "{}\n{}", said.out, said.err);
    let record = said.json();
    let facts = &record["record"]["facts"];
    // random weights give many near ties, at which batches may choose otherwise; a wrong rollback
    // would part anywhere. Below zero, off itself prefers the arm's token once it is evaluated otherwise
    for finding in facts["contracts"].as_array().unwrap() {
        let figures = finding["figures"].as_array().unwrap();
        let near_tie = figures.iter().any(|figure| {
            figure["name"] == "fork_margin_off"
                && figure["value"].as_f64().is_some_and(|margin| margin < 0.05)
        });
        assert!(finding["state"] == "kept" || near_tie, "{finding}");
    }
    let isolation = &record["figures"]["speculation"]["isolation"];
    assert_eq!(isolation.as_array().unwrap().len(), 2, "{isolation}");
    let drafts = facts["speculation"].as_array().unwrap();
    let of = |arm: &str| drafts.iter().find(|one| one["arm"] == arm).unwrap();
    assert!(of("slice")["counts"]["drafter_tokens"].as_u64().unwrap() > 0);
    assert_eq!(of("lookup")["counts"]["drafter_tokens"], 0);
    assert_eq!(facts["draft_controls"].as_array().unwrap().len(), 1);
}
