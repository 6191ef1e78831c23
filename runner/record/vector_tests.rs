//! Results of format version 1 as the first release wrote them. They stay readable for ever.

use std::path::{Path, PathBuf};

use engine_protocol::{BufferBytes, BufferKind, OperationCount};

use super::example::{self, SOURCE, circumstances, comparison, frozen, plan};
use super::*;
use crate::project::Project;
use crate::verdict::{
    self, Analysis, ArmFault, ArmFaultKind, ArmMemory, Engagement, Evidence, Interruption,
    NamedFigure, ReasonCode, RunSummary as Summary,
};

fn vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("runner/record/vectors")
}

fn old_project() -> Project {
    Project { root: vectors(), results: vectors().join("results"), cache: std::env::temp_dir() }
}

/// Evidence with every field filled.
fn evidence() -> Evidence {
    let mut evidence = example::evidence();
    let facts = &mut evidence.facts;
    facts.interruptions.push(Interruption {
        round: 1,
        blocks_done: 1,
        last_entry_at: "2026-11-29T17:01:00Z".to_owned(),
        resumed_at: "2026-11-29T17:02:00Z".to_owned(),
    });
    facts.arm_faults.push(ArmFault {
        arm: "off-again".to_owned(),
        kind: ArmFaultKind::Crashed,
        detail: "signal 11".to_owned(),
        round: Some(1),
    });
    facts.contracts[0]
        .figures
        .push(NamedFigure { name: "tokens_equal".to_owned(), value: Some(768.0) });
    facts.contracts[0].figures.push(NamedFigure { name: "none".to_owned(), value: None });
    facts.engagement.push(Engagement {
        arm: "flash".to_owned(),
        operations: vec![OperationCount {
            operation: "flash_attn_ext".to_owned(),
            device: "CPU".to_owned(),
            count: 30,
        }],
    });
    facts.memory.push(ArmMemory {
        arm: "flash".to_owned(),
        buffers: vec![BufferBytes {
            device: "CPU".to_owned(),
            kind: BufferKind::Weights,
            bytes: 3_900_000,
        }],
    });
    evidence
}

/// An analysis with every field filled; it stands for rules that no release has (version 0), so
/// that a change of the rules does not touch it.
fn analysis() -> Analysis {
    let mut won = comparison("flash", 0.0512, 0.0205, ReasonCode::AboveMargin);
    won.effect_with_flagged = Some(example::effect(1.0 / 3.0, 0.1, 95.0, 16));
    let mut analysis = example::analysis(vec![won], Summary::Judged);
    analysis.rules_version = 0;
    let described = comparison("control", -0.0, 0.02, ReasonCode::DescribedOnly);
    analysis.secondary.push(verdict::SecondaryFigure {
        arm: "flash".to_owned(),
        condition: String::new(),
        metric: "prompt_milliseconds".to_owned(),
        values: described.off.clone().unwrap(),
    });
    analysis.described.push(described);
    analysis
}

fn index(listing: &Listing) -> String {
    crate::report::index(&listing.summaries)
}

#[test]
fn an_old_record_reads_with_every_value() {
    let project = old_project();
    let run = RunName::try_from("20261129-170000".to_owned()).unwrap();
    let record = read(&project, &plan("flash").id, &run).unwrap();
    assert_eq!(record.plan, plan("flash"));
    assert_eq!(record.registered, circumstances());
    assert_eq!(record.provenance, example::provenance());
    assert_eq!(record.sealed.facts, evidence().facts);
    assert_eq!(record.sealed.analysis, analysis());
    assert_eq!(record.sealed.attempt, 1);
    let samples = run_folder(&project, &plan("flash").id, &run).join(record.sealed.samples.file);
    assert_eq!(sample_table::read(&samples).unwrap(), example::samples());
}

#[test]
fn old_results_verify_and_what_is_not_known_is_left_alone() {
    let project = old_project();
    let judge = |_: u32, _: &crate::manifest::Plan, _: &Evidence| Some(analysis());
    let found = verify(&project, &Checks { judge: &judge, index: &index });
    // The overview is not part of the vectors: its wording may change.
    let mut found = found.unwrap();
    // The analysis stands for rules that no release has, and the registration does not.
    found.retain(|finding| finding.what != "judged by rules version 0, registered under 1");
    // a `retract` of before there was one: named, and counted for nothing
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.iter().all(|finding| finding.severity == Severity::Unchecked), "{found:?}");
    assert!(found[0].what.contains("`[retract]` cannot be understood"), "{found:?}");
    assert!(found[1].what.contains("version 2"), "{found:?}");
}

#[test]
fn old_entries_of_other_kinds_are_read_and_not_interpreted() {
    let entries = read_ledger(&old_project(), &plan("flash").id).unwrap();
    let kinds: Vec<(&str, u32)> =
        entries.iter().map(|entry| (entry.kind.as_str(), entry.format_version)).collect();
    assert_eq!(kinds, [("register", 1), ("retract", 1), ("supersede", 2)]);
    assert_eq!(entries[1].parents, vec![entries[0].hash.clone()]);
    assert_eq!(heads(&entries), vec![entries[2].hash.clone()]);
    assert_eq!(find_registration(&old_project(), &plan("flash")).unwrap().frozen(), &frozen());
}

#[test]
#[ignore = "renews the vectors, with `--no-default-features`; only before a format is released"]
fn renew_vectors() {
    let project = old_project();
    let _ = std::fs::remove_dir_all(&project.results);
    let registered =
        register(&project, &plan("flash"), &frozen(), &circumstances()).unwrap().registered;
    let request = SealRequest {
        registered: &registered,
        run: &RunName::at("2026-11-29T17:00:00Z").unwrap(),
        manifest_source: &ManifestSource::of(SOURCE, &plan("flash"), &registered).unwrap(),
        evidence: &evidence(),
        analysis: &analysis(),
        provenance: &example::provenance(),
    };
    seal(&project, &request, &crate::report::markdown_table).unwrap();
    let ledger = ledger_folder(&project, &plan("flash").id);
    let mut parent = registered.entry().clone();
    for (version, kind, at) in
        [(1, "retract", "2027-01-01T00:00:00Z"), (2, "supersede", "2028-01-01T00:00:00Z")]
    {
        let text = format!(
            "format_version = {version}\nkind = \"{kind}\"\nexperiment = \"flash\"\n\
             parents = [\"{parent}\"]\nat = \"{at}\"\nstate = \"committed\"\n\n\
             [{kind}]\nrecord = \"flash/20261129-170000\"\nwhy = \"a test vector\"\n"
        );
        parent = EntryHash::of(text.as_bytes());
        std::fs::write(ledger.join(format!("{parent}.toml")), text).unwrap();
    }
}
