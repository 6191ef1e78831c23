//! One comparison in full: every pair, paired against pooled, and what is described beside it.

use super::super::details::{pair_axis, sections};
use super::super::figures::{fine_change, percent_change};
use super::super::plot::{EveryPair, PairRow, Scatter, every_pair, scatter};
use super::blocks::{Block, condition_index, median_log_rate, off};
use super::figure::Figure;
use super::forest::paired_against_pooled;
use super::result::ResultRow;
use super::tables::Fold;
use crate::record::Record;
use crate::stats::{log_of_percent, quantile};
use crate::verdict::{Comparison, RoundFigure};

/// Columns for drawings in text, which this page leaves out.
const WIDTH: usize = 60;

/// Share of blocks at either end that may lie beyond an axis.
const BEYOND: f64 = 0.01;

/// A comparison of the page. Not escaped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ComparisonView {
    pub result: ResultRow,
    pub figures: Vec<Figure>,
    /// Why a drawing is not there.
    pub missing: Vec<String>,
    pub folds: Vec<Fold>,
}

/// All of it; `blocks` are those of the samples, where they are read.
pub(super) fn comparison(
    record: &Record,
    (result, comparison): (ResultRow, &Comparison),
    blocks: Option<&[Block<'_>]>,
) -> ComparisonView {
    let of_condition: Option<Vec<&Block<'_>>> = blocks.and_then(|blocks| {
        let index = condition_index(&record.plan, &comparison.condition)?;
        Some(blocks.iter().filter(|block| block.condition == index).collect())
    });
    let case = Case { record, result: &result, comparison, blocks: of_condition.as_deref() };
    let mut view = ComparisonView {
        figures: Vec::new(),
        missing: Vec::new(),
        folds: folds(record, &result, comparison),
        result: result.clone(),
    };
    let drawings = [
        (case.every_pair(), "every pair"),
        (paired_against_pooled(record, (&result, comparison)), "paired against pooled"),
        (case.scatter(), "off against arm"),
    ];
    for (figure, what) in drawings {
        match figure {
            Some(figure) => view.figures.push(figure),
            None => view.missing.push(format!("{what}: not recorded, or no accepted block")),
        }
    }
    view
}

fn folds(record: &Record, result: &ResultRow, comparison: &Comparison) -> Vec<Fold> {
    sections(&record.plan, comparison, WIDTH)
        .into_iter()
        // its legend is that of a drawing in text
        .filter(|section| section.heading != "Every pair")
        .filter_map(|section| Fold::of(section, &result.row.name))
        .collect()
}

struct Case<'a> {
    record: &'a Record,
    result: &'a ResultRow,
    comparison: &'a Comparison,
    blocks: Option<&'a [&'a Block<'a>]>,
}

impl Case<'_> {
    /// Log ratio of a block, where both sides have a number.
    fn log_ratio(&self, block: &Block<'_>) -> Option<f64> {
        let off = block.log_rate(off(&self.record.plan))?;
        Some(block.log_rate(&self.comparison.arm)? - off)
    }

    /// Rounds as they are sealed, else as the samples have them.
    fn rounds(&self) -> Vec<RoundFigure> {
        let sealed = self.comparison.description.as_ref().map(|found| found.rounds.clone());
        let mut rounds = sealed.unwrap_or_default();
        if rounds.iter().any(|round| !round.blocks.is_empty()) {
            return rounds;
        }
        let (mut current, mut part) = (None, 0);
        for block in self.blocks.into_iter().flatten().filter(|block| !block.is_flagged()) {
            let Some(ratio) = self.log_ratio(block) else { continue };
            let same_round = current.is_some_and(|(round, _)| round == block.round);
            if current != Some((block.round, block.segment)) {
                part = if same_round { part + 1 } else { 0 };
                current = Some((block.round, block.segment));
            }
            let of = |one: &&mut RoundFigure| one.round == block.round && one.part == part;
            match rounds.iter_mut().find(of) {
                Some(round) => round.blocks.push(ratio),
                None => rounds.push(RoundFigure {
                    round: block.round,
                    part,
                    value: f64::NAN, // only a sealed one is shown
                    blocks: vec![ratio],
                }),
            }
        }
        rounds
    }

    fn every_pair(&self) -> Option<Figure> {
        let rounds = self.rounds();
        if rounds.is_empty() {
            return None;
        }
        let margin = log_of_percent(self.record.plan.decision.margin_percent);
        let rows: Vec<PairRow> = rounds.iter().map(|round| self.row(round)).collect();
        let (pairs, flagged) = rows.iter().fold((0, 0), |(pairs, flagged), row| {
            (pairs + row.blocks.len(), flagged + row.flagged.len())
        });
        let effect = self.comparison.effect.as_ref();
        let (lo, hi) = pair_axis(&rounds, margin);
        let ends = effect.and_then(|effect| effect.lo.zip(effect.hi));
        let (lo, hi) = ends.map_or((lo, hi), |(low, high)| (lo.min(low), hi.max(high)));
        let drawn = EveryPair {
            estimate: effect.map(|effect| (effect.log_ratio, effect.lo.zip(effect.hi))),
            margin,
            ends: (lo, hi),
            rows,
        };
        let title = "Every pair";
        let values = rounds.iter().filter(|round| round.value.is_finite());
        let values: Vec<String> = values
            .map(|round| format!("round {}: {}", round.round, fine_change(round.value)))
            .collect();
        let description = format!(
            "{pairs} pairs of {} rounds on the axis of the change against off. {}",
            rounds.len(),
            values.join("; ")
        );
        let id = format!("{}-pairs", self.result.anchor);
        let svg = every_pair(&id, (title, &description), &drawn);
        let flagged = match (flagged, self.blocks) {
            (0, Some(_)) => " No block was flagged.".to_owned(),
            (0, None) => " Flagged blocks are not shown: the samples were not read.".to_owned(),
            (count, _) => format!(" Cross: one of {count} flagged blocks, which do not enter."),
        };
        let caption = format!(
            "{pairs} pairs, a row a round (as numbered at the left). Dot: a block. Bar: the round's \
             value. Arrow: beyond the axis. Diamond: the estimate with its interval. Shaded: within \
             the margin.{flagged}"
        );
        Some(Figure::new(title, svg, caption))
    }

    fn row(&self, round: &RoundFigure) -> PairRow {
        let blocks = self.blocks.into_iter().flatten();
        let flagged = blocks.filter(|block| block.is_flagged() && block.round == round.round);
        let part = if round.part == 0 { String::new() } else { format!("/{}", round.part) };
        PairRow {
            label: format!("{}{part}", round.round),
            value: Some(round.value).filter(|value| value.is_finite()),
            blocks: round.blocks.clone(),
            flagged: match round.part {
                0 => flagged.filter_map(|block| self.log_ratio(block)).collect(),
                _ => Vec::new(),
            },
        }
    }

    fn scatter(&self) -> Option<Figure> {
        let blocks = self.blocks?;
        let name = off(&self.record.plan);
        let middle = median_log_rate(blocks.iter().copied(), name)?;
        let points = |flagged: bool| -> Vec<(f64, f64)> {
            let own = blocks.iter().filter(|block| block.is_flagged() == flagged);
            let point = |block: &&Block<'_>| {
                let arm = block.log_rate(&self.comparison.arm)?;
                Some((block.log_rate(name)? - middle, arm - middle))
            };
            own.filter_map(point).collect()
        };
        let found = Scatter { accepted: points(false), flagged: points(true), ends: (0.0, 0.0) };
        let all: Vec<f64> = found.accepted.iter().flat_map(|(off, arm)| [*off, *arm]).collect();
        let ends = (quantile(&all, BEYOND)?, quantile(&all, 1.0 - BEYOND)?);
        let title = "Off against arm";
        let correlation = self.comparison.description.as_ref();
        let correlation = correlation.and_then(|found| found.pairing.as_ref()?.correlation);
        let said = format!(
            "{} blocks, off from {} to {} of its median. {}",
            found.accepted.len(),
            percent_change(ends.0),
            percent_change(ends.1),
            correlation.map_or_else(String::new, |r| format!("Correlation {r:.2}."))
        );
        let id = format!("{}-scatter", self.result.anchor);
        let svg = scatter(&id, (title, &said), &Scatter { ends, ..found });
        let caption = format!(
            "A point a block. On the broken line both are alike: pairing sees the distance from it; \
             pooling sees only the clouds at the edges (above: off, right: the arm).{}",
            correlation.map_or_else(String::new, |r| format!(" Correlation {r:.2}."))
        );
        Some(Figure::new(title, svg, caption))
    }
}
