//! The slices of the model that a plan's arms load: its first layers alone.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

use engine_protocol::Form;

use super::plan_forms::PlanForms;
use crate::failure::Failure;
use crate::manifest::{Arm, ModelChoice, Plan};
use crate::model::{self, ModelFile, SliceFile, Verification};
use crate::project::Project;
use crate::record::{FrozenSlice, SliceProvenance};
use crate::verdict::{ArmSlice, extent};

/// Slices by the arm that loads them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlanSlices {
    by_arm: BTreeMap<String, Cut>,
}

/// A slice, and of what it was cut.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Cut {
    file: SliceFile,
    source_sha256: String,
}

impl PlanSlices {
    /// Finds the slices of a plan, and makes those that are not there yet. Their hashes are computed
    /// now. An arm whose form is not made yet has none.
    ///
    /// # Errors
    /// Refused when the model has no more layers than a slice of it shall have, or a file is not the
    /// one that was made; failed when one cannot be read or written.
    pub(super) fn find(
        plan: &Plan,
        model: &ModelFile,
        forms: &PlanForms,
        project: &Project,
    ) -> Result<PlanSlices, Failure> {
        // arms of the same slice share its file, which is read once
        let mut cut: BTreeMap<(Option<Form>, u32), Cut> = BTreeMap::new();
        let mut slices = PlanSlices::default();
        for arm in &plan.arms {
            let Some(layers) = plan.layers_of(arm) else { continue };
            let key = (plan.form_of(arm), layers);
            let cut = match cut.entry(key) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(place) => {
                    let Some((source, _)) = forms.file_of(plan, arm, model) else { continue };
                    let source_sha256 =
                        model::file_hash(source, Verification::Remembered, project)?;
                    let file = model::slice(source, &source_sha256, layers, project).map_err(
                        |failure| Failure {
                            what: format!("the slice of arm `{}`: {}", arm.name, failure.what),
                            ..failure
                        },
                    )?;
                    place.insert(Cut { file, source_sha256: source_sha256.as_str().to_owned() })
                }
            };
            slices.by_arm.insert(arm.name.to_string(), cut.clone());
        }
        Ok(slices)
    }

    /// Where each lies, by arm.
    pub(super) fn paths(&self) -> BTreeMap<String, PathBuf> {
        self.by_arm.iter().map(|(arm, cut)| (arm.clone(), cut.file.path.clone())).collect()
    }

    /// The file that an arm loads, slice or form or the model as it is, and its length; `None` where
    /// its form is not made yet.
    #[must_use]
    pub fn file_of<'file>(
        &'file self,
        plan: &Plan,
        arm: &Arm,
        forms: &'file PlanForms,
        model: &'file ModelFile,
    ) -> Option<(&'file Path, u64)> {
        match plan.layers_of(arm) {
            None => forms.file_of(plan, arm, model),
            Some(_) => {
                let file = &self.by_arm.get(arm.name.as_str())?.file;
                Some((&file.path, file.bytes))
            }
        }
    }

    /// What registration freezes, sorted by arm.
    pub(super) fn frozen(&self) -> Vec<FrozenSlice> {
        let frozen = |(arm, cut): (&String, &Cut)| FrozenSlice {
            arm: arm.clone(),
            layers: cut.file.layers,
            of_layers: cut.file.of_layers,
            sha256: cut.file.sha256.as_str().to_owned(),
        };
        self.by_arm.iter().map(frozen).collect()
    }

    /// What verdicts say of them: for each arm that does not load the whole model, in manifest order.
    #[must_use]
    pub fn of_arms(&self, plan: &Plan) -> Vec<ArmSlice> {
        let of_arm = |arm: &Arm| {
            let file = &self.by_arm.get(arm.name.as_str())?.file;
            Some(ArmSlice {
                arm: arm.name.to_string(),
                layers: file.layers,
                of_layers: file.of_layers,
            })
        };
        plan.arms.iter().filter_map(of_arm).collect()
    }

    /// What a record stores of them: one for each file.
    pub(super) fn provenance(&self, plan: &Plan) -> Vec<SliceProvenance> {
        let mut all: Vec<SliceProvenance> = Vec::new();
        for arm in &plan.arms {
            let Some(Cut { file, source_sha256 }) = self.by_arm.get(arm.name.as_str()) else {
                continue;
            };
            let same = |one: &&mut SliceProvenance| one.sha256 == file.sha256.as_str();
            match all.iter_mut().find(same) {
                Some(known) => known.arms.push(arm.name.to_string()),
                None => all.push(SliceProvenance {
                    arms: vec![arm.name.to_string()],
                    layers: file.layers,
                    of_layers: file.of_layers,
                    cut_from_sha256: source_sha256.clone(),
                    sha256: file.sha256.as_str().to_owned(),
                    bytes: file.bytes,
                }),
            }
        }
        all
    }

    /// How much of the model off ran, and each arm that ran another part of it.
    pub(super) fn extents(&self, plan: &Plan) -> (String, BTreeMap<String, String>) {
        let of_arm = |arm: &Arm| {
            let slice = self.by_arm.get(arm.name.as_str()).map(|cut| &cut.file);
            let slice = slice.map(|file| (file.layers, file.of_layers));
            match (&plan.engine.model, slice) {
                (ModelChoice::Named(_), None) => "whole_model".to_owned(),
                (ModelChoice::Named(_), Some(slice)) => extent(slice),
                // nothing tells a user's own file from a slice of a model
                (ModelChoice::File { .. }, None) => "unknown".to_owned(),
                (ModelChoice::File { .. }, Some(slice)) => {
                    format!("{} of a file whose extent is unknown", extent(slice))
                }
            }
        };
        let offs = plan.arms.get(plan.off()).map_or_else(|| "unknown".to_owned(), of_arm);
        let others = plan.arms.iter().map(|arm| (arm.name.to_string(), of_arm(arm)));
        let others = others.filter(|(_, extent)| *extent != offs).collect();
        (offs, others)
    }
}
