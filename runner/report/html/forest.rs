//! Estimates below each other: all comparisons, and the estimators of one.

use super::super::details::estimator_name;
use super::super::figures::{confidence, fine_change};
use super::super::plot::{ForestRow, Mark, forest};
use super::super::rows::name;
use super::figure::Figure;
use super::result::{ResultRow, interval_text};
use crate::record::Record;
use crate::stats::log_of_percent;
use crate::verdict::{Comparison, Effect, Estimator};

/// Every comparison, and off against off again at each condition.
pub(super) fn comparisons(record: &Record, results: &[(ResultRow, &Comparison)]) -> Option<Figure> {
    let mut rows: Vec<ForestRow> = results
        .iter()
        .map(|(result, comparison)| {
            let mark = if result.row.kind.is_some() { Mark::Judged } else { Mark::Described };
            let label = format!("{} {}", result.badge.sign, result.row.name);
            row(label, comparison.effect.as_ref(), mark)
        })
        .collect();
    rows.extend(record.sealed.analysis.aa.iter().map(|finding| {
        let label = name(&finding.arm, &finding.condition);
        row(label, finding.effect.as_ref(), Mark::NoiseFloor)
    }));
    if rows.is_empty() {
        return None;
    }
    let margin = log_of_percent(record.plan.decision.margin_percent);
    let title = "All comparisons";
    let svg = forest("forest", (title, &said(&rows)), &rows, margin);
    Some(Figure::new(title, svg, caption(margin)))
}

fn caption(margin: f64) -> String {
    format!(
        "Paired change against off with its interval. Diamond: judged. Dot: described. Broken line: \
         off against off again, the noise floor. Shaded: within the margins, {} to {}.",
        fine_change(-margin),
        fine_change(margin)
    )
}

/// The registered estimate beside the pooled view and other estimators; `None` where nothing but
/// the registered one is there.
pub(super) fn paired_against_pooled(
    record: &Record,
    (result, comparison): (&ResultRow, &Comparison),
) -> Option<Figure> {
    let mut rows =
        vec![row("paired (registered)".to_owned(), comparison.effect.as_ref(), Mark::Judged)];
    rows.push(row(
        "pooled, pairing ignored".to_owned(),
        comparison.pooled.as_ref(),
        Mark::Described,
    ));
    if let Some(kept) = &comparison.effect_with_flagged {
        rows.push(row("paired, flagged blocks kept".to_owned(), Some(kept), Mark::Described));
    }
    let estimators = comparison.description.iter().flat_map(|found| &found.estimators);
    let others = estimators.filter(|figure| {
        !matches!(figure.estimator, Estimator::TrimmedRounds | Estimator::PooledBlocks)
    });
    rows.extend(others.map(|figure| ForestRow {
        label: estimator_name(figure.estimator).to_owned(),
        figure: fine_change(figure.log_ratio),
        value: Some(figure.log_ratio),
        interval: figure.lo.zip(figure.hi),
        mark: Mark::Described,
    }));
    let floors = record.sealed.analysis.aa.iter();
    let floors = floors.filter(|finding| finding.condition == comparison.condition);
    rows.extend(floors.map(|finding| {
        row(format!("{}: noise floor", finding.arm), finding.effect.as_ref(), Mark::NoiseFloor)
    }));
    if rows.iter().all(|row| row.value.is_none()) {
        return None;
    }
    let margin = log_of_percent(record.plan.decision.margin_percent);
    let title = "Paired against pooled";
    let id = format!("{}-forest", result.anchor);
    let svg = forest(&id, (title, &said(&rows)), &rows, margin);
    let confidence = comparison.effect.as_ref().map_or_else(String::new, |effect| {
        format!(" Intervals of {}.", confidence(effect.confidence_percent))
    });
    Some(Figure::new(
        title,
        svg,
        format!(
            "The registered estimate, the view that ignores pairing, and other estimators: only the \
             first decides.{confidence}"
        ),
    ))
}

fn row(label: String, effect: Option<&Effect>, mark: Mark) -> ForestRow {
    ForestRow {
        label,
        figure: effect.map_or_else(|| "none".to_owned(), |effect| fine_change(effect.log_ratio)),
        value: effect.map(|effect| effect.log_ratio),
        interval: effect.and_then(|effect| effect.lo.zip(effect.hi)),
        mark,
    }
}

/// What a drawing says, for those who hear it.
fn said(rows: &[ForestRow]) -> String {
    let said: Vec<String> = rows
        .iter()
        .map(|row| match row.interval {
            Some((lo, hi)) => {
                format!("{}: {}, {} to {}", row.label, row.figure, fine_change(lo), fine_change(hi))
            }
            None => format!("{}: {}, no interval", row.label, row.figure),
        })
        .collect();
    said.join("; ")
}

/// The interval of an effect in words, for rows of the index.
pub(super) fn interval(effect: Option<&Effect>) -> String {
    interval_text(effect)
}
