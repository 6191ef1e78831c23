//! Every pair on one axis.

use super::super::figures::{confidence, fine_change};
use super::axis::Axis;
use super::section::Part;
use super::strip_rows::{Kind, StripRow, estimate, rows};
use crate::verdict::{Description, Effect};

/// Widest drawing, columns.
pub(super) const WIDEST: usize = 100;

/// Columns kept for the marks, whatever the rest takes.
const FEWEST_COLUMNS: usize = 20;

/// A strip plot in text: one row a round with its blocks, zero and both margins marked, and the
/// estimate with its interval below. ASCII alone, `width` columns or less (100 at most).
pub(super) fn every_pair(
    description: &Description,
    effect: Option<&Effect>,
    margin: f64,
    width: usize,
) -> Vec<Part> {
    let rounds = &description.rounds;
    if rounds.is_empty() {
        return Vec::new();
    }
    let probe = Axis::of(rounds, margin, FEWEST_COLUMNS);
    let (_, drafts) = rows(rounds, &probe, margin);
    let widest = |text: fn(&StripRow) -> usize| drafts.iter().map(text).max().unwrap_or(0);
    let labels = widest(|row| row.label.len()).max("estimate".len());
    let values = widest(|row| fine_change(row.value).len()).max("+0.00 %".len());
    let columns = width.min(WIDEST).saturating_sub(labels + values + 2).max(FEWEST_COLUMNS);
    let axis = Axis { columns, ..probe };
    let (kind, mut strips) = rows(rounds, &axis, margin);
    strips.extend(effect.map(|effect| estimate(effect, &axis, margin)));

    let mut lines = vec![format!("{:labels$} {}", "", scale(&axis))];
    lines.extend(strips.iter().map(|row| {
        let marks: String = row.marks.iter().collect();
        format!("{:labels$} {marks} {:>values$}", row.label, fine_change(row.value))
    }));
    let lines = lines.iter().map(|line| line.trim_end().to_owned()).collect();
    vec![Part::Drawing(lines), Part::Lines(legend(description, effect, margin, kind))]
}

/// Both ends of the axis, and 0 where there is room.
fn scale(axis: &Axis) -> String {
    let (left, right) = (fine_change(axis.lo), fine_change(axis.hi));
    let mut text: Vec<char> = vec![' '; axis.columns];
    let start = axis.columns.saturating_sub(right.len());
    for (place, mark) in text.iter_mut().zip(left.chars()) {
        *place = mark;
    }
    for (place, mark) in text.iter_mut().skip(start).zip(right.chars()) {
        *place = mark;
    }
    let zero = axis.nearest(0.0);
    if zero > left.len() && zero + 1 < start {
        text[zero] = '0';
    }
    text.into_iter().collect()
}

fn legend(
    description: &Description,
    effect: Option<&Effect>,
    margin: f64,
    kind: Kind,
) -> Vec<String> {
    let listed = description.rounds.iter().any(|round| !round.blocks.is_empty());
    let marks = match (kind, listed) {
        (Kind::Rounds, true) => "O the round's value, . a block (2 to 9: so many, + more)",
        (Kind::Rounds, false) => "O the round's value; the blocks stand in the samples",
        (Kind::Groups, true) => "O median, = quartiles, - least to greatest of the rounds' blocks",
        (Kind::Groups, false) => "O median, = quartiles, - least to greatest of the rounds' values",
    };
    let mut text = format!(
        "{marks}, | no effect, : margins ({} and {})",
        fine_change(-margin),
        fine_change(margin)
    );
    if let Some(effect) = effect.filter(|effect| effect.lo.is_some()) {
        text.push_str(&format!(", [ ] the {} interval", confidence(effect.confidence_percent)));
    }
    text.push_str(", < > beyond the axis");
    vec![text]
}
