//! The figures that a record says: what a sentence that cites it may say.

use serde_json::Value;

use super::direction::{About, Direction, Subject, Wording};
use super::figures::{Figure, figures};
use super::units::{Quantity, Unit, unit_at};
use crate::manifest::Metric;
use crate::record::Record;

/// All figures of a record, with all the digits that they have.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Allowed {
    known: Vec<Known>,
}

/// A figure of a record.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Known {
    quantity: Quantity,
    /// In base units.
    value: f64,
    direction: Direction,
    origin: Origin,
}

/// Where a record has a figure, which says what it may be taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// The registered effect, an end of its interval, or an arm's own level.
    Measured,
    /// Another estimate of it, or that of off against off again.
    Aside,
    /// An effect the other way round, of off over the arm.
    Inverse,
    /// What was registered: a hypothesis, and what was known before.
    Registered,
    /// A margin, a confidence: goes no way.
    Setting,
    /// The rest: shares of time, spreads, other text.
    Beside,
}

/// Keys of the tables below which no estimate is the registered one.
const ASIDE: [&str; 6] =
    ["aa", "pooled", "effect_with_flagged", "looks", "adjusted", "class_intervals"];
/// Keys of an arm's own values, in the unit of the metric.
const LEVELS: [&str; 5] = ["median", "q1", "q3", "least", "greatest"];

impl Allowed {
    /// Of a record: its analysis, its evidence, its manifest, and the figures in other texts of its.
    #[must_use]
    pub fn of(record: &Record, manifest: &str, texts: &[&str]) -> Allowed {
        let mut allowed = Allowed::default();
        let primary = record.plan.metric.primary;
        for value in [
            serde_json::to_value(&record.sealed.analysis),
            serde_json::to_value(&record.sealed.claims),
            serde_json::to_value(&record.sealed.facts.contracts),
            serde_json::to_value(&record.plan.decision),
        ]
        .into_iter()
        .flatten()
        {
            allowed.walk("", &value, Below { metric: primary, origin: Origin::Measured });
        }
        for contract in &record.sealed.facts.contracts {
            for figure in &contract.figures {
                if let Some(value) = figure.value.filter(|_| figure.name.contains("_ratio")) {
                    allowed.add(Quantity::Ratio, value, Direction::Unsaid, Origin::Beside);
                }
            }
        }
        allowed.texts(manifest, Origin::Registered);
        for text in texts {
            allowed.texts(text, Origin::Beside);
        }
        allowed
    }

    /// Whether one of them is what a figure says, within the digits that were written, and whether
    /// it goes the way that the words beside it say.
    #[must_use]
    pub fn has(&self, figure: &Figure, wording: Wording) -> bool {
        let quantity = figure.unit.quantity;
        self.known.iter().any(|known| {
            known.quantity == quantity
                && figure.says(known.value)
                && known.fits(wording)
                && (known.is_told_coarsely() || !is_coarse(figure))
        })
    }

    fn add(&mut self, quantity: Quantity, value: f64, direction: Direction, origin: Origin) {
        self.known.push(Known { quantity, value, direction, origin });
    }

    fn texts(&mut self, text: &str, origin: Origin) {
        for line in text.lines() {
            for figure in figures(line, 0) {
                let before = line.get(..figure.span.start).unwrap_or("");
                let behind = line.get(figure.span.end..).unwrap_or("");
                let wording = Wording::read(&figure, before, behind, About::Anything);
                for reading in std::iter::once(figure.reading).chain(figure.other) {
                    let value = reading.value * figure.unit.scale;
                    self.add(figure.unit.quantity, value, wording.direction, origin);
                }
            }
        }
    }

    fn walk(&mut self, key: &str, value: &Value, below: Below) {
        match value {
            Value::Number(number) => {
                if let Some(number) = number.as_f64() {
                    self.number(key, number, below);
                }
            }
            Value::String(text) => self.texts(text, Origin::Beside),
            Value::Array(items) => items.iter().for_each(|item| self.walk(key, item, below)),
            Value::Object(table) => {
                let below = below.table(key, table);
                table.iter().for_each(|(key, item)| self.walk(key, item, below));
            }
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// Of an effect its ratio and its change, and those of off over the arm.
    fn number(&mut self, key: &str, number: f64, below: Below) {
        if matches!(key, "log_ratio" | "lo" | "hi") {
            // an energy is told by its own change as often as by how much better it is
            let inverse = match (below.metric, below.origin) {
                (Metric::JoulesPerToken, origin) => Some((-number, origin)),
                (_, Origin::Measured) => Some((-number, Origin::Inverse)),
                _ => None,
            };
            for (log_ratio, origin) in std::iter::once((number, below.origin)).chain(inverse) {
                let direction = way(log_ratio, below.metric);
                self.add(Quantity::Ratio, libm::exp(log_ratio), direction, origin);
                self.add(Quantity::Percent, libm::expm1(log_ratio) * 100.0, direction, origin);
            }
        } else if LEVELS.contains(&key) {
            if let Some((Unit { quantity, scale }, _)) = unit_at(below.metric.unit()) {
                self.add(quantity, number * scale, Direction::Unsaid, Origin::Measured);
            }
        } else if matches!(key, "margin_percent" | "confidence_percent") {
            self.add(Quantity::Percent, number, Direction::Unsaid, Origin::Setting);
        } else if key.ends_with("percent") {
            self.add(Quantity::Percent, number, Direction::Unsaid, Origin::Beside);
        }
    }
}

/// What the tables above a number say of it.
#[derive(Debug, Clone, Copy)]
struct Below {
    metric: Metric,
    origin: Origin,
}

impl Below {
    fn table(self, key: &str, table: &serde_json::Map<String, Value>) -> Below {
        let own = table.get("metric").and_then(Value::as_str);
        let own = Metric::ALL.into_iter().find(|known| own == Some(known.key()));
        let origin = if ASIDE.contains(&key) { Origin::Aside } else { self.origin };
        Below { metric: own.unwrap_or(self.metric), origin }
    }
}

/// A figure so coarse that one of a record's many would often fit.
fn is_coarse(figure: &Figure) -> bool {
    match figure.unit.quantity {
        Quantity::Percent => figure.reading.decimals <= 0,
        Quantity::Ratio => figure.reading.decimals <= 2,
        _ => false,
    }
}

/// Which way an effect goes; of a duration words go either way.
fn way(log_ratio: f64, metric: Metric) -> Direction {
    match metric {
        Metric::PromptMilliseconds => Direction::Unsaid,
        _ if log_ratio < 0.0 => Direction::Down,
        _ => Direction::Up,
    }
}

impl Known {
    /// Whether it may be said in few digits: what is central, and what was itself written so.
    fn is_told_coarsely(&self) -> bool {
        match self.origin {
            Origin::Measured | Origin::Inverse | Origin::Registered | Origin::Setting => true,
            Origin::Aside | Origin::Beside => {
                !matches!(self.quantity, Quantity::Percent | Quantity::Ratio)
            }
        }
    }

    fn fits(&self, wording: Wording) -> bool {
        let (own, said) = (self.direction, wording.direction);
        let same = own == said || said == Direction::Unsaid;
        let change = matches!(self.quantity, Quantity::Percent | Quantity::Ratio);
        match self.origin {
            // of an effect of duration neither way is known
            Origin::Measured | Origin::Aside => same || own == Direction::Unsaid,
            Origin::Inverse => match (wording.subject, self.quantity) {
                (Subject::Off, _) => same || own == Direction::Unsaid,
                // `1.2x slower` is 0.83x
                (Subject::Arm, Quantity::Ratio) => said == Direction::Down && own == Direction::Up,
                (Subject::Arm, _) => false,
            },
            Origin::Registered => same || own == Direction::Unsaid,
            Origin::Setting => said == Direction::Unsaid,
            // a share of time is no speed
            Origin::Beside if change => {
                same && (own != Direction::Unsaid || wording.about == About::Anything)
            }
            Origin::Beside => same,
        }
    }
}
