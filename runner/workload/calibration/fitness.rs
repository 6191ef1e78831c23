//! Whether a set is fit for a class, and which statistic says no.

use std::fmt;

use super::bars::{Bar, EXPERTS, Side, Unit, bars};
use super::content::Content;
use super::distribution::rounded;
use super::experts::ExpertUse;
use super::statistic::Statistic;
use crate::manifest::MeasurementClass;
use crate::workload::InputSet;

/// Whether a set is fit for a class.
#[derive(Debug, Clone, PartialEq)]
pub enum Fitness {
    /// No statistic says no.
    Fit,
    /// These say no; at least one.
    Outside(Vec<Disqualified>),
}

impl Fitness {
    fn of(against: Vec<Disqualified>) -> Fitness {
        if against.is_empty() { Fitness::Fit } else { Fitness::Outside(against) }
    }

    /// Both together.
    #[must_use]
    pub fn and(self, other: Fitness) -> Fitness {
        match (self, other) {
            (Fitness::Outside(mut all), Fitness::Outside(more)) => {
                all.extend(more);
                Fitness::Outside(all)
            }
            (outside @ Fitness::Outside(_), Fitness::Fit) => outside,
            (Fitness::Fit, other) => other,
        }
    }

    /// The statistics that say no, in words; empty where none does.
    #[must_use]
    pub fn reasons(&self) -> Vec<String> {
        match self {
            Fitness::Fit => Vec::new(),
            Fitness::Outside(against) => against.iter().map(ToString::to_string).collect(),
        }
    }
}

/// A statistic that disqualifies a set from a class.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Disqualified {
    /// Which bar.
    pub bar: Bar,
    /// What was measured; `None` where that is unknown.
    pub value: Option<f64>,
    /// Of tokens or of words.
    pub unit: Unit,
}

impl fmt::Display for Disqualified {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.bar.statistic.words();
        let bar = self.bar.at(self.unit);
        let by = match self.unit {
            Unit::Tokens => "",
            Unit::Words => " of its words",
        };
        let Some(value) = self.value else {
            return write!(formatter, "{name}{by} unknown");
        };
        let value = rounded(value);
        if self.bar.statistic == Statistic::TotalTokens {
            return write!(formatter, "{name}{by} {value} (at least {bar})");
        }
        match self.bar.side {
            Side::AtMost => write!(
                formatter,
                "{name}{by} {value} (in nine items of ten it must be {bar} or less)"
            ),
            Side::AtLeast => write!(
                formatter,
                "{name}{by} {value} (in nine items of ten it must be {bar} or more)"
            ),
        }
    }
}

/// Holds a set's content against a class.
#[must_use]
pub fn fitness(class: MeasurementClass, content: &Content, unit: Unit) -> Fitness {
    let found =
        |bar: &Bar| content.statistic(bar.statistic).map(|distribution| bar.judged(&distribution));
    Fitness::of(against(bars(class), unit, found))
}

/// The same by a set's words, before any model has read it.
#[must_use]
pub fn by_words(class: MeasurementClass, set: &InputSet) -> Fitness {
    if bars(class).is_empty() {
        return Fitness::Fit;
    }
    fitness(class, &Content::by_words(set), Unit::Words)
}

/// Holds the use of a mixture's experts against what routing needs. Unknown is not fit.
#[must_use]
pub fn fitness_of_routing(experts: Option<&ExpertUse>) -> Fitness {
    let found = |bar: &Bar| {
        let experts = experts?;
        let distribution = match bar.statistic {
            Statistic::ExpertEntropy => experts.expert_entropy,
            Statistic::RoutingEntropy => experts.routing_entropy,
            _ => return None,
        };
        Some(bar.judged(&distribution))
    };
    Fitness::of(against(EXPERTS, Unit::Tokens, found))
}

fn against(bars: &[Bar], unit: Unit, found: impl Fn(&Bar) -> Option<f64>) -> Vec<Disqualified> {
    let disqualified = |bar: &Bar| {
        let value = found(bar);
        let admitted = value.is_some_and(|value| bar.admits(value, unit));
        (!admitted).then_some(Disqualified { bar: *bar, value, unit })
    };
    bars.iter().filter_map(disqualified).collect()
}
