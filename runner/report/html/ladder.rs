//! A ladder's curve against its rule.

use super::super::ladder::{Curve, HEADER, curves};
use super::super::plot::{Rung, RungMark, ladder};
use super::figure::Figure;
use super::tables::Table;
use crate::record::Record;
use crate::stats::log_of_percent;
use crate::verdict::LadderFinding;

/// One curve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LadderView {
    pub title: String,
    pub reason: String,
    pub figure: Figure,
    pub table: Option<Table>,
}

/// A curve for each condition value at which a rule was judged.
pub(super) fn ladders(record: &Record) -> Vec<LadderView> {
    let findings = &record.sealed.analysis.ladder;
    let curves = curves(record);
    findings
        .iter()
        .zip(curves)
        .enumerate()
        .map(|(place, found)| view(record, place, found))
        .collect()
}

fn view(record: &Record, place: usize, (finding, curve): (&LadderFinding, Curve)) -> LadderView {
    let rungs: Vec<Rung> = finding
        .places
        .iter()
        .map(|place| {
            let off = record.plan.arms.get(record.plan.off()).map(|off| off.name.as_str());
            let is = |arm: &Option<String>| arm.as_deref() == Some(place.arm.as_str());
            let marks =
                [(is(&finding.stops_at), RungMark::Stops), (is(&finding.best), RungMark::Best)];
            Rung {
                value: place.value.clone(),
                ratio: match &place.effect {
                    Some(effect) => Some(effect.log_ratio),
                    // off against itself
                    None => (off == Some(place.arm.as_str())).then_some(0.0),
                },
                interval: place.effect.as_ref().and_then(|effect| effect.lo.zip(effect.hi)),
                marks: marks.into_iter().filter(|(is, _)| *is).map(|(_, mark)| mark).collect(),
            }
        })
        .collect();
    let margin = log_of_percent(record.plan.decision.margin_percent);
    let said: Vec<String> = curve.rows.iter().map(|row| row.join(", ")).collect();
    let title = format!("Ladder of {}", finding.setting);
    let id = format!("ladder-{}", place + 1);
    let texts = (title.as_str(), said.join("; "));
    let svg = ladder(&id, (texts.0, &texts.1), (&finding.setting, &rungs), margin);
    LadderView {
        reason: finding.reason.text.clone(),
        figure: Figure::new(
            title,
            svg,
            "Change against off at each rung, with its interval. Long dashes: where the rule stops. \
             Short dashes: the best rung of all. Shaded: within the margin.",
        ),
        table: Table::of(curve.title.clone(), &HEADER, curve.rows),
        title: curve.title,
    }
}
