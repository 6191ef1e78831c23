//! Every record against every version of its manifest that was ever frozen.

use std::collections::BTreeMap;

use super::findings::{Finding, Rule};
use super::ledgers::FrozenVersion;
use super::shelf::Shelf;
use crate::manifest::from_canonical;
use crate::project::Project;
use crate::record::{Record, samples, verdict_word};
use crate::verdict::{Analysis, Evidence, Verdict, judge_under};

/// Judges the samples of each record under each other version, and names where the verdict differs.
/// Only ledgers that froze more than one version cost anything.
pub fn versions(project: &Project, shelf: &Shelf, findings: &mut Vec<Finding>) {
    for ledger in &shelf.ledgers {
        let versions = ledger.versions();
        if versions.len() < 2 {
            continue;
        }
        for shelved in shelf.records() {
            let Ok(record) = &shelved.content else { continue };
            if record.sealed.id != ledger.id {
                continue;
            }
            of_record(project, record, &versions, findings);
        }
    }
}

fn of_record(
    project: &Project,
    record: &Record,
    versions: &[FrozenVersion<'_>],
    findings: &mut Vec<Finding>,
) {
    let sealed = &record.sealed;
    let name = format!("{}/{}", sealed.id, sealed.run);
    let file = format!("results/{name}/record.toml");
    let own = sealed.manifest_hash.hex();
    let unchecked = |what: String| Finding::of_file(Rule::VersionsUnchecked, file.as_str(), what);
    let rows = match samples(project, record) {
        Ok(rows) => rows,
        Err(failure) => {
            let count = versions.len();
            let what =
                format!("{name} is not judged under {count} frozen versions: {}", failure.what);
            findings.push(unchecked(what));
            return;
        }
    };
    let evidence = Evidence { samples: rows, facts: sealed.facts.clone() };
    for version in versions.iter().filter(|version| version.hash != own) {
        let FrozenVersion { by: named, hash, canonical } = version;
        let plan = match from_canonical(canonical) {
            Ok(plan) => plan,
            Err(failure) => {
                findings.push(unchecked(format!("the version of the {named}: {}", failure.what)));
                continue;
            }
        };
        let Some(analysis) = judge_under(sealed.rules_version, &plan, &evidence) else {
            let version = sealed.rules_version;
            let what = format!("{name} was judged by rules version {version}, unknown here");
            findings.push(unchecked(what));
            return;
        };
        for difference in differences(&sealed.analysis, &analysis) {
            let what = format!("{name}: {difference} under the {named} ({})", short(hash));
            let found = Finding::of_file(Rule::VersionsDiffer, file.as_str(), what);
            findings.push(found.hint("the registered verdict stands; say both where it is cited"));
        }
    }
}

fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}

/// Comparisons whose verdicts differ, or that are in one analysis only.
fn differences(sealed: &Analysis, other: &Analysis) -> Vec<String> {
    type Key<'analysis> = (&'analysis str, &'analysis str);
    fn verdicts(analysis: &Analysis) -> BTreeMap<Key<'_>, Verdict> {
        let all = analysis.comparisons.iter();
        all.map(|one| ((one.arm.as_str(), one.condition.as_str()), one.verdict)).collect()
    }
    let (here, there) = (verdicts(sealed), verdicts(other));
    let mut found = Vec::new();
    for (key, verdict) in &here {
        let (arm, condition) = key;
        let place = if condition.is_empty() { String::new() } else { format!(" at {condition}") };
        let sealed = verdict_word(*verdict);
        match there.get(key) {
            Some(other) if other == verdict => {}
            Some(other) => {
                found.push(format!("`{arm}`{place} is {sealed}, and {}", verdict_word(*other)));
            }
            None => found.push(format!("`{arm}`{place} is {sealed}, and not judged")),
        }
    }
    found
}
