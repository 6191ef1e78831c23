//! Sealing, reading, verifying: every changed byte is noticed, nothing half-written is whole.

use std::path::{Path, PathBuf};

use super::example::{self, SOURCE, circumstances, frozen, judge, plan, project};
use super::*;
use crate::manifest::Plan;
use crate::project::Project;
use crate::verdict::{Analysis, Evidence, Verdict};

fn source(registered: &Registered) -> ManifestSource {
    ManifestSource::of(SOURCE, registered.plan(), registered).unwrap()
}

fn seal_run(project: &Project, plan: &Plan, at: &str, evidence: &Evidence) -> NewRecord {
    let registered = register(project, plan, &frozen(), &circumstances()).unwrap().registered;
    let run = RunName::at(at).unwrap();
    let analysis = judge(plan, evidence);
    let finished = SealRequest {
        registered: &registered,
        run: &run,
        manifest_source: &source(&registered),
        evidence,
        analysis: &analysis,
        provenance: &example::provenance(),
    };
    seal(project, &finished, &crate::report::markdown_table).unwrap()
}

fn index(listing: &Listing) -> String {
    crate::report::index(&listing.summaries)
}

fn checks() -> Checks<'static> {
    let judge: &(dyn Fn(u32, &Plan, &Evidence) -> Option<Analysis> + Sync) =
        &|version, plan, evidence| (version == 1).then(|| judge(plan, evidence));
    Checks { judge, index: &index }
}

fn findings(project: &Project) -> Vec<Finding> {
    verify(project, &checks()).unwrap()
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files_below(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

fn sealed_project() -> (tempfile::TempDir, Project) {
    let folder = tempfile::tempdir().unwrap();
    let project = project(folder.path());
    seal_run(&project, &plan("flash"), "2026-11-29T17:00:00Z", &example::evidence());
    let text = index(&list(&project).unwrap());
    std::fs::write(project.results.join(INDEX_FILE), text).unwrap();
    (folder, project)
}

#[test]
fn a_sealed_record_reads_back_as_it_was_and_verifies() {
    let folder = tempfile::tempdir().unwrap();
    let project = project(folder.path());
    let new = seal_run(&project, &plan("flash"), "2026-11-29T17:00:00Z", &example::evidence());
    assert_eq!(new.warnings, Vec::<String>::new());
    let run = new.record.sealed.run.clone();
    assert_eq!(read(&project, &plan("flash").id, &run).unwrap(), new.record);
    assert_eq!(findings(&project), Vec::new());
    let total: u64 = files_below(&run_folder(&project, &plan("flash").id, &run))
        .iter()
        .map(|path| path.metadata().unwrap().len())
        .sum();
    assert_eq!(total, new.bytes);
}

#[test]
fn any_changed_byte_of_any_file_is_found_and_the_file_named() {
    let (_folder, project) = sealed_project();
    assert_eq!(findings(&project), Vec::new());
    for path in files_below(&project.results) {
        let bytes = std::fs::read(&path).unwrap();
        let name = path.strip_prefix(&project.results).unwrap().to_str().unwrap().to_owned();
        // Each byte of the small file, a spread of the others.
        let step = (bytes.len() / 40).max(1);
        for index in (0..bytes.len()).step_by(step).chain([bytes.len() - 1]) {
            let mut changed = bytes.clone();
            changed[index] ^= 0x01;
            std::fs::write(&path, &changed).unwrap();
            let found = findings(&project);
            let named = found
                .iter()
                .any(|finding| finding.severity == Severity::Failed && finding.file == name);
            assert!(named, "{name}, byte {index}: {found:?}");
        }
        std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        assert!(!passes(&findings(&project)), "{name}, cut");
        std::fs::write(&path, &bytes).unwrap();
    }
    assert_eq!(findings(&project), Vec::new());
}

#[test]
fn a_missing_file_and_a_stray_one_are_found() {
    let (_folder, project) = sealed_project();
    for path in files_below(&project.results) {
        let name = path.strip_prefix(&project.results).unwrap().to_str().unwrap().to_owned();
        if name == INDEX_FILE {
            continue; // no overview is legal
        }
        let bytes = std::fs::read(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert!(!passes(&findings(&project)), "{name} removed");
        std::fs::write(&path, bytes).unwrap();
    }
    let ledger = project.results.join("flash").join(LEDGER_FOLDER);
    let aside = project.cache.join("ledger");
    std::fs::create_dir_all(&project.cache).unwrap();
    std::fs::rename(&ledger, &aside).unwrap();
    assert!(!passes(&findings(&project)), "the ledger removed");
    std::fs::rename(&aside, &ledger).unwrap();
    for place in ["flash/20261129-170000/notes.txt", "flash/notes.txt", "flash/ledger/x", "x.txt"] {
        let path = project.results.join(place);
        std::fs::write(&path, "x").unwrap();
        let found = findings(&project);
        assert!(found.iter().any(|finding| finding.file == place), "{place}: {found:?}");
        assert!(!passes(&found));
        std::fs::remove_file(&path).unwrap();
    }
}

#[test]
fn a_verdict_that_does_not_follow_from_the_samples_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let project = project(folder.path());
    let registered =
        register(&project, &plan("flash"), &frozen(), &circumstances()).unwrap().registered;
    let evidence = example::evidence();
    let mut analysis = judge(&plan("flash"), &evidence);
    let effect = analysis.comparisons[0].effect.as_mut().unwrap();
    effect.log_ratio = f64::from_bits(effect.log_ratio.to_bits() + 1);
    let finished = SealRequest {
        registered: &registered,
        run: &RunName::at("2026-11-29T17:00:00Z").unwrap(),
        manifest_source: &source(&registered),
        evidence: &evidence,
        analysis: &analysis,
        provenance: &example::provenance(),
    };
    seal(&project, &finished, &|_| String::new()).unwrap();
    let found = findings(&project);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].what.contains("does not follow from the samples: sealed `log_ratio"));
    // Under rules that this program does not know it is not recomputed, and that is said.
    let other = Checks { judge: &|_, _, _| None, index: &index };
    let found = verify(&project, &other).unwrap();
    assert_eq!(found[0].severity, Severity::Unchecked);
    assert!(found[0].what.contains("rules version 1, which this program does not know"));
}

#[test]
fn killed_between_any_two_steps_a_run_is_unfinished_and_can_be_sealed() {
    let (_folder, project) = sealed_project();
    let run_folder = project.results.join("flash/20261129-170000");
    let names = store::names_in(&run_folder).unwrap();
    let whole: Vec<(String, Vec<u8>)> = names
        .iter()
        .map(|name| (name.clone(), std::fs::read(run_folder.join(name)).unwrap()))
        .collect();
    let record_last = whole.iter().filter(|(name, _)| name != RECORD_FILE).collect::<Vec<_>>();
    for renamed in 0..=record_last.len() {
        std::fs::remove_dir_all(&run_folder).unwrap();
        std::fs::create_dir_all(&run_folder).unwrap();
        std::fs::write(run_folder.join(JOURNAL_FILE), "{\"block\":{}}\n").unwrap();
        for (index, (name, bytes)) in record_last.iter().enumerate() {
            let end = if index < renamed { "" } else { PARTIAL };
            std::fs::write(run_folder.join(format!("{name}{end}")), bytes).unwrap();
        }
        std::fs::write(run_folder.join(format!("{RECORD_FILE}{PARTIAL}")), "half").unwrap();
        let id = plan("flash").id;
        assert_eq!(runs_of(&project, &id).unwrap()[0].state, RunState::UnfinishedWithBlocks);
        assert!(read(&project, &id, &runs_of(&project, &id).unwrap()[0].run).is_err());
        let again =
            seal_run(&project, &plan("flash"), "2026-11-29T17:00:00Z", &example::evidence());
        assert_eq!(again.record.sealed.attempt, 1);
        assert_eq!(findings(&project), Vec::new(), "{renamed} renamed");
    }
}

#[test]
fn a_sealed_run_is_not_sealed_again() {
    let (_folder, project) = sealed_project();
    let registered = find_registration(&project, &plan("flash")).unwrap();
    let evidence = example::evidence();
    let finished = SealRequest {
        registered: &registered,
        run: &RunName::at("2026-11-29T17:00:00Z").unwrap(),
        manifest_source: &source(&registered),
        evidence: &evidence,
        analysis: &judge(&plan("flash"), &evidence),
        provenance: &example::provenance(),
    };
    let failure = seal(&project, &finished, &|_| String::new()).unwrap_err();
    assert!(failure.what.contains("sealed already"));
    assert_eq!(findings(&project), Vec::new());
}

#[test]
fn the_first_run_with_a_sample_is_the_primary_whatever_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let project = project(folder.path());
    let id = plan("flash").id;
    let mut none = example::evidence();
    none.samples.clear();
    let attempt = |at: &str, evidence: &Evidence| {
        seal_run(&project, &plan("flash"), at, evidence).record.sealed
    };
    // A run without a sample is no attempt.
    assert_eq!(attempt("2026-11-29T10:00:00Z", &none).attempt, 1);
    assert_eq!(attempt("2026-11-29T11:00:00Z", &example::evidence()).attempt, 1);
    // One that was cut after a block is.
    let cut = run_folder(&project, &id, &RunName::at("2026-11-29T12:00:00Z").unwrap());
    std::fs::create_dir_all(&cut).unwrap();
    std::fs::write(cut.join(JOURNAL_FILE), "{\"opened\":{}}\n{\"at\":\"x\",\"block\":{}}\n")
        .unwrap();
    let empty = run_folder(&project, &id, &RunName::at("2026-11-29T12:30:00Z").unwrap());
    std::fs::create_dir_all(&empty).unwrap();
    std::fs::write(empty.join(JOURNAL_FILE), "{\"opened\":{}}\n{\"block\":{\"rou").unwrap();
    let third = attempt("2026-11-29T13:00:00Z", &example::evidence());
    assert_eq!(third.attempt, 3);
    let sentence = &third.claims[0].sentence;
    assert!(
        sentence.starts_with("Attempt 3, after 20261129-110000 win, 20261129-120000 unfinished: ")
    );
    assert!(sentence.contains("does not win alone"), "{sentence}");
    let second = list(&project).unwrap();
    assert_eq!(second.summaries.len(), 5);
    assert!(passes(&findings(&project)));
}

#[test]
fn a_win_after_wins_names_its_attempt_and_no_more() {
    let earlier = vec![EarlierRun {
        run: RunName::at("2026-11-29T11:00:00Z").unwrap(),
        verdicts: vec![EarlierVerdict {
            arm: "flash".to_owned(),
            condition: String::new(),
            verdict: Verdict::Win,
        }],
    }];
    let analysis = judge(&plan("flash"), &example::evidence());
    let claims = sealed_claims(&analysis, 2, &earlier);
    assert!(claims[0].sentence.starts_with("Attempt 2, after 20261129-110000 win: flash changes"));
    assert!(!claims[0].sentence.contains("alone"));
    assert_eq!(sealed_claims(&analysis, 1, &[])[0].sentence, analysis.comparisons[0].claim);
}

#[test]
fn a_number_that_is_not_finite_is_not_sealed() {
    let folder = tempfile::tempdir().unwrap();
    let project = project(folder.path());
    let registered =
        register(&project, &plan("flash"), &frozen(), &circumstances()).unwrap().registered;
    let evidence = example::evidence();
    let mut analysis = judge(&plan("flash"), &evidence);
    analysis.comparisons[0].holm_p = Some(f64::NAN);
    let run = RunName::at("2026-11-29T17:00:00Z").unwrap();
    let finished = SealRequest {
        registered: &registered,
        run: &run,
        manifest_source: &source(&registered),
        evidence: &evidence,
        analysis: &analysis,
        provenance: &example::provenance(),
    };
    let failure = seal(&project, &finished, &|_| String::new()).unwrap_err();
    assert!(failure.what.contains("analysis.comparisons[0].holm_p"), "{failure}");
    assert!(!run_folder(&project, &plan("flash").id, &run).join(RECORD_FILE).exists());
}

#[test]
fn every_float_comes_back_bit_for_bit() {
    let values = [0.1 + 0.2, -0.0, 5e-324, f64::MAX, 1.0 / 3.0, 1e-7, 123_456_789.123_456_79];
    for value in values {
        let mut analysis = judge(&plan("flash"), &example::evidence());
        analysis.comparisons[0].holm_p = Some(value);
        let text = toml::to_string(&analysis).unwrap();
        let back: crate::verdict::Analysis = toml::from_str(&text).unwrap();
        assert_eq!(back.comparisons[0].holm_p.unwrap().to_bits(), value.to_bits());
        assert_eq!(toml::to_string(&back).unwrap(), text);
    }
}

#[test]
fn a_record_of_a_newer_version_is_listed_and_its_files_are_still_checked() {
    let (_folder, project) = sealed_project();
    let path = project.results.join("flash/20261129-170000").join(RECORD_FILE);
    let text = std::fs::read_to_string(&path).unwrap();
    let content = seal_line::without_seal(&text).unwrap();
    let newer = content.replacen("format_version = 1", "format_version = 2\nnovelty = 1", 1);
    std::fs::write(&path, seal_line::with_seal(&newer)).unwrap();
    let listing = list(&project).unwrap();
    assert!(matches!(listing.summaries[0].state, SummaryState::Newer(_)), "{listing:?}");
    std::fs::remove_file(project.results.join(INDEX_FILE)).unwrap();
    let found = findings(&project);
    assert!(passes(&found) && found[0].severity == Severity::Unchecked, "{found:?}");
    std::fs::write(path.with_file_name(TABLE_FILE), "changed").unwrap();
    assert!(!passes(&findings(&project)));
}

#[test]
fn a_local_run_does_not_make_a_committed_overview_wrong() {
    let (_folder, project) = sealed_project();
    seal_run(&project, &plan("flash"), "2026-11-29T18:00:00Z", &example::evidence());
    let found = findings(&project);
    assert!(passes(&found) && found.len() == 1, "{found:?}");
    assert_eq!(found[0].file, INDEX_FILE);
    assert!(found[0].what.contains("does not name every run"));
}

#[test]
fn nothing_private_reaches_a_record() {
    let (_folder, project) = sealed_project();
    for path in files_below(&project.results) {
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        for private in ["/home", "/ada", project.root.to_str().unwrap()] {
            assert!(!text.contains(private), "{private} in {}", path.display());
        }
    }
}

#[test]
fn what_changed_during_a_run_is_named_and_the_stack_key_follows_the_facts() {
    let provenance = example::provenance();
    assert_eq!(provenance.changes.len(), 1);
    assert_eq!(provenance.changes[0].fact, "governor");
    let mut other = provenance.clone();
    other.start.machine.insert("kernel".to_owned(), "6.9".to_owned());
    assert_ne!(other.computed_stack_key(), provenance.stack_key);
    let mut memory = provenance.clone();
    memory.start.machine.insert("memory_free".to_owned(), "1".to_owned());
    assert_eq!(memory.computed_stack_key(), provenance.stack_key);
}

#[test]
fn a_text_that_means_something_else_does_not_become_the_manifest_of_a_record() {
    let folder = tempfile::tempdir().unwrap();
    let project = project(folder.path());
    let registered =
        register(&project, &plan("flash"), &frozen(), &circumstances()).unwrap().registered;
    let mut other = plan("flash");
    other.decision.margin_percent = 1.0;
    let failure = ManifestSource::of(SOURCE, &other, &registered).unwrap_err();
    assert_eq!(failure.kind, crate::failure::FailureKind::Refused);
}

/// What the real judgement says of a record that was judged under one version of the rules and
/// registered under another.
fn judged_and_registered(judged: u32, registered_under: u32) -> Vec<Finding> {
    use crate::verdict;
    let folder = tempfile::tempdir().unwrap();
    let project = project(folder.path());
    let mut frozen = frozen();
    frozen.rules_version = registered_under;
    let registered =
        register(&project, &plan("flash"), &frozen, &circumstances()).unwrap().registered;
    let evidence = example::evidence();
    let request = SealRequest {
        registered: &registered,
        run: &RunName::at("2026-11-29T17:00:00Z").unwrap(),
        manifest_source: &source(&registered),
        evidence: &evidence,
        analysis: &verdict::judge_under(judged, registered.plan(), &evidence).unwrap(),
        provenance: &example::provenance(),
    };
    seal(&project, &request, &crate::report::markdown_table).unwrap();
    verify(&project, &Checks { judge: &verdict::judge_under, index: &index }).unwrap()
}

#[test]
fn the_judges_own_verdict_is_recomputed_byte_for_byte_under_its_own_rules() {
    for version in 1..=crate::verdict::RULES_VERSION {
        assert_eq!(judged_and_registered(version, version), Vec::new(), "version {version}");
    }
}

#[test]
fn a_verdict_by_other_rules_than_the_registered_ones_fails() {
    let found = judged_and_registered(1, 2);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].severity, Severity::Failed);
    assert_eq!(found[0].what, "judged by rules version 1, registered under 2");
}

#[test]
fn a_write_that_fails_leaves_no_record_and_keeps_the_journal() {
    let (_folder, project) = sealed_project();
    let run_folder = project.results.join("flash/20261129-170000");
    std::fs::remove_dir_all(&run_folder).unwrap();
    // A folder of that name is in the way: the last of the other files cannot be renamed.
    std::fs::create_dir_all(run_folder.join(TABLE_FILE).join("in-the-way")).unwrap();
    std::fs::write(run_folder.join(JOURNAL_FILE), "{\"block\":{}}\n").unwrap();
    let registered = find_registration(&project, &plan("flash")).unwrap();
    let evidence = example::evidence();
    let request = SealRequest {
        registered: &registered,
        run: &RunName::at("2026-11-29T17:00:00Z").unwrap(),
        manifest_source: &source(&registered),
        evidence: &evidence,
        analysis: &judge(&plan("flash"), &evidence),
        provenance: &example::provenance(),
    };
    let failure = seal(&project, &request, &|_| String::new()).unwrap_err();
    assert!(failure.place.unwrap().ends_with(TABLE_FILE));
    assert!(!run_folder.join(RECORD_FILE).exists());
    assert!(run_folder.join(JOURNAL_FILE).exists());
}
