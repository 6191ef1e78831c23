//! The forms of the model that a plan's arms load: which are at hand, and which are not made yet.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use engine_protocol::Form;

use crate::failure::Failure;
use crate::manifest::{Arm, Plan};
use crate::model::{self, FormFile, ModelFile, Verification, form_name};
use crate::project::Project;
use crate::record::{FormProvenance, FrozenForm};
use crate::verdict::ArmForm;

/// Forms by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlanForms {
    /// Their hashes were computed now.
    pub made: BTreeMap<Form, FormFile>,
    /// Named by an arm, and not there.
    pub missing: BTreeSet<Form>,
}

impl PlanForms {
    /// Looks for each form of a plan. Where several engines have made one, that of `frozen` is
    /// taken, else the one that was made last.
    ///
    /// # Errors
    /// A refusal when a file does not fit its description.
    pub(super) fn find(
        plan: &Plan,
        model: &ModelFile,
        frozen: &[FrozenForm],
        project: &Project,
    ) -> Result<PlanForms, Failure> {
        let mut forms = PlanForms::default();
        for form in plan.arms.iter().filter_map(|arm| plan.form_of(arm)) {
            if forms.made.contains_key(&form) || forms.missing.contains(&form) {
                continue;
            }
            let wanted = frozen.iter().find(|one| one.form == form);
            let wanted = wanted.map(|one| one.sha256.as_str());
            match model::kept_form(model, form, wanted, project, Verification::Full)? {
                Some(file) => drop(forms.made.insert(form, file)),
                None => drop(forms.missing.insert(form)),
            }
        }
        Ok(forms)
    }

    /// The command that makes what is missing; `None` when nothing is.
    #[must_use]
    pub fn remedy(&self, model: &ModelFile) -> Option<String> {
        if self.missing.is_empty() {
            return None;
        }
        let names: Vec<&str> = self.missing.iter().map(|form| form_name(*form)).collect();
        // a file of the user's own is named by its path
        let name = match model.licence {
            Some(_) => model.name.clone(),
            None => model.path.display().to_string(),
        };
        Some(format!("runner model forms {name} --make {}", names.join(",")))
    }

    /// Refuses when a form is not made yet.
    pub(super) fn require(&self, model: &ModelFile) -> Result<(), Failure> {
        let Some(remedy) = self.remedy(model) else { return Ok(()) };
        let names: Vec<&str> = self.missing.iter().map(|form| form_name(*form)).collect();
        Err(Failure::refused(format!("not made yet: {}", names.join(", ")))
            .at(format!("forms of the model `{}`", model.name))
            .hint(format!("run `{remedy}`")))
    }

    /// Where each form lies.
    pub(super) fn paths(&self) -> BTreeMap<Form, PathBuf> {
        self.made.iter().map(|(form, file)| (*form, file.path.clone())).collect()
    }

    /// The file that an arm loads; `None` where its form is not made yet.
    #[must_use]
    pub fn file_of<'file>(
        &'file self,
        plan: &Plan,
        arm: &Arm,
        model: &'file ModelFile,
    ) -> Option<(&'file Path, u64)> {
        match plan.form_of(arm) {
            None => Some((&model.path, model.bytes)),
            Some(form) => {
                self.made.get(&form).map(|file| (file.path.as_path(), file.sidecar.bytes))
            }
        }
    }

    /// What registration freezes, sorted.
    pub(super) fn frozen(&self) -> Vec<FrozenForm> {
        let frozen = |(form, file): (&Form, &FormFile)| FrozenForm {
            form: *form,
            sha256: file.sidecar.sha256.as_str().to_owned(),
        };
        self.made.iter().map(frozen).collect()
    }

    /// What verdicts say of them: for each arm that does not load the file as it is.
    pub(super) fn of_arms(&self, plan: &Plan) -> Vec<ArmForm> {
        let of_arm = |arm: &Arm| {
            let form = plan.form_of(arm)?;
            let derivation = self.made.get(&form)?.sidecar.derivation();
            Some(ArmForm { arm: arm.name.to_string(), form, derivation })
        };
        plan.arms.iter().filter_map(of_arm).collect()
    }

    /// By arm, for each that does not load the file as it is.
    pub(super) fn derivations(&self, plan: &Plan, model: &ModelFile) -> BTreeMap<String, String> {
        let of_arm = |arm: &Arm| {
            let file = self.made.get(&plan.form_of(arm)?)?;
            Some((arm.name.to_string(), file.sidecar.weights_derived_from(model)))
        };
        plan.arms.iter().filter_map(of_arm).collect()
    }

    /// What a record stores of them.
    pub(super) fn provenance(&self, plan: &Plan, model: &ModelFile) -> Vec<FormProvenance> {
        let provenance = |(form, file): (&Form, &FormFile)| {
            let arms = plan.arms.iter().filter(|arm| plan.form_of(arm) == Some(*form));
            let sidecar = &file.sidecar;
            FormProvenance {
                form: *form,
                arms: arms.map(|arm| arm.name.to_string()).collect(),
                derivation: sidecar.derivation(),
                made_by: format!("{} {}", sidecar.engine.name, sidecar.engine.version),
                made_by_source_blake3: sidecar.engine.source_blake3.clone(),
                made_at: sidecar.made_at.clone(),
                sha256: sidecar.sha256.as_str().to_owned(),
                bytes: sidecar.bytes,
                weights_derived_from: sidecar.weights_derived_from(model),
                tensor_types: sidecar.tensor_types.clone(),
            }
        };
        self.made.iter().map(provenance).collect()
    }
}
