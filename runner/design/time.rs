//! How long a run will take, from one that was measured.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::cost::Cost;
use crate::manifest::{Plan, TimedWork};

const NANOSECONDS_A_MINUTE: f64 = 60e9;

/// Minutes that all registered rounds will take.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimeEstimate {
    /// Nothing like it was measured.
    Unknown {
        /// In words.
        because: String,
    },
    /// As fast as a stored run was.
    Estimated {
        /// Of all registered rounds, waiting for quiet not included.
        minutes: f64,
        /// The run, `<id>/<run>`.
        from: String,
    },
}

impl TimeEstimate {
    /// Minutes of all registered rounds, where they are known.
    #[must_use]
    pub fn minutes(&self) -> Option<f64> {
        match self {
            TimeEstimate::Unknown { .. } => None,
            TimeEstimate::Estimated { minutes, .. } => Some(*minutes),
        }
    }
}

/// A finished run that the estimate is taken from.
#[derive(Debug, Clone, Copy)]
pub struct MeasuredRun<'run> {
    /// `<id>/<run>`.
    pub name: &'run str,
    /// What was run.
    pub plan: &'run Plan,
    /// Of the rounds that were run.
    pub cost: &'run Cost,
    /// From the first block to the last, nanoseconds.
    pub wall_nanoseconds: u64,
}

/// The plan's minutes, if each token takes as long as it did in `measured`. Only a run of the same
/// model and the same kind of work says anything: tokens of a prefill and of decode, or of another
/// model, cost another time each.
#[must_use]
pub fn estimated_time(plan: &Plan, cost: &Cost, measured: &MeasuredRun<'_>) -> TimeEstimate {
    let name = measured.name;
    let unknown = |what: &str| TimeEstimate::Unknown { because: format!("{name} {what}") };
    let kind = |plan: &Plan| matches!(plan.workload.work, TimedWork::Decode { .. });
    if plan.engine.model != measured.plan.engine.model {
        return unknown("ran another model");
    }
    let forms =
        |plan: &Plan| -> BTreeSet<_> { plan.arms.iter().map(|arm| plan.form_of(arm)).collect() };
    if forms(plan) != forms(measured.plan) {
        return unknown("ran other forms of the model");
    }
    let layers =
        |plan: &Plan| -> BTreeSet<_> { plan.arms.iter().map(|arm| plan.layers_of(arm)).collect() };
    if layers(plan) != layers(measured.plan) {
        return unknown("ran another number of the model's layers");
    }
    if kind(plan) != kind(measured.plan) {
        return unknown("did another kind of work");
    }
    let (tokens, then) = (evaluated(cost), evaluated(measured.cost));
    if then == 0 || measured.wall_nanoseconds == 0 {
        return unknown("has no measured time");
    }
    let minutes = measured.wall_nanoseconds as f64 / NANOSECONDS_A_MINUTE;
    TimeEstimate::Estimated {
        minutes: minutes * tokens as f64 / then as f64,
        from: name.to_owned(),
    }
}

/// All tokens between the first block and the last.
fn evaluated(cost: &Cost) -> u64 {
    cost.timed_tokens + cost.untimed_tokens + cost.prompt_tokens + cost.depth_tokens
}

#[cfg(test)]
mod tests {
    use super::{MeasuredRun, TimeEstimate, estimated_time};
    use crate::design::test_plan::plan;
    use crate::design::{cost, schedule};
    use crate::manifest::{ModelChoice, Plan, TimedWork};

    fn estimate(measured: &Plan, wall_nanoseconds: u64) -> TimeEstimate {
        let (own, then) = (plan(16, 6), schedule(measured, 48));
        let run = MeasuredRun {
            name: "before/20261129-120000",
            plan: measured,
            cost: &cost(measured, &then),
            wall_nanoseconds,
        };
        estimated_time(&own, &cost(&own, &schedule(&own, 48)), &run)
    }

    #[test]
    fn minutes_go_by_tokens() {
        // A quarter of the rounds took 30 s.
        assert_eq!(estimate(&plan(4, 6), 30_000_000_000).minutes(), Some(2.0));
    }

    #[test]
    fn another_model_or_work_says_nothing() {
        let mut other = plan(4, 6);
        other.engine.model = ModelChoice::Named("another".to_owned());
        assert_eq!(estimate(&other, 1).minutes(), None);
        let mut other = plan(4, 6);
        other.workload.work = TimedWork::Prefill { prefill_tokens: 512 };
        assert_eq!(
            estimate(&other, 1),
            TimeEstimate::Unknown {
                because: "before/20261129-120000 did another kind of work".to_owned()
            }
        );
        assert_eq!(estimate(&plan(4, 6), 0).minutes(), None);
        assert_eq!(estimate(&plan(0, 6), 1).minutes(), None);
    }
}
