//! A deviation: what was measured, judged by a manifest that was changed after an outcome was seen.
//! It is exploratory. The registered rule is computed first, and what changed is told against the
//! first registration, so that a chain of small changes shows in full.

use std::path::PathBuf;

use super::append::append;
use super::difference::changed_keys;
use super::entries::{Deviation, DeviationOutcome};
use super::entry::EntryBody;
use super::identity::Identity;
use super::judge_again::{evidence_of, judge_again};
use super::registered::Circumstances;
use super::sealed::Record;
use super::versions::frozen_versions;
use crate::failure::Failure;
use crate::manifest::Plan;
use crate::project::Project;
use crate::verdict::{Analysis, Comparison};

/// What [`deviate`] found and wrote.
#[derive(Debug, Clone, PartialEq)]
pub struct NewDeviation {
    /// The registered rule's judgement, computed again from the samples.
    pub registered: Analysis,
    /// What the changed manifest says.
    pub deviation: Deviation,
    /// The entry's file.
    pub file: PathBuf,
}

/// Keys of the canonical manifest that say how samples are judged, or only what people meant. All
/// others say what is measured: their change needs a new experiment.
const ANALYSIS: [&str; 9] = [
    "decision.",
    "stop",
    "claim.",
    "gate.contaminated_percent",
    "ladder.stop",
    "noise.",
    "title",
    "hypothesis",
    "mechanism",
];

/// Judges a record by a changed manifest, and writes it down.
///
/// # Errors
/// Refused when the manifest is of another experiment, nothing differs, something differs that says
/// what is measured, or the registered rule does not give the sealed verdict. Failed when the samples
/// cannot be read.
pub fn deviate(
    project: &Project,
    record: &Record,
    plan: &Plan,
    reason: &str,
    circumstances: &Circumstances,
) -> Result<NewDeviation, Failure> {
    let sealed = &record.sealed;
    let place = format!("{}/{}", sealed.id, sealed.run);
    if plan.id != sealed.id {
        return Err(Failure::usage(format!("the manifest is that of `{}`", plan.id))
            .at(&place)
            .hint("change a copy of the registered manifest, and keep its id"));
    }
    super::retract::refuse_newer_record(record)?;
    let evidence = evidence_of(project, record)?;
    let registered = judge_again(&record.plan, &evidence, sealed.rules_version)?;
    if registered.comparisons != sealed.analysis.comparisons {
        return Err(Failure::failed("the sealed verdict does not follow from the samples")
            .at(&place)
            .hint("`runner record verify` says where; nothing can be compared with it"));
    }
    let mut found = None;
    let written = append(project, &sealed.id, circumstances, |entries| {
        let Some(versions) = frozen_versions(entries, &sealed.id)? else {
            return Err(Failure::failed("its registration is not in the ledger").at(&place));
        };
        let changed = changed_keys(&versions.first().plan, plan);
        refuse_other_measurement(&changed, &place)?;
        let judged = judge_again(plan, &evidence, sealed.rules_version)?;
        let identity = Identity::of(plan);
        let deviation = Deviation {
            run: sealed.run.clone(),
            reason: reason.to_owned(),
            rules_version: sealed.rules_version,
            manifest_hash: identity.manifest_hash,
            canonical_manifest: identity.canonical,
            changed,
            outcomes: outcomes(&registered, &judged),
        };
        found = Some(deviation.clone());
        Ok(Some(EntryBody::Deviate(Box::new(deviation))))
    })?;
    match (written, found) {
        (Some(written), Some(deviation)) => {
            Ok(NewDeviation { registered, deviation, file: written.file })
        }
        _ => Err(Failure::failed("nothing was written").at(place)),
    }
}

fn refuse_other_measurement(changed: &[String], place: &str) -> Result<(), Failure> {
    if changed.is_empty() {
        return Err(Failure::refused("nothing differs from the first registration")
            .at(place)
            .hint("change a copy of the manifest, and name it"));
    }
    let measured: Vec<&str> = changed
        .iter()
        .map(String::as_str)
        .filter(|change| !ANALYSIS.iter().any(|key| change.starts_with(key)))
        .collect();
    if measured.is_empty() {
        return Ok(());
    }
    Err(Failure::refused(format!(
        "this says what is measured or promised, not how it is judged: {}",
        measured.join("; ")
    ))
    .at(place)
    .hint("no re-grading: what was measured stays; register the change under a new id and run it"))
}

fn outcomes(registered: &Analysis, judged: &Analysis) -> Vec<DeviationOutcome> {
    let same = |one: &&Comparison, other: &Comparison| {
        one.arm == other.arm && one.condition == other.condition
    };
    judged
        .comparisons
        .iter()
        .filter_map(|comparison| {
            let before = registered.comparisons.iter().find(|one| same(one, comparison))?;
            Some(DeviationOutcome {
                arm: comparison.arm.clone(),
                condition: comparison.condition.clone(),
                registered: before.verdict,
                verdict: comparison.verdict,
                code: comparison.reason.code,
                why: comparison.reason.text.clone(),
                effect: comparison.effect.clone(),
            })
        })
        .collect()
}
