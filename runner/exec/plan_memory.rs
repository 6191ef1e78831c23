//! What a plan's arms will take in memory, estimated before any worker is asked.

use super::prepare::Prepared;
use crate::manifest::{MEGABYTE, Plan};
use crate::model::{self, MemoryEstimate};

/// Estimates for a plan: weights, KV cache and scratch of all arms, which are resident at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanMemory {
    /// One for each arm.
    pub arms: Vec<ArmEstimate>,
}

/// The estimate for an arm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArmEstimate {
    /// Its name.
    pub arm: String,
    /// `None` where its file is not there yet, or cannot be read.
    pub estimate: Option<MemoryEstimate>,
}

/// Estimates what each arm will take.
#[must_use]
pub fn plan_memory(plan: &Plan, prepared: &Prepared) -> PlanMemory {
    let arms = plan.arms.iter().map(|arm| {
        let file = prepared.forms.file_of(plan, arm, &prepared.model);
        let facts = file.and_then(|(path, _)| model::inspect(path).ok());
        let settings = plan.settings_of(arm);
        ArmEstimate {
            arm: arm.name.to_string(),
            estimate: facts.map(|facts| model::memory_estimate(&facts, &settings)),
        }
    });
    PlanMemory { arms: arms.collect() }
}

impl PlanMemory {
    /// KV caches of all arms; `None` where one is not known.
    #[must_use]
    pub fn kv_bytes(&self) -> Option<u64> {
        self.sum(|estimate| estimate.kv_bytes)
    }

    /// Scratch of all arms, at the least; `None` where one is not known.
    #[must_use]
    pub fn compute_bytes(&self) -> Option<u64> {
        self.sum(|estimate| estimate.compute_bytes)
    }

    fn sum(&self, of: impl Fn(&MemoryEstimate) -> Option<u64>) -> Option<u64> {
        let each = self.arms.iter().map(|arm| of(arm.estimate.as_ref()?));
        each.reduce(|sum, more| sum?.checked_add(more?))?
    }

    /// All that is known of an arm.
    fn known(estimate: &MemoryEstimate) -> u64 {
        let beside = [estimate.kv_bytes, estimate.compute_bytes];
        beside.into_iter().flatten().fold(estimate.weights_bytes, u64::saturating_add)
    }

    /// What of the budget the estimate passes already, in words.
    #[must_use]
    pub fn over_budget(&self, plan: &Plan) -> Vec<String> {
        let Some(budget) = &plan.budget else { return Vec::new() };
        let bytes = |megabytes: u64| megabytes.saturating_mul(MEGABYTE);
        let estimates = || {
            self.arms.iter().filter_map(|arm| Some((&arm.arm, Self::known(arm.estimate.as_ref()?))))
        };
        let mut over = Vec::new();
        let all = estimates().fold(0_u64, |sum, (_, more)| sum.saturating_add(more));
        if let Some(most) = budget.memory_megabytes.filter(|most| all > bytes(*most)) {
            over.push(format!(
                "the arms together need {} MB or more, over the budget of {most} MB",
                all.div_ceil(MEGABYTE)
            ));
        }
        if let Some(most) = budget.arm_megabytes {
            over.extend(estimates().filter(|(_, need)| *need > bytes(most)).map(|(arm, need)| {
                format!(
                    "arm `{arm}` needs {} MB or more, over the budget of {most} MB for one arm",
                    need.div_ceil(MEGABYTE)
                )
            }));
        }
        over
    }
}
