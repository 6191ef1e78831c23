//! Registration: what freezes, what is refused, and in which words.

use super::example::{circumstances, frozen, plan, project};
use super::*;
use crate::failure::FailureKind;

#[test]
fn registering_twice_writes_once_and_finds_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let project = project(folder.path());
    let first = register(&project, &plan("flash"), &frozen(), &circumstances()).unwrap();
    assert_eq!(first.outcome, RegistrationOutcome::Written);
    let later = Circumstances { at: "2027-01-01T00:00:00Z".to_owned(), ..circumstances() };
    let second = register(&project, &plan("flash"), &frozen(), &later).unwrap();
    assert_eq!(second.outcome, RegistrationOutcome::AlreadyThere);
    assert_eq!(second.registered, first.registered);
    let found = find_registration(&project, &plan("flash")).unwrap();
    assert_eq!(found, first.registered);
    assert_eq!(found.plan(), &plan("flash"));
    assert_eq!(found.circumstances(), &circumstances());
    let bytes = std::fs::read(&first.file).unwrap();
    let name = first.file.file_stem().unwrap().to_str().unwrap();
    assert_eq!(blake3::hash(&bytes).to_hex().as_str(), name);
    assert_eq!(std::fs::read_dir(ledger_folder(&project, found_id(&found))).unwrap().count(), 1);
}

fn found_id(registered: &Registered) -> &crate::manifest::ExperimentId {
    &registered.plan().id
}

#[test]
fn an_id_is_never_reused_and_the_changed_key_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let project = project(folder.path());
    register(&project, &plan("flash"), &frozen(), &circumstances()).unwrap();
    let mut other = plan("flash");
    other.decision.margin_percent = 3.0;
    other.arms[2].settings.threads = Some(1);
    let failure = register(&project, &other, &frozen(), &circumstances()).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Refused);
    assert!(failure.what.contains("decision.margin_percent: 2.0 -> 3.0"), "{failure}");
    assert!(failure.what.contains("arms[flash].settings.threads: (none) -> 1"), "{failure}");
    assert!(failure.hint.unwrap().contains("take a new id"));

    let failure = find_registration(&project, &other).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Refused);
    assert!(failure.what.starts_with("the manifest has changed since"), "{failure}");
    assert!(failure.what.contains("decision.margin_percent: 2.0 -> 3.0"), "{failure}");
    let hashes = failure.what.split(|c: char| !c.is_ascii_hexdigit());
    assert_eq!(hashes.filter(|word| word.len() == 64).count(), 2, "{failure}");
}

#[test]
fn what_is_not_registered_says_how_to_register() {
    let folder = tempfile::tempdir().unwrap();
    let failure = find_registration(&project(folder.path()), &plan("flash")).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Refused);
    assert!(failure.hint.unwrap().contains("runner register FILE"));
}

#[test]
fn every_changed_fact_is_refused_with_both_hashes() {
    let folder = tempfile::tempdir().unwrap();
    let project = project(folder.path());
    let registered =
        register(&project, &plan("flash"), &frozen(), &circumstances()).unwrap().registered;
    registered.confirm(&frozen()).unwrap();
    let mut now = frozen();
    now.model.sha256 = "11".repeat(32);
    now.inputs.blake3 = "22".repeat(32);
    now.rules_version = 2;
    now.engines[0].source_blake3 = "33".repeat(32);
    let failure = registered.confirm(&now).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Refused);
    for hash in ["11", "22", "33", "cd", "00", "ab"] {
        assert!(failure.what.contains(&hash.repeat(32)), "{hash} in {failure}");
    }
    assert!(failure.what.contains("rules of judgement are version 2, registered were 1"));
    let mut missing = frozen();
    missing.engines.clear();
    assert!(registered.confirm(&missing).unwrap_err().what.contains("worker `native`"));
}

#[test]
fn a_source_freeze_lets_another_compiler_pass_but_not_another_source() {
    let folder = tempfile::tempdir().unwrap();
    let project = project(folder.path());
    let mut then = frozen();
    then.freeze = crate::manifest::Freeze::Source;
    let registered =
        register(&project, &plan("flash"), &then, &circumstances()).unwrap().registered;
    let mut now = frozen();
    now.engines[0].build_blake3 = "44".repeat(32);
    registered.confirm(&now).unwrap();
    now.engines[0].source_blake3 = "55".repeat(32);
    assert!(registered.confirm(&now).is_err());

    let strict = register(&project, &plan("other"), &frozen(), &circumstances()).unwrap();
    let mut now = frozen();
    now.engines[0].build_blake3 = "44".repeat(32);
    assert!(strict.registered.confirm(&now).unwrap_err().what.contains("compiler, flags"));
}

#[test]
fn the_build_hash_follows_every_flag() {
    use crate::manifest::WorkerChoice;
    let facts = example::engine_facts();
    let of = |facts| FrozenEngine::of(&WorkerChoice::Native, &facts).build_blake3;
    let base = of(facts.clone());
    let mut flags = facts.clone();
    flags.flags.insert("shim".to_owned(), vec!["-O0".to_owned()]);
    let mut compiler = facts.clone();
    compiler.compiler = "clang 18".to_owned();
    let mut isa = facts.clone();
    isa.instruction_set.push("avx512f".to_owned());
    let mut order = facts.clone();
    order.instruction_set.reverse();
    for changed in [flags, compiler, isa] {
        assert_ne!(of(changed), base);
    }
    assert_eq!(of(order), base);
}

#[test]
fn a_changed_entry_and_a_newer_one_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let project = project(folder.path());
    let new = register(&project, &plan("flash"), &frozen(), &circumstances()).unwrap();
    let ledger = ledger_folder(&project, found_id(&new.registered));
    let newer = format!(
        "format_version = 2\nkind = \"consecrate\"\nexperiment = \"flash\"\n\
         parents = [\"{}\"]\nat = \"2030-01-01T00:00:00Z\"\nnovelty = 1\n",
        new.registered.entry()
    );
    let name = blake3::hash(newer.as_bytes()).to_hex();
    std::fs::write(ledger.join(format!("{name}.toml")), &newer).unwrap();
    // It is read as far as known, and what was registered stands.
    assert_eq!(find_registration(&project, &plan("flash")).unwrap(), new.registered);
    let entries = read_ledger(&project, found_id(&new.registered)).unwrap();
    assert_eq!(entries[1].body, EntryBody::Uninterpreted);
    assert_eq!(heads(&entries), vec![entries[1].hash.clone()]);

    let text = std::fs::read_to_string(&new.file).unwrap();
    std::fs::write(&new.file, text.replacen("flash", "flush", 1)).unwrap();
    let failure = find_registration(&project, &plan("flash")).unwrap_err();
    assert!(failure.what.contains("was changed"), "{failure}");
}

#[test]
fn nothing_is_written_beside_an_entry_of_a_newer_version() {
    let folder = tempfile::tempdir().unwrap();
    let project = project(folder.path());
    let ledger = ledger_folder(&project, &plan("flash").id);
    std::fs::create_dir_all(&ledger).unwrap();
    let newer = "format_version = 2\nkind = \"novel\"\nexperiment = \"flash\"\nparents = []\n\
                 at = \"2030-01-01T00:00:00Z\"\n";
    let name = blake3::hash(newer.as_bytes()).to_hex();
    std::fs::write(ledger.join(format!("{name}.toml")), newer).unwrap();
    let failure = register(&project, &plan("flash"), &frozen(), &circumstances()).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Refused);
    assert!(failure.what.contains("version 2"), "{failure}");
    assert_eq!(std::fs::read_dir(&ledger).unwrap().count(), 1);
}

#[test]
fn another_id_on_the_same_question_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let project = project(folder.path());
    register(&project, &plan("first"), &frozen(), &circumstances()).unwrap();
    let second = register(&project, &plan("second"), &frozen(), &circumstances()).unwrap();
    let ids: Vec<&str> = second.prior.iter().map(|prior| prior.id.as_str()).collect();
    assert_eq!(ids, ["first"]);
    assert_eq!(experiment_number(&second.prior), 1);
    let run =
        run_folder(&project, &plan("first").id, &RunName::at("2026-11-29T16:10:31Z").unwrap());
    std::fs::create_dir_all(&run).unwrap();
    std::fs::write(run.join(JOURNAL_FILE), "{\"block\":{}}\n").unwrap();
    let prior = prior_experiments(&project, second.registered.question_key()).unwrap();
    assert_eq!(experiment_number(&prior), 2);
    let mut different = plan("third");
    different.arms[2].settings.threads = Some(1);
    let third = register(&project, &different, &frozen(), &circumstances()).unwrap();
    assert_eq!(third.prior, Vec::new());
}

#[test]
fn run_names_sort_by_time_and_are_safe_folder_names() {
    let one = RunName::at("2026-11-29T16:10:31Z").unwrap();
    let two = RunName::at("2026-11-29T18:10:32+01:00").unwrap();
    assert_eq!(one.as_str(), "20261129-161031");
    assert_eq!(two.as_str(), "20261129-171032");
    assert!(one < one.numbered(2) && one.numbered(2) < two);
    for bad in ["..", "20261129", "20261129-1610311", "20261129-161031-", "../20261129-161031"] {
        assert!(RunName::try_from(bad.to_owned()).is_err(), "{bad}");
    }
    assert!(RunName::try_from("20261129-161031-2".to_owned()).is_ok());
}
