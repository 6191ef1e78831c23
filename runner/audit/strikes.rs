//! The figures of a record that die when it is struck.

use super::figures::Figure;
use super::units::{Quantity, unit_at};
use crate::manifest::Metric;
use crate::record::Record;
use crate::verdict::{Comparison, Effect};

/// How few digits of a figure still tell it from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    /// An arm's own level, with the unit of the metric.
    Level,
    /// The estimate.
    Estimate,
    /// An end of its interval, or the estimate that ignores pairing.
    Beside,
}

/// A figure that was struck.
#[derive(Debug, Clone, PartialEq)]
pub struct StruckFigure {
    /// Whose: `id/run`.
    pub record: String,
    /// What it was, in words.
    pub what: String,
    quantity: Quantity,
    value: f64,
    mark: Mark,
}

impl StruckFigure {
    /// Whether a figure is this one, told by enough digits: three, or two with the unit of the
    /// metric or after the point of a percentage.
    #[must_use]
    pub fn is(&self, figure: &Figure) -> bool {
        if figure.unit.quantity != self.quantity || !figure.says(self.value) {
            return false;
        }
        let fine = figure.reading.decimals > 0;
        match self.mark {
            Mark::Level => figure.digits() >= 2,
            Mark::Estimate => {
                figure.digits() >= 3 || figure.digits() == 2 && fine && self.is_percent()
            }
            Mark::Beside => figure.digits() >= 3,
        }
    }

    fn is_percent(&self) -> bool {
        self.quantity == Quantity::Percent
    }
}

/// The figures of the comparisons of a record that `struck` names by arm and condition.
#[must_use]
pub fn struck_figures(record: &Record, struck: impl Fn(&str, &str) -> bool) -> Vec<StruckFigure> {
    let name = format!("{}/{}", record.sealed.id, record.sealed.run);
    let analysis = &record.sealed.analysis;
    let mut found = Vec::new();
    for comparison in analysis.comparisons.iter().chain(&analysis.described) {
        if struck(&comparison.arm, &comparison.condition) {
            of_comparison(&name, comparison, &mut found);
        }
    }
    found
}

fn of_comparison(record: &str, comparison: &Comparison, found: &mut Vec<StruckFigure>) {
    let place = match comparison.condition.as_str() {
        "" => format!("`{}`", comparison.arm),
        condition => format!("`{}` at {condition}", comparison.arm),
    };
    let mut add = |what: String, quantity: Quantity, value: f64, mark: Mark| {
        if value.is_finite() {
            found.push(StruckFigure { record: record.to_owned(), what, quantity, value, mark });
        }
    };
    let metric = Metric::ALL.into_iter().find(|metric| metric.key() == comparison.metric);
    if let Some((unit, _)) = metric.and_then(|metric| unit_at(metric.unit())) {
        let level = |spread: &crate::verdict::Spread| spread.median * unit.scale;
        if let Some(off) = &comparison.off {
            let what = format!("median of off beside {place}");
            add(what, unit.quantity, level(off), Mark::Level);
        }
        if let Some(arm) = &comparison.treatment {
            add(format!("median of {place}"), unit.quantity, level(arm), Mark::Level);
        }
    }
    let mut effect = |effect: &Effect, what: &str, mark: Mark| {
        for (log_ratio, what, mark) in [
            (Some(effect.log_ratio), what.to_owned(), mark),
            (effect.lo, format!("lower end of the {what}"), Mark::Beside),
            (effect.hi, format!("upper end of the {what}"), Mark::Beside),
        ] {
            let Some(log_ratio) = log_ratio else { continue };
            let what = format!("{what} of {place}");
            add(what.clone(), Quantity::Ratio, libm::exp(log_ratio), mark);
            add(what, Quantity::Percent, libm::expm1(log_ratio) * 100.0, mark);
        }
    };
    if let Some(paired) = &comparison.effect {
        effect(paired, "effect", Mark::Estimate);
    }
    if let Some(pooled) = &comparison.pooled {
        effect(pooled, "pooled effect", Mark::Beside);
    }
}
