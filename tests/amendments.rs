//! What happens to a plan before it is run, and to a verdict after it was seen.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod sandbox;

use sandbox::Sandbox;

const AMEND: [&str; 4] = ["--reason", "the margin was a typing error", "--impact", "wider level"];
const MARGIN: (&str, &str) = ("margin_percent = 5.0", "margin_percent = 6.0");

fn amend(file: &str) -> Vec<&str> {
    ["record", "amend", file].into_iter().chain(AMEND).collect()
}

#[test]
fn while_nothing_was_run_a_manifest_is_amended_and_the_chain_is_kept() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("amended", &[]);
    sandbox.runner(&amend(&file)).expect_code(3).expect_text("nothing is registered under this id");
    sandbox.runner(&["register", &file]).expect_code(0);
    sandbox.runner(&amend(&file)).expect_code(3).expect_text("nothing differs");
    sandbox.manifest("amended", &[MARGIN]);
    let said = sandbox.runner(&amend(&file)).expect_code(0);
    assert!(said.err.contains("changed: decision.margin_percent: 5.0 -> 6.0"), "{}", said.err);
    sandbox.manifest("amended", &[("margin_percent = 5.0", "margin_percent = 7.0")]);
    sandbox.runner(&amend(&file)).expect_code(0).expect_text("6.0 -> 7.0");
    let listed = sandbox.runner(&["--json", "list"]).expect_code(0).json();
    assert_eq!(listed["results"][0]["amendments"], 2, "{listed}");
    // the last version is the one that is run, and no other
    let exec = sandbox.runner(&["exec", &file]).expect_code(0);
    assert!(exec.out.contains("amended on "), "{}", exec.out);
    assert!(exec.out.contains("impact: wider level"), "{}", exec.out);
    sandbox.runner(&["record", "verify"]).expect_code(0).expect_text("1 record verified");
    sandbox.manifest("amended", &[MARGIN]);
    sandbox.runner(&["exec", &file]).expect_code(3).expect_text("registered");
}

#[test]
fn after_an_outcome_was_seen_nothing_is_amended() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("seen", &[]);
    sandbox.runner(&["exec", "--register", &file]).expect_code(0);
    sandbox.manifest("seen", &[MARGIN]);
    let before = sandbox.snapshot("results");
    sandbox
        .runner(&amend(&file))
        .expect_code(3)
        .expect_text("an outcome was seen already: seen/")
        .expect_text("A change is now a deviation")
        .expect_text("runner record deviate");
    assert_eq!(sandbox.snapshot("results"), before);
}

#[test]
fn a_run_of_the_same_question_under_another_id_counts_as_seen() {
    let sandbox = Sandbox::with_model();
    let first = sandbox.manifest("asked-first", &[]);
    let other =
        sandbox.manifest("asked-too", &[("prior_access = \"none\"", "prior_access = \"seen\"")]);
    sandbox.runner(&["register", &first]).expect_code(0);
    sandbox.runner(&["exec", "--register", &other]).expect_code(0);
    sandbox.manifest("asked-first", &[MARGIN]);
    sandbox.runner(&amend(&first)).expect_code(3).expect_text("seen already: asked-too/");
}

#[test]
fn stored_looks_forbid_prior_access_none() {
    let sandbox = Sandbox::with_model();
    let first = sandbox.manifest("first-look", &[]);
    sandbox.runner(&["exec", "--register", &first]).expect_code(0);
    let second = sandbox.manifest("second-look", &[]);
    for arguments in [&["register", &second][..], &["exec", "--register", &second]] {
        sandbox
            .runner(arguments)
            .expect_code(3)
            .expect_text("prior_access is \"none\"")
            .expect_text("first-look/")
            .expect_text("prior_access = \"pilot\"");
    }
    assert!(!sandbox.path("results/second-look").exists());
    sandbox.manifest("second-look", &[("prior_access = \"none\"", "prior_access = \"seen\"")]);
    let exec = sandbox.runner(&["exec", "--register", &second]).expect_code(0);
    assert!(exec.out.contains("experiment 2 on this question"), "{}", exec.out);
    sandbox.runner(&["report"]).expect_code(0);
    let index = std::fs::read_to_string(sandbox.path("results/INDEX.md")).unwrap();
    assert!(index.contains("| 1; experiment 2 on this question, after win |"), "{index}");
}

#[test]
fn an_abandoned_journal_is_a_look_too() {
    let sandbox = Sandbox::with_model();
    let first = sandbox.manifest("abandoned", &[]);
    sandbox.runner(&["register", &first]).expect_code(0);
    let run = "results/abandoned/20270101-000000/journal.jsonl";
    sandbox.write(run, "{\"block\":{}}\n");
    let second = sandbox.manifest("after-it", &[]);
    sandbox
        .runner(&["register", &second])
        .expect_code(3)
        .expect_text("abandoned/20270101-000000 (unfinished)");
}

#[test]
fn a_deviation_shows_the_registered_outcome_first_and_changes_no_verdict() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("deviated", &[]);
    sandbox.runner(&["exec", "--register", &file]).expect_code(0).expect_text("win fast");
    let changed = [("margin_percent = 5.0", "margin_percent = 19.9")];
    let copy = sandbox.manifest("deviated", &changed);
    let text = std::fs::read_to_string(sandbox.path(&copy)).unwrap();
    sandbox.write("other/wide.toml", text);
    sandbox.manifest("deviated", &[]);
    let deviate =
        ["record", "deviate", "deviated", "other/wide.toml", "--reason", "a colleague asked"];
    let said = sandbox.runner(&deviate).expect_code(0).out;
    let registered = said.find("registered, and what counts: fast win").unwrap();
    let exploratory = said.find("exploratory: fast would be parked").unwrap();
    assert!(registered < exploratory, "{said}");
    assert!(said.contains("decision.margin_percent: 5.0 -> 19.9"), "{said}");
    let shown = sandbox.runner(&["show", "deviated"]).expect_code(0).out;
    assert!(shown.contains("win fast (above_margin)"), "{shown}");
    assert!(shown.contains("deviation, exploratory: a colleague asked"), "{shown}");
    let json = sandbox.runner(&["--json", "show", "deviated"]).expect_code(0).json();
    let outcome = &json["life"]["deviations"][0]["outcomes"][0];
    assert_eq!(outcome["registered_verdict"], "win", "{json}");
    assert_eq!(outcome["exploratory_verdict"], "parked", "{json}");
    sandbox.runner(&["record", "verify"]).expect_code(0);
    let listed = sandbox.runner(&["--json", "list"]).expect_code(0).json();
    assert_eq!(listed["results"][0]["comparisons"][0]["verdict"], "win");
}

#[test]
fn a_second_deviation_is_told_against_the_first_registration() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("chained", &[]);
    sandbox.runner(&["register", &file]).expect_code(0);
    sandbox.manifest("chained", &[MARGIN]);
    sandbox.runner(&amend(&file)).expect_code(0);
    sandbox.runner(&["exec", &file]).expect_code(0);
    let text = std::fs::read_to_string(sandbox.path(&file)).unwrap();
    sandbox.write("other/wide.toml", text.replace("margin_percent = 6.0", "margin_percent = 19.9"));
    let deviate = ["record", "deviate", "chained", "other/wide.toml", "--reason", "a look"];
    // 5 was the first registration's margin, 6 the amended one
    sandbox.runner(&deviate).expect_code(0).expect_text("margin_percent: 5.0 -> 19.9");
}

#[test]
fn what_is_measured_cannot_be_changed_afterwards() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("fixed", &[]);
    sandbox.runner(&["exec", "--register", &file]).expect_code(0);
    let text = std::fs::read_to_string(sandbox.path(&file)).unwrap();
    for (from, to) in [
        (
            "contract.identical.of = \"tokens\"",
            "contract.argmax.at_least = 0.5\ncontract.argmax.positions = 16\ncontract.argmax.basis = \"a weaker promise\"",
        ),
        ("decode_tokens = 16", "decode_tokens = 32"),
        ("threads = 2", "threads = 1\nflash_attention = \"on\""),
    ] {
        assert!(text.contains(from), "{from}");
        sandbox.write("other/changed.toml", text.replace(from, to));
        let deviate = ["record", "deviate", "fixed", "other/changed.toml", "--reason", "a fix"];
        let said = sandbox.runner(&deviate);
        assert!(matches!(said.code, 2 | 3), "{from}: {}", said.err);
        assert!(said.code == 2 || said.err.contains("no re-grading"), "{from}: {}", said.err);
    }
    assert_eq!(sandbox.files("results/fixed/ledger").len(), 1);
}

#[test]
fn an_override_is_an_entry_of_its_own_and_the_verdict_stays() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("overruled", &[]);
    sandbox.runner(&["exec", "--register", &file]).expect_code(0);
    let decided = ["--decision", "not shipped", "--reason", "the \u{1f600} | release is frozen"];
    let mut wrong = vec!["record", "override", "overruled", "--arm", "slow"];
    wrong.extend(decided);
    sandbox.runner(&wrong).expect_code(2).expect_text("it has fast");
    let mut right = vec!["record", "override", "overruled", "--arm", "fast"];
    right.extend(decided);
    sandbox.runner(&right).expect_code(0).expect_text("the verdict stays win");
    let shown = sandbox.runner(&["show", "overruled"]).expect_code(0).out;
    assert!(shown.contains("not shipped"), "{shown}");
    assert!(shown.contains("win fast (above_margin)"), "{shown}");
    let page = sandbox.runner(&["report", "overruled"]).expect_code(0).out;
    assert!(page.contains("\\| release is frozen"), "{page}");
    sandbox.runner(&["record", "verify"]).expect_code(0);
}

#[test]
fn what_is_withdrawn_is_never_run_and_keeps_its_reason() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("withdrawn", &[]);
    sandbox.runner(&["register", &file]).expect_code(0);
    let withdraw = ["record", "withdraw", "withdrawn", "--reason", "the setting is gone"];
    sandbox.runner(&withdraw).expect_code(0).expect_text("its id is used up");
    sandbox.runner(&withdraw).expect_code(3).expect_text("already");
    for arguments in [&["exec", &file][..], &["register", &file], &["exec", "--register", &file]] {
        sandbox.runner(arguments).expect_code(3).expect_text("the setting is gone");
    }
    sandbox.runner(&amend(&file)).expect_code(3).expect_text("withdrawn");
    sandbox.runner(&["list"]).expect_code(0).expect_text("withdrawn on ");
    sandbox.runner(&["report"]).expect_code(0);
    let index = std::fs::read_to_string(sandbox.path("results/INDEX.md")).unwrap();
    assert!(index.contains("(withdrawn on "), "{index}");
    sandbox.runner(&["record", "verify"]).expect_code(0);
}

#[test]
fn a_result_is_not_withdrawn() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("a-result", &[]);
    sandbox.runner(&["exec", "--register", &file]).expect_code(0);
    sandbox
        .runner(&["record", "withdraw", "a-result", "--reason", "did not like it"])
        .expect_code(3)
        .expect_text("an outcome was seen: a-result/")
        .expect_text("record retract");
    assert_eq!(sandbox.files("results/a-result/ledger").len(), 1);
}

fn git(sandbox: &Sandbox, arguments: &[&str]) {
    let status = std::process::Command::new("git")
        .args(["-c", "user.name=n", "-c", "user.email=e@example.org"])
        .args(arguments)
        .current_dir(sandbox.root())
        .status();
    assert!(status.unwrap().success(), "{arguments:?}");
}

/// A project in a repository whose remote is a folder.
fn with_remote() -> Sandbox {
    let sandbox = Sandbox::with_model();
    sandbox.write(".gitignore", "/.cache\n/.lock\n/.machine\n/script.toml*\n/remote\n");
    git(&sandbox, &["init", "-q"]);
    git(&sandbox, &["init", "-q", "--bare", "remote"]);
    git(&sandbox, &["remote", "add", "origin", "remote"]);
    sandbox
}

fn commit(sandbox: &Sandbox) {
    git(sandbox, &["add", "."]);
    git(sandbox, &["commit", "-q", "-m", "a commit"]);
}

#[test]
fn what_was_pushed_before_the_run_is_said_to_have_been() {
    let sandbox = with_remote();
    let file = sandbox.manifest("pushed", &[]);
    commit(&sandbox);
    git(&sandbox, &["push", "-q", "origin", "HEAD:main"]);
    sandbox.runner(&["register", &file]).expect_code(0).expect_text("the manifest is pushed");
    commit(&sandbox);
    let exec = sandbox.runner(&["exec", &file]).expect_code(0).out;
    let line = exec.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(line.contains("registered pushed, committed at the start"), "{exec}");
    sandbox.runner(&["report"]).expect_code(0);
    let index = std::fs::read_to_string(sandbox.path("results/INDEX.md")).unwrap();
    assert!(index.contains("registered pushed, committed at the start |"), "{index}");
}

#[test]
fn an_entry_that_the_commit_has_and_the_tree_has_not_is_missing() {
    let sandbox = with_remote();
    let file = sandbox.manifest("deleted", &[]);
    sandbox.runner(&["exec", "--register", &file]).expect_code(0);
    sandbox.runner(&["record", "retract", "deleted", "--cause", "a test"]).expect_code(0);
    commit(&sandbox);
    sandbox.runner(&["record", "verify"]).expect_code(0);
    let retraction = sandbox
        .files("results/deleted/ledger")
        .into_iter()
        .find(|file| std::fs::read_to_string(sandbox.path(file)).unwrap().contains("[retract]"))
        .unwrap();
    std::fs::remove_file(sandbox.path(&retraction)).unwrap();
    let name = retraction.strip_prefix("results/").unwrap();
    sandbox.runner(&["record", "verify"]).expect_code(1).expect_text(&format!("failed: {name}: "));
    commit(&sandbox);
    sandbox
        .runner(&["record", "verify"])
        .expect_code(0)
        .expect_text(&format!("note: {name}: an earlier commit had it"));
}

#[test]
fn a_retracted_record_is_struck_everywhere_and_its_files_stay() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("struck", &[]);
    sandbox.runner(&["exec", "--register", &file]).expect_code(0);
    let run = sandbox.runs("struck").remove(0);
    let before = sandbox.snapshot(&format!("results/struck/{run}"));
    let own = format!("struck/{run}");
    let retract = |more: &[&str]| {
        let mut all = vec!["record", "retract", "struck", "--cause", "the wrong model"];
        all.extend(more);
        sandbox.runner(&all)
    };
    retract(&["--replacement", &own]).expect_code(3).expect_text("cannot replace itself");
    retract(&["--replacement", "nowhere/20270101-000000"])
        .expect_code(3)
        .expect_text("no such record");
    retract(&["--arm", "slow"]).expect_code(2).expect_text("it has fast");
    retract(&[]).expect_code(0).expect_text("is struck: the wrong model");
    retract(&[]).expect_code(3).expect_text("already");
    assert_eq!(sandbox.snapshot(&format!("results/struck/{run}")), before);
    let shown = sandbox.runner(&["show", "struck"]).expect_code(0).out;
    assert!(shown.starts_with("! this record was struck on "), "{shown}");
    sandbox.runner(&["list"]).expect_code(0).expect_text("STRUCK");
    sandbox.runner(&["report"]).expect_code(0);
    let index = std::fs::read_to_string(sandbox.path("results/INDEX.md")).unwrap();
    assert!(index.contains(&format!("> **Struck, not to be quoted:** {own}.")), "{index}");
    sandbox.runner(&["record", "verify"]).expect_code(0);
    // what is struck replaces nothing
    let other =
        sandbox.manifest("other", &[("prior_access = \"none\"", "prior_access = \"seen\"")]);
    sandbox.runner(&["exec", "--register", &other]).expect_code(0);
    let cause = ["--cause", "a test", "--replacement", &own];
    let mut all = vec!["record", "retract", "other"];
    all.extend(cause);
    sandbox.runner(&all).expect_code(3).expect_text("what shall replace it was struck on ");
}

#[test]
fn reasons_are_sentences() {
    let sandbox = Sandbox::with_model();
    for bad in ["", "  ", "two\nlines", "an \u{1b}[31m escape"] {
        sandbox.runner(&["record", "withdraw", "any", "--reason", bad]).expect_code(2);
    }
}

#[test]
fn another_version_of_the_rules_shows_where_it_differs() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("rules", &[]);
    sandbox.runner(&["exec", "--register", &file]).expect_code(0);
    sandbox
        .runner(&["record", "verify", "--rules", "1"])
        .expect_code(0)
        .expect_text("judged by version 1 of the rules: 1 record");
    sandbox.runner(&["record", "verify", "--rules", "99"]).expect_code(3).expect_text("version 99");
}

#[test]
fn writers_at_the_same_time_lose_no_entry() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("crowded", &[]);
    sandbox.runner(&["exec", "--register", &file]).expect_code(0);
    let children: Vec<_> = (0..8)
        .map(|number| {
            let decision = format!("decision {number}");
            sandbox.start(&[
                "record",
                "override",
                "crowded",
                "--arm",
                "fast",
                "--decision",
                &decision,
                "--reason",
                "eight at once",
            ])
        })
        .collect();
    for child in children {
        sandbox::finish(child).expect_code(0);
    }
    let json = sandbox.runner(&["--json", "show", "crowded"]).expect_code(0).json();
    assert_eq!(json["life"]["overrides"].as_array().unwrap().len(), 8, "{json}");
    sandbox.runner(&["record", "verify"]).expect_code(0);
    // each saw the one before: a chain, not a fan
    let ledger = sandbox.snapshot("results/crowded/ledger");
    let heads = ledger
        .keys()
        .map(|file| file.rsplit('/').next().unwrap().trim_end_matches(".toml").to_owned())
        .filter(|hash| {
            let is_parent = |content: &Vec<u8>| {
                let text = String::from_utf8_lossy(content);
                text.lines().any(|line| line.starts_with("parents") && line.contains(hash.as_str()))
            };
            !ledger.values().any(is_parent)
        })
        .count();
    assert_eq!(heads, 1);
}
