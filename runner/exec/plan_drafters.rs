//! The files of the models that draft in a plan's arms.

use std::collections::BTreeMap;
use std::path::PathBuf;

use engine_protocol::DraftSource;

use super::plan_forms::PlanForms;
use super::plan_slices::PlanSlices;
use crate::failure::Failure;
use crate::manifest::{Arm, ModelChoice, Plan};
use crate::model::{self, ModelFile, Verification};
use crate::project::Project;
use crate::record::FrozenDrafter;

/// Drafters by the arm that uses them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlanDrafters {
    by_arm: BTreeMap<String, DrafterFile>,
}

/// One drafter's file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct DrafterFile {
    path: PathBuf,
    sha256: String,
}

impl PlanDrafters {
    /// Finds the draft models, and makes the slices that are not there yet. Their hashes are
    /// computed now.
    ///
    /// # Errors
    /// When a file is missing, is not what its name promises, or cannot be made.
    pub(super) fn find(
        plan: &Plan,
        model: &ModelFile,
        (forms, slices): (&PlanForms, &PlanSlices),
        project: &Project,
    ) -> Result<PlanDrafters, Failure> {
        let mut drafters = PlanDrafters::default();
        for arm in &plan.arms {
            let at = |failure: Failure| Failure {
                what: format!("the drafter of arm `{}`: {}", arm.name, failure.what),
                ..failure
            };
            if let Some(file) = drafter(plan, arm, model, (forms, slices), project).map_err(at)? {
                drafters.by_arm.insert(arm.name.to_string(), file);
            }
        }
        Ok(drafters)
    }

    /// Where each lies, by arm.
    pub(super) fn paths(&self) -> BTreeMap<String, PathBuf> {
        self.by_arm.iter().map(|(arm, file)| (arm.clone(), file.path.clone())).collect()
    }

    /// What registration freezes, sorted by arm.
    pub(super) fn frozen(&self) -> Vec<FrozenDrafter> {
        self.by_arm
            .iter()
            .map(|(arm, file)| FrozenDrafter { arm: arm.clone(), sha256: file.sha256.clone() })
            .collect()
    }
}

fn drafter(
    plan: &Plan,
    arm: &Arm,
    model: &ModelFile,
    (forms, slices): (&PlanForms, &PlanSlices),
    project: &Project,
) -> Result<Option<DrafterFile>, Failure> {
    let settings = plan.settings_of(arm);
    match plan.drafting_of(arm).map(|drafting| drafting.source) {
        None | Some(DraftSource::Nothing | DraftSource::PromptLookup) => Ok(None),
        Some(DraftSource::DraftModel) => {
            let Some(name) = settings.draft_model else { return Ok(None) };
            let file = model::resolve_with(&ModelChoice::Named(name), project, Verification::Full)?;
            Ok(Some(DrafterFile { path: file.path, sha256: file.sha256.as_str().to_owned() }))
        }
        Some(DraftSource::SelfSlice) => {
            let Some(layers) = settings.draft_layers else { return Ok(None) };
            // a form that is not made yet is named elsewhere
            let file = slices.file_of(plan, arm, forms, model);
            let Some((source, _)) = file else { return Ok(None) };
            let of_source = model::file_hash(source, Verification::Remembered, project)?;
            let slice = model::slice(source, &of_source, layers, project)?;
            let sha256 = slice.sha256.as_str().to_owned();
            Ok(Some(DrafterFile { path: slice.path, sha256 }))
        }
    }
}
