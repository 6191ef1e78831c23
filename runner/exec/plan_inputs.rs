//! The sets of arms that have their own.

use std::collections::{BTreeMap, BTreeSet};

use sample_table::SampleRow;

use crate::failure::Failure;
use crate::manifest::Plan;
use crate::project::Project;
use crate::record::{ArmInputsProvenance, FrozenArmInputs};
use crate::verdict::{ItemBeside, OwnInputs};
use crate::workload::{self, InputSet};

/// The sets of arms that have their own, by arm.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlanInputs {
    /// Each has as many items as the workload's or more.
    pub of_arms: BTreeMap<String, InputSet>,
}

impl PlanInputs {
    /// Loads them.
    ///
    /// # Errors
    /// When a set is missing, cannot be used, or has fewer items than the workload's.
    pub fn find(plan: &Plan, set: &InputSet, project: &Project) -> Result<PlanInputs, Failure> {
        let mut of_arms = BTreeMap::new();
        for arm in &plan.arms {
            let Some(inputs) = &arm.inputs else { continue };
            let own = workload::load(&inputs.name, project)?;
            if own.items.len() < set.items.len() {
                return Err(Failure::refused(format!(
                    "`{}` has {} items, and the workload {}",
                    inputs.name,
                    own.items.len(),
                    set.items.len()
                ))
                .at(format!("arm `{}`", arm.name))
                .hint(format!("name a set of {} items or more", set.items.len())));
            }
            of_arms.insert(arm.name.to_string(), own);
        }
        Ok(PlanInputs { of_arms })
    }

    /// What registration freezes.
    pub(super) fn frozen(&self) -> Vec<FrozenArmInputs> {
        let one = |(arm, set): (&String, &InputSet)| FrozenArmInputs {
            arm: arm.clone(),
            name: set.name.clone(),
            blake3: set.blake3.to_string(),
        };
        self.of_arms.iter().map(one).collect()
    }

    pub(super) fn provenance(&self) -> Vec<ArmInputsProvenance> {
        let one = |(arm, set): (&String, &InputSet)| ArmInputsProvenance {
            arm: arm.clone(),
            name: set.name.clone(),
            blake3: set.blake3.to_string(),
            licence: set.licence.clone(),
        };
        self.of_arms.iter().map(one).collect()
    }

    /// Which item of an arm's set stands beside which of the workload's, of those that were timed.
    pub(super) fn evidence(&self, workload: &InputSet, samples: &[SampleRow]) -> Vec<OwnInputs> {
        if self.of_arms.is_empty() {
            return Vec::new();
        }
        let timed: BTreeSet<&str> = samples.iter().map(|row| row.input.as_str()).collect();
        let one = |(arm, set): (&String, &InputSet)| {
            let beside = workload.items.iter().zip(&set.items);
            let beside = beside.filter(|(item, _)| timed.contains(item.id.as_str()));
            let items = beside.map(|(item, own)| ItemBeside {
                of_workload: item.id.clone(),
                own: own.id.clone(),
            });
            OwnInputs { arm: arm.clone(), set: set.name.clone(), items: items.collect() }
        };
        self.of_arms.iter().map(one).collect()
    }
}
