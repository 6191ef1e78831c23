//! All that a manifest names, found and checked: the step before freezing and before running.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::context::{Inputs, Item};
use super::executable::Executables;
use super::fit_for_class;
use super::greet::greet;
use super::plan_drafters::PlanDrafters;
use super::plan_forms::PlanForms;
use super::plan_inputs::PlanInputs;
use super::plan_slices::PlanSlices;
use crate::failure::Failure;
use crate::manifest::{Arm, Plan, WorkerChoice};
use crate::model::{self, ModelFile, Verification};
use crate::project::Project;
use crate::record::{Frozen, FrozenEngine, FrozenForm, FrozenInputs, FrozenModel, Registered};
use crate::verdict::RULES_VERSION;
use crate::workload::{self, InputSet};

/// What a plan's names stand for at this moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Prepared {
    /// The model file; its hash was computed now.
    pub model: ModelFile,
    /// The forms of it that arms load.
    pub forms: PlanForms,
    /// The slices of it that arms load.
    pub slices: PlanSlices,
    /// The models that draft for it.
    pub drafters: PlanDrafters,
    /// The set of inputs.
    pub set: InputSet,
    /// The sets of arms that have their own.
    pub sets: PlanInputs,
}

impl Prepared {
    /// Finds model, its forms and the workload. Each file is read once, whole.
    ///
    /// # Errors
    /// When one of them is missing, or is not what its name promises, or the workload is not fit for
    /// the class.
    pub fn of(plan: &Plan, project: &Project) -> Result<Prepared, Failure> {
        Prepared::complete(Prepared::with_gaps(plan, project)?)
    }

    /// The same for a plan that was registered: of forms that several engines have made, the
    /// registered files are taken.
    ///
    /// # Errors
    /// As [`Prepared::of`].
    pub fn as_registered(registered: &Registered, project: &Project) -> Result<Prepared, Failure> {
        let forms = &registered.frozen().forms;
        Prepared::complete(Prepared::find(registered.plan(), forms, project)?)
    }

    /// The same, where forms may not be made yet.
    ///
    /// # Errors
    /// When anything else is missing, or is not what its name promises.
    pub fn with_gaps(plan: &Plan, project: &Project) -> Result<Prepared, Failure> {
        Prepared::find(plan, &[], project)
    }

    fn complete(prepared: Prepared) -> Result<Prepared, Failure> {
        prepared.forms.require(&prepared.model)?;
        Ok(prepared)
    }

    fn find(plan: &Plan, frozen: &[FrozenForm], project: &Project) -> Result<Prepared, Failure> {
        let model = model::resolve_with(&plan.engine.model, project, Verification::Full)?;
        let set = workload::load(&plan.workload.inputs, project)?;
        if plan.workload.work.reads_text() {
            fit_for_class::require(plan, &set, &model, project)?;
        }
        let sets = PlanInputs::find(plan, &set, project)?;
        let forms = PlanForms::find(plan, &model, frozen, project)?;
        let slices = PlanSlices::find(plan, &model, &forms, project)?;
        let drafters = PlanDrafters::find(plan, &model, (&forms, &slices), project)?;
        Ok(Prepared { model, forms, slices, drafters, set, sets })
    }

    /// The file that an arm loads and its length; `None` where its form is not made yet.
    #[must_use]
    pub fn file_of(&self, plan: &Plan, arm: &Arm) -> Option<(&Path, u64)> {
        self.slices.file_of(plan, arm, &self.forms, &self.model)
    }

    /// The inputs as a run takes them.
    #[must_use]
    pub fn inputs(&self) -> Inputs {
        as_inputs(&self.set)
    }

    /// The inputs of each arm that has its own, as a run takes them.
    #[must_use]
    pub fn arm_inputs(&self) -> BTreeMap<String, Inputs> {
        self.sets.of_arms.iter().map(|(arm, set)| (arm.clone(), as_inputs(set))).collect()
    }

    /// What registration freezes: every distinct worker is asked who it is.
    ///
    /// # Errors
    /// When a worker cannot be asked.
    pub fn frozen(&self, plan: &Plan, executables: &Executables) -> Result<Frozen, Failure> {
        let mut engines = Vec::new();
        for choice in workers(plan) {
            let greeting = greet(choice, executables)?;
            engines.push(FrozenEngine::of(choice, &greeting.engine));
        }
        Ok(self.frozen_with(plan, engines))
    }

    /// The same, with engines that were asked already.
    #[must_use]
    pub fn frozen_with(&self, plan: &Plan, mut engines: Vec<FrozenEngine>) -> Frozen {
        engines.sort();
        Frozen {
            rules_version: RULES_VERSION,
            freeze: plan.engine.freeze,
            model: FrozenModel {
                name: self.model.name.clone(),
                sha256: self.model.sha256.as_str().to_owned(),
            },
            forms: self.forms.frozen(),
            slices: self.slices.frozen(),
            drafters: self.drafters.frozen(),
            inputs: FrozenInputs {
                name: plan.workload.inputs.clone(),
                blake3: self.set.blake3.to_string(),
            },
            arm_inputs: self.sets.frozen(),
            engines,
            history: None,
            step_of: None,
        }
    }
}

fn as_inputs(set: &InputSet) -> Inputs {
    let item = |item: &workload::Item| Item { id: item.id.clone(), text: item.text.clone() };
    Inputs { items: set.items.iter().map(item).collect() }
}

/// The distinct workers of a plan, sorted.
#[must_use]
pub fn workers(plan: &Plan) -> Vec<&WorkerChoice> {
    let mut all: Vec<_> = plan.arms.iter().map(|arm| plan.worker_of(arm)).collect();
    all.sort();
    all.dedup();
    all
}

/// Where worker executables are found: below `root`, and this very program where it holds the
/// native engine.
///
/// # Errors
/// When the program's own file is not known.
pub fn executables(root: &Path) -> Result<Executables, Failure> {
    Ok(Executables { root: root.to_path_buf(), native: native()?, built: BTreeMap::new() })
}

#[cfg(feature = "native")]
fn native() -> Result<Option<PathBuf>, Failure> {
    std::env::current_exe()
        .map(Some)
        .map_err(|error| Failure::failed(format!("the program's own file is not known: {error}")))
}

#[cfg(not(feature = "native"))]
#[expect(clippy::unnecessary_wraps, reason = "one signature for both builds")]
fn native() -> Result<Option<PathBuf>, Failure> {
    Ok(None)
}
