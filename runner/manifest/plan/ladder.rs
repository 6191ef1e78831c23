//! The ladder that some arms come from, and the rule that says where one would have stopped.

use serde::{Deserialize, Serialize};

use super::arms::Arm;
use super::whole::Plan;
use crate::manifest::language::FORM_KEY;
use crate::manifest::names::ArmName;

/// A setting whose rungs are treatments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ladder {
    /// The setting's key.
    pub setting: String,
    /// Names of the arms that are its rungs, in order.
    pub arms: Vec<ArmName>,
    /// Where one would stop climbing; `None` where no rule is registered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<LadderStop>,
}

/// A rule by which one would stop climbing. It stops nothing: every rung is measured, and the rule
/// is held against all of them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LadderStop {
    /// The curve that it takes for granted.
    pub assumes: AssumedCurve,
    /// It stops at the first rung that bought less.
    pub under: LeastStep,
}

/// The curve that a ladder's rule takes for granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AssumedCurve {
    /// Each step buys less than the one before: after the first poor one comes no good one.
    Diminishing,
    /// Nothing is known of it: a good step may come after a plateau.
    Unknown,
}

/// The least that a step must buy for the next one to be worth trying, percent.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeastStep {
    /// For each doubling of the setting's value: steps of several doublings are shared out.
    PercentPerDoubling(f64),
    /// For each step from rung to rung, whatever lies between.
    PercentPerStep(f64),
}

impl LeastStep {
    /// Percent.
    #[must_use]
    pub fn percent(self) -> f64 {
        match self {
            LeastStep::PercentPerDoubling(percent) | LeastStep::PercentPerStep(percent) => percent,
        }
    }

    /// What is counted: `doubling` or `step`.
    #[must_use]
    pub fn unit(self) -> &'static str {
        match self {
            LeastStep::PercentPerDoubling(_) => "doubling",
            LeastStep::PercentPerStep(_) => "step",
        }
    }
}

/// An arm's place on a ladder.
#[derive(Debug, Clone, PartialEq)]
pub struct LadderPlace<'plan> {
    /// The arm: a rung, or off.
    pub arm: &'plan Arm,
    /// The value as written, without quotes.
    pub value: String,
    /// The value, where it is a number.
    pub number: Option<u32>,
}

impl Plan {
    /// Places on the ladder, in order: its rungs, and off among them where the manifest says at which
    /// number off stands. Empty without a ladder.
    #[must_use]
    pub fn ladder_places(&self) -> Vec<LadderPlace<'_>> {
        let Some(ladder) = &self.ladder else { return Vec::new() };
        let rungs = ladder.arms.iter().filter_map(|name| {
            let arm = self.arms.iter().find(|arm| arm.name == *name)?;
            self.place_on(ladder, arm)
        });
        let mut places: Vec<LadderPlace<'_>> = rungs.collect();
        let off = self.arms.get(self.off()).and_then(|off| self.place_on(ladder, off));
        if let Some((off, number)) = off.and_then(|off| Some((off.clone(), off.number?))) {
            let above = places.iter().position(|rung| rung.number.is_some_and(|own| own > number));
            places.insert(above.unwrap_or(places.len()), off);
        }
        places
    }

    fn place_on<'plan>(&self, ladder: &Ladder, arm: &'plan Arm) -> Option<LadderPlace<'plan>> {
        let value = if ladder.setting == FORM_KEY {
            serde_json::to_value(self.form_of(arm)?).ok()?
        } else {
            serde_json::to_value(self.settings_of(arm)).ok()?.get(&ladder.setting)?.clone()
        };
        let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        Some(LadderPlace { arm, value, number })
    }
}
