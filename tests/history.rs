//! Two commits, and the search for the one that changed a metric, through the command line. Engines
//! are fake workers whose times are scripted in the tree of each commit.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod sandbox;

use sandbox::tree::{TREE, pace};
use sandbox::{Said, Sandbox};

const SLOW: u32 = 1_200_000;
const FAST: u32 = 1_000_000;

/// A repository with a commit `good` and some after it; hashes of those.
fn repository(commits: &[&[(&str, &str)]]) -> (Sandbox, String, Vec<String>) {
    let sandbox = Sandbox::with_model();
    sandbox.tree();
    let good = sandbox.commit("where it begins", &[("script.toml", &pace(FAST))]);
    let after = commits.iter().enumerate();
    let after = after.map(|(index, files)| sandbox.commit(&format!("change {}", index + 1), files));
    let after = after.collect();
    (sandbox, good, after)
}

/// A search from the template, small, and with the gate wide open.
fn search(sandbox: &Sandbox, id: &str, good: &str, bad: &str) -> String {
    let new = ["new", id, "--template", "bisect-speed", "--source", TREE, good, bad];
    sandbox.runner(&new).expect_code(0);
    let file = format!("experiments/{id}.toml");
    let text = std::fs::read_to_string(sandbox.path(&file)).unwrap();
    let gate = "[gate]\nothers_cpu_percent = 100000\npressure_percent = 100\n\
                contaminated_percent = 100\n\n[decision]";
    let changes = [
        ("rounds = 24 ", "rounds = 6 "),
        ("blocks_per_round = 6 ", "blocks_per_round = 3 "),
        ("decode_tokens = 64 ", "decode_tokens = 16 "),
        ("round_sd_percent = 0.8", "round_sd_percent = 0.2"),
        ("block_sd_percent = 3.0", "block_sd_percent = 0.5"),
        ("effect_percent = 6.0", "effect_percent = 15.0"),
        ("margin_percent = 2.0 ", "margin_percent = 5.0 "),
        ("[decision]", gate),
    ];
    let changed = changes.iter().fold(text, |text, (from, to)| {
        assert!(text.contains(from), "{from} in {text}");
        text.replacen(from, to, 1)
    });
    sandbox.write(&file, changed);
    file
}

fn registered(sandbox: &Sandbox, file: &str) -> Said {
    sandbox.building(&["exec", "--register", file])
}

#[test]
fn a_planted_slow_down_among_eight_commits_is_found_and_measured_once() {
    let slow = pace(SLOW);
    let (sandbox, good, commits) =
        repository(&[&[], &[], &[], &[], &[("script.toml", &slow)], &[], &[], &[]]);
    // a dirty checkout stays as it is
    sandbox.write(&format!("{TREE}/ggml/src/ggml.c"), "changed\n");
    let before = sandbox.git(&["status", "--porcelain"]);
    let index = std::fs::read(sandbox.path(&format!("{TREE}/.git/index"))).unwrap();
    let file = search(&sandbox, "slower", &good, "main");
    sandbox.runner(&["check", &file]).expect_code(0).expect_text("no faults");
    sandbox
        .building(&["plan", &file])
        .expect_code(0)
        .expect_text("8 commits after")
        .expect_text("at most 12 steps, 4 where none is repeated");
    let said = registered(&sandbox, &file)
        .expect_code(0)
        .expect_text(&format!(
            "{} is the first commit that changed decode_tokens_per_second (it lowered it)",
            commits[4]
        ))
        .expect_text("change 5")
        .expect_text(&format!("slower-1-{}/", &commits[7][..7]));
    assert_eq!(std::fs::read(sandbox.path(&format!("{TREE}/.git/index"))).unwrap(), index);
    assert_eq!(sandbox.git(&["status", "--porcelain"]), before);
    // 8, 4, 6, 5
    let built = sandbox.built();
    assert_eq!(built.len(), 5, "{built:?}");
    let before = sandbox.snapshot("results");
    let again = sandbox.building(&["exec", &file]).expect_code(0);
    assert_eq!(again.out, said.out);
    // as if it had been cut after its last step
    for file in ["history.json", "history.md"] {
        std::fs::remove_file(sandbox.path(&format!("results/slower/{file}"))).unwrap();
    }
    let again = sandbox.building(&["exec", &file]).expect_code(0);
    assert_eq!(again.out, said.out);
    assert_eq!((sandbox.built(), sandbox.snapshot("results")), (built.clone(), before));
    // and as if it had been cut before it
    let last = format!("results/slower-4-{}", &commits[4][..7]);
    std::fs::remove_dir_all(sandbox.path(&last)).unwrap();
    for file in ["history.json", "history.md"] {
        std::fs::remove_file(sandbox.path(&format!("results/slower/{file}"))).unwrap();
    }
    let said = sandbox.building(&["exec", &file]).expect_code(0).expect_text(&commits[4]);
    assert_eq!(sandbox.built(), built);
    assert_eq!(sandbox.runner(&["show", "slower"]).expect_code(0).out, said.out);
    let json = sandbox.runner(&["show", "slower", "--json"]).expect_code(0).json();
    assert_eq!(json["steps"].as_array().unwrap().len(), 4);
    let ledger = sandbox.files(&format!("results/slower-1-{}/ledger", &commits[7][..7]));
    let entry = std::fs::read_to_string(sandbox.path(&ledger[0])).unwrap();
    assert!(entry.contains(json["manifest_hash"].as_str().unwrap()), "{entry}");
    let record = sandbox.files(&format!("results/slower-1-{}", &commits[7][..7]));
    let provenance = record.iter().find(|file| file.ends_with("provenance.toml")).unwrap();
    let provenance = std::fs::read_to_string(sandbox.path(provenance)).unwrap();
    assert!(provenance.contains("a stand-in for tests"), "{provenance}");
    // the step's text says what was registered
    let manifest = record.iter().find(|file| file.ends_with("manifest.toml")).unwrap();
    let checked = sandbox.runner(&["check", manifest, "--json"]).expect_code(0).json();
    let hash = checked[0]["manifest_hash"].as_str().unwrap();
    assert!(entry.contains(&format!("manifest_hash = \"{hash}\"")), "{hash} in {entry}");
    sandbox.runner(&["record", "verify"]).expect_code(0).expect_text("4 records verified");
}

#[test]
fn what_does_not_compile_is_skipped_and_a_moved_branch_has_no_effect() {
    let slow = pace(SLOW);
    let (sandbox, good, commits) = repository(&[
        &[("broken", "ggml/src/ggml.c:1: planted")],
        &[("script.toml", &slow)],
        &[("drifted", "no member `x`")],
        &[],
    ]);
    sandbox.git(&["rm", "-q", "broken", "drifted"]);
    let bad = sandbox.commit("mended", &[]);
    let file = search(&sandbox, "among", &good, "main");
    sandbox.building(&["register", &file]).expect_code(0);
    sandbox.git(&["branch", "-f", "other"]);
    sandbox.commit("after registration", &[("script.toml", &pace(FAST))]);
    let said = sandbox
        .building(&["exec", &file])
        .expect_code(0)
        .expect_text("is one of these")
        .expect_text(&format!("skipped {}", &commits[1][..12]))
        .expect_text("planted");
    for commit in commits.iter().chain([&bad]) {
        assert!(said.out.contains(&commit[..12]), "{commit} in {}", said.out);
    }
}

#[test]
fn an_unclear_step_is_repeated_under_new_ids_and_then_parked() {
    // a twentieth slower: at the margin
    let (sandbox, good, commits) = repository(&[&[("script.toml", &pace(1_050_000))]]);
    let file = search(&sandbox, "unclear", &good, "main");
    let text = std::fs::read_to_string(sandbox.path(&file)).unwrap();
    sandbox.write(&file, text.replace("repeats_at_most = 2 ", "repeats_at_most = 1 "));
    registered(&sandbox, &file)
        .expect_code(0)
        .expect_text("parked: a step stayed unclear")
        .expect_text(&format!("unclear-2-{}/", &commits[0][..7]));
    assert_eq!(sandbox.built().len(), 2);
}

#[test]
fn ends_that_are_level_end_the_search_at_once() {
    let (sandbox, good, _) = repository(&[&[], &[], &[]]);
    let file = search(&sandbox, "level", &good, "main");
    registered(&sandbox, &file).expect_code(0).expect_text("the two are level");
    sandbox.building(&["exec", "--fail-on", "level", &file]).expect_code(1);
}

#[test]
fn two_commits_are_an_experiment_with_layout_beside_it() {
    let (sandbox, good, commits) = repository(&[&[("script.toml", &pace(SLOW))]]);
    let new = ["new", "two", "--template", "commits", "--source", TREE, &good, "main"];
    sandbox.runner(&new).expect_code(0);
    sandbox.runner(&["check"]).expect_code(0).expect_text("two.toml: no faults");
    let text = std::fs::read_to_string(sandbox.path("experiments/two.toml")).unwrap();
    assert!(text.contains(&commits[0]) && text.contains("was called main"), "{text}");
    let text = text
        .replace("rounds = 16 ", "rounds = 5 ")
        .replace("margin_percent = 2.0 ", "margin_percent = 6.0 ")
        .replace("effect_percent = 5.0", "effect_percent = 20.0")
        .replace(
            "[decision]",
            "[gate]\nothers_cpu_percent = 100000\npressure_percent = 100\n\
             contaminated_percent = 100\n\n[decision]",
        );
    sandbox.write("experiments/two.toml", text);
    sandbox
        .building(&["exec", "--register", "experiments/two.toml"])
        .expect_code(0)
        .expect_text("loss after")
        .expect_text("relinked");
    let mut built = sandbox.built();
    built.sort();
    let mut wanted =
        vec![format!("{} in-order", commits[0]), format!("{good} 1"), format!("{good} in-order")];
    wanted.sort();
    assert_eq!(built, wanted);
}

#[test]
fn revisions_and_sources_that_are_not_there_write_nothing() {
    let (sandbox, good, _) = repository(&[&[]]);
    std::fs::create_dir(sandbox.path("no repository")).unwrap();
    let new = |more: &[&str]| {
        let mut arguments = vec!["new", "none"];
        arguments.extend(more);
        sandbox.runner(&arguments)
    };
    let commits = ["--template", "commits", "--source"];
    let with = |more: &[&str]| new(&[&commits, more].concat());
    with(&[TREE, &good, "no-such-tag"]).expect_code(3).expect_text("has no revision `no-such-tag`");
    with(&["no repository", "a", "b"]).expect_code(3).expect_text("is no git repository");
    with(&["nowhere", "a", "b"]).expect_code(3).expect_text("there is no folder");
    with(&[TREE, &good]).expect_code(2).expect_text("two revisions");
    with(&[TREE, &good, &good]).expect_code(2).expect_text("are one commit");
    new(&["--template", "bisect-speed", &good, "main"]).expect_code(2).expect_text("--source");
    new(&["--source", TREE]).expect_code(2).expect_text("--template commits");
    assert!(!sandbox.path("experiments/none.toml").exists());
    // the other way round there is no history
    let file = search(&sandbox, "backwards", "main", &good);
    sandbox.building(&["register", &file]).expect_code(3).expect_text("no ancestor");
}

#[test]
fn a_good_commit_that_does_not_compile_ends_the_search_before_anything_is_measured() {
    let (sandbox, _, _) = repository(&[&[]]);
    let good = sandbox.commit("broken", &[("broken", "planted")]);
    sandbox.git(&["rm", "-q", "broken"]);
    sandbox.commit("mended", &[]);
    let file = search(&sandbox, "bad-good", &good, "main");
    registered(&sandbox, &file).expect_code(3).expect_text("do not compile: planted");
    assert_eq!(sandbox.runs("bad-good"), Vec::<String>::new());
}
