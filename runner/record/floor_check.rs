//! A record held against a floor: whether it holds, fell, or cannot be judged; and what so many rounds
//! could have shown.

use super::entries::FloorDistribution;
use super::figure_state::{FigureState, record_state};
use super::floor::{Floor, distribution};
use super::ledger::read_ledger;
use super::read::read;
use super::reference::RecordName;
use super::sealed::Record;
use crate::failure::Failure;
use crate::manifest::{Arm, Plan};
use crate::project::Project;
use crate::stats::{WelchInterval, welch_interval};

/// Confidence of the interval, percent: the registered rule's usual one.
const CONFIDENCE_PERCENT: f64 = 95.0;

/// What came of it.
#[derive(Debug, Clone, PartialEq)]
pub enum FloorOutcome {
    /// The whole interval lies above minus the margin.
    Holds,
    /// The whole interval lies below minus the margin.
    Fell,
    /// The interval crosses minus the margin: so many rounds cannot tell.
    Open,
    /// Nothing can be said.
    CannotJudge {
        /// Why, a lower-case fragment.
        why: String,
    },
}

/// A check against a floor.
#[derive(Debug, Clone, PartialEq)]
pub struct FloorCheck {
    /// What came of it.
    pub outcome: FloorOutcome,
    /// The record's distribution; `None` where it has none.
    pub now: Option<FloorDistribution>,
    /// ln(record/floor) over rounds, unpaired, with its interval; `None` where nothing is judged.
    pub interval: Option<WelchInterval>,
    /// The floor's experiment's margin, percent.
    pub margin_percent: f64,
    /// The smallest fall, percent, that these rounds could have told from none.
    pub could_show_percent: Option<f64>,
}

/// Holds an arm of a record against a floor.
///
/// # Errors
/// When the floor's record or samples cannot be read, or the record has no such arm.
pub fn floor_check(
    project: &Project,
    floor: &Floor,
    record: &Record,
    arm: &str,
    condition: &str,
) -> Result<FloorCheck, Failure> {
    let anchored = read(project, &floor.record.id, &floor.record.run)?;
    let margin_percent = anchored.plan.decision.margin_percent;
    let cannot = |why: String, now: Option<FloorDistribution>| FloorCheck {
        outcome: FloorOutcome::CannotJudge { why },
        now,
        interval: None,
        margin_percent,
        could_show_percent: None,
    };
    let own = RecordName { id: record.sealed.id.clone(), run: record.sealed.run.clone() };
    if own == floor.record && arm == floor.anchor.arm && condition == floor.anchor.condition {
        return Ok(cannot("it is the floor's own record".to_owned(), None));
    }
    let state = record_state(&read_ledger(project, &own.id)?, &own.run);
    if matches!(state, FigureState::Struck { .. }) {
        return Ok(cannot(format!("the record {}", state.predicate()), None));
    }
    if matches!(floor.state, FigureState::Struck { .. }) {
        let why =
            format!("the floor's record {}; `record anchor` moves it", floor.state.predicate());
        return Ok(cannot(why, None));
    }
    let differences = differences(&anchored, &floor.anchor.arm, record, arm);
    if !differences.is_empty() {
        let why = format!("it measures something else: {}", differences.join("; "));
        return Ok(cannot(why, None));
    }
    let now = match distribution(project, record, arm, condition) {
        Ok(now) => now,
        Err(failure) => return Ok(cannot(failure.what, None)),
    };
    let then = &floor.anchor.distribution;
    if then.log_sd <= 0.0 {
        let why = format!(
            "the floor's history is constant: all {} rounds have one value, so its spread is unknown",
            then.n
        );
        return Ok(cannot(why, Some(now)));
    }
    if now.log_sd <= 0.0 {
        let why =
            format!("all {} rounds of the record have one value, so its spread is unknown", now.n);
        return Ok(cannot(why, Some(now)));
    }
    let logs = |values: &[f64]| values.iter().map(|value| libm::log(*value)).collect::<Vec<f64>>();
    let (before, after) = (logs(&then.rounds), logs(&now.rounds));
    let Some(interval) = welch_interval(&after, &before, CONFIDENCE_PERCENT) else {
        return Ok(cannot("the rounds give no interval".to_owned(), Some(now)));
    };
    let margin = libm::log1p(margin_percent / 100.0);
    let outcome = if interval.hi < -margin {
        FloorOutcome::Fell
    } else if interval.lo > -margin {
        FloorOutcome::Holds
    } else {
        FloorOutcome::Open
    };
    let half = (interval.hi - interval.lo) / 2.0;
    Ok(FloorCheck {
        outcome,
        now: Some(now),
        interval: Some(interval),
        margin_percent,
        could_show_percent: Some(-100.0 * libm::expm1(-half)),
    })
}

/// Why two arms' figures cannot be held against each other.
fn differences(then: &Record, then_arm: &str, now: &Record, now_arm: &str) -> Vec<String> {
    let mut differences = Vec::new();
    let mut differ = |what: &str, then: String, now: String| {
        if then != now {
            differences.push(format!("{what} {now} instead of {then}"));
        }
    };
    let (old, new) = (&then.provenance, &now.provenance);
    differ("model", old.model.sha256.clone(), new.model.sha256.clone());
    differ("inputs", old.workload.blake3.clone(), new.workload.blake3.clone());
    differ("work", shown(&then.plan.workload.work), shown(&now.plan.workload.work));
    let machine = |record: &Record| {
        record.provenance.start.machine.get("machine").cloned().unwrap_or_default()
    };
    differ("machine", machine(then), machine(now));
    if let (Some(one), Some(other)) = (arm_of(&then.plan, then_arm), arm_of(&now.plan, now_arm)) {
        differ("settings", settings(&then.plan, one), settings(&now.plan, other));
    }
    differences
}

fn arm_of<'plan>(plan: &'plan Plan, name: &str) -> Option<&'plan Arm> {
    plan.arms.iter().find(|arm| arm.name.as_str() == name)
}

fn settings(plan: &Plan, arm: &Arm) -> String {
    let form = arm.form.or(plan.engine.form);
    format!("{} {}", shown(&plan.engine.settings.overlaid(&arm.settings)), shown(&form))
}

fn shown(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
