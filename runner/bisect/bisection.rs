//! All that a bisection found.

use serde::Serialize;

use super::buffers::BufferFinding;
use super::logits::{LogitsCheck, LogitsFinding};
use super::sides::{Reason, SideVerdict, judge_sides};
use super::sight::Sight;
use super::walk::{Mode, Step, Walk};

/// What was held against what.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Subject {
    /// `reference` or `off`.
    pub left: String,
    /// Whose values those are: a file and its maker, or settings.
    pub left_is: String,
    /// `engine` or `arm`.
    pub right: String,
    /// Whose values those are.
    pub right_is: String,
    /// The model's name.
    pub model: String,
    /// The text: a prompt's name, or an item of a set.
    pub text: String,
    /// Its length.
    pub tokens: usize,
}

/// Tensors that could not be compared.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Names {
    /// Only the first side has these.
    pub only_left: Vec<String>,
    /// Only the second side has these.
    pub only_right: Vec<String>,
    /// Both have these, in other shapes.
    pub other_shape: Vec<String>,
}

/// The named tensor and its neighbours, observed once more without the rest.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Retest {
    /// What was observed.
    pub observed: Vec<String>,
    /// The named tensor's largest relative difference then; absent when it could not be observed.
    pub relative: Option<f64>,
    /// Whether it parts then too.
    pub parts: bool,
}

/// A bisection, done.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Bisection {
    /// What was held against what.
    pub subject: Subject,
    /// What could not be compared.
    pub names: Names,
    /// Differences carried along.
    pub carried: Walk,
    /// Each block by itself; absent with the reason where blocks could not be fed.
    pub fed: Result<Walk, String>,
    /// Whether the fault shows in the logits, observed or not.
    pub logits: LogitsCheck,
    /// A look at the tensor that parts.
    pub sight: Option<Sight>,
    /// What is wrong with the reference's buffers.
    pub buffers: Vec<BufferFinding>,
    /// What the sides show by themselves.
    pub reasons: Vec<Reason>,
    /// The named tensor once more.
    pub retest: Option<Retest>,
    /// Things to know.
    pub notes: Vec<String>,
}

impl Bisection {
    /// The walk that names the tensor: the one by single blocks where something parts there.
    #[must_use]
    pub fn naming(&self) -> &Walk {
        match &self.fed {
            Ok(fed) if fed.first.is_some() => fed,
            _ => &self.carried,
        }
    }

    /// The first tensor that parts.
    #[must_use]
    pub fn first(&self) -> Option<&Step> {
        self.naming().first()
    }

    /// Whether anything parts: a tensor, the logits, or what a side shows by itself.
    #[must_use]
    pub fn parts(&self) -> bool {
        let logits = self.logits.finding(self.carried.bar_at_end());
        self.first().is_some()
            || !self.reasons.is_empty()
            || matches!(
                logits,
                LogitsFinding::StillThere
                    | LogitsFinding::GoneWhenObserved
                    | LogitsFinding::OnlyWhenObserved
            )
    }

    /// Which side looks broken.
    #[must_use]
    pub fn sides(&self) -> SideVerdict {
        judge_sides(&self.reasons)
    }

    /// As JSON. Numbers that are none are written as text.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        let mut value = serde_json::to_value(self).unwrap_or_default();
        let fed = match &self.fed {
            Ok(walk) => serde_json::to_value(walk).unwrap_or_default(),
            Err(why) => serde_json::json!({ "not_fed": why }),
        };
        value["fed"] = fed;
        value["first"] = serde_json::json!(self.first().map(|step| &step.name));
        value["first_in"] = serde_json::json!(match self.naming().mode {
            Mode::Fed => "fed",
            Mode::Carried => "carried",
        });
        value["parts"] = self.parts().into();
        value["sides"] = serde_json::to_value(self.sides()).unwrap_or_default();
        value["logits_finding"] =
            serde_json::to_value(self.logits.finding(self.carried.bar_at_end()))
                .unwrap_or_default();
        value["sentences"] = self.sentences().into();
        value
    }
}
