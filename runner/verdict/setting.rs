//! One condition value with what holds for all its comparisons.

use super::blocks::{Blocks, Reading, reading_of};
use super::follow::Question;
use super::noise_floor::{NoiseFloor, noise_floor};
use super::pairs::{Pairs, Texts, Work as PairedWork, pair_with};
use super::rules::Rules;
use super::timing::{Timing, timing};
use super::words::condition as condition_label;
use crate::manifest::{Arm, Drafting, InputScope, Plan, Role};
use crate::stats::{log_of_percent, simultaneous_confidence_percent};

/// How much is described beside a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Describing {
    All,
    Nothing,
}

/// What the rule says of a plan's comparisons before any sample is read.
pub(super) struct Frame<'a> {
    pub rules: Rules,
    pub describing: Describing,
    pub plan: &'a Plan,
    /// Log ratio.
    pub margin: f64,
    /// Of each judged comparison, so that all hold together, percent.
    pub together: f64,
    /// Of the judged comparisons.
    pub timing: Timing,
}

/// One condition value.
pub(super) struct Setting<'a> {
    pub frame: &'a Frame<'a>,
    pub blocks: &'a Blocks,
    pub condition: u32,
    pub label: String,
    pub floor: NoiseFloor,
}

impl<'a> Frame<'a> {
    pub fn new(rules: Rules, plan: &'a Plan) -> Frame<'a> {
        let treatments = plan.arms.iter().filter(|arm| arm.role == Role::Treatment).count();
        let together = simultaneous_confidence_percent(
            plan.decision.confidence_percent,
            treatments * plan.condition_values().len(),
        );
        let margin = log_of_percent(plan.decision.margin_percent);
        let timing = timing(rules, plan, together);
        Frame { rules, describing: Describing::All, plan, margin, together, timing }
    }

    /// What is judged of which rows.
    pub fn reading(&self) -> Reading {
        reading_of(self.plan, self.plan.metric.primary)
    }

    /// What the interval is about.
    pub fn scope(&self) -> InputScope {
        match self.rules {
            Rules::One => InputScope::Set,
            Rules::Two | Rules::Three => self.plan.design.input_scope,
        }
    }

    /// Every condition value, in order.
    pub fn settings(&'a self, blocks: &'a Blocks) -> Vec<Setting<'a>> {
        let values = self.plan.condition_values();
        let setting = |(condition, value): (usize, Option<u32>)| {
            let condition = condition as u32;
            let label = condition_label(self.plan, value);
            let floor = noise_floor(self.plan, blocks, condition, &label, self.margin);
            Setting { frame: self, blocks, condition, label, floor }
        };
        values.into_iter().enumerate().map(setting).collect()
    }
}

impl Setting<'_> {
    /// An arm against off.
    pub fn pairs(&self, arm: &Arm) -> Pairs {
        let plan = self.frame.plan;
        let off = plan.arms.get(plan.off()).map_or("", |off| off.name.as_str());
        let blocks_per_round = plan.design.blocks_per_round;
        let slots_of_off = plan.arms.get(plan.off()).map_or(1, |off| plan.slots_of(off));
        let work = PairedWork {
            beyond: plan.drafting_of(arm).map_or(0, Drafting::beyond),
            slots: (slots_of_off, plan.slots_of(arm)),
            texts: if arm.inputs.is_some() { Texts::Own } else { Texts::OfWorkload },
        };
        let names = (off, arm.name.as_str());
        pair_with(self.blocks, self.condition, names, blocks_per_round, work)
    }

    /// What a comparison with off is judged by; an arm that is only described is looked at once.
    pub fn question(&self, arm: &Arm) -> Question<'_> {
        let plan = self.frame.plan;
        let (timing, confidence_percent) = match arm.role {
            Role::Treatment => (&self.frame.timing, self.frame.together),
            Role::Off | Role::Aa | Role::Control | Role::Peer | Role::Ceiling => {
                (&Timing::Once, plan.decision.confidence_percent)
            }
        };
        Question {
            timing,
            scope: self.frame.scope(),
            floor: &self.floor,
            margin: self.frame.margin,
            confidence_percent,
            futility_percent: plan.stop.futility_percent(),
            contaminated_percent: plan.gate.contaminated_percent,
        }
    }
}
