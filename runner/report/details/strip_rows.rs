//! Rounds as rows of marks.

use super::axis::{Axis, Place};
use crate::stats::quartiles;
use crate::verdict::{Effect, RoundFigure};

/// Rows of a drawing; more rounds are summed up by neighbours.
const MOST_ROWS: usize = 24;

/// One row, not yet laid out.
pub(super) struct StripRow {
    pub label: String,
    pub marks: Vec<char>,
    /// Log ratio that stands at the end of the row.
    pub value: f64,
}

/// What the rows are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// One row a round.
    Rounds,
    /// One row for several neighbouring rounds.
    Groups,
}

/// A row for each round, or for each group of neighbours where there are more than 24.
pub(super) fn rows(rounds: &[RoundFigure], axis: &Axis, margin: f64) -> (Kind, Vec<StripRow>) {
    if rounds.len() <= MOST_ROWS {
        return (Kind::Rounds, rounds.iter().map(|round| single(round, axis, margin)).collect());
    }
    let size = rounds.len().div_ceil(MOST_ROWS);
    let groups = rounds.chunks(size).filter_map(|group| summary(group, axis, margin));
    (Kind::Groups, groups.collect())
}

/// The estimate with its interval.
pub(super) fn estimate(effect: &Effect, axis: &Axis, margin: f64) -> StripRow {
    let mut marks = ground(axis, margin);
    if let (Some(lo), Some(hi)) = (effect.lo, effect.hi) {
        fill(&mut marks, axis, lo, hi, '-');
        set(&mut marks, axis, lo, '[');
        set(&mut marks, axis, hi, ']');
    }
    set(&mut marks, axis, effect.log_ratio, 'O');
    StripRow { label: "estimate".to_owned(), marks, value: effect.log_ratio }
}

fn single(round: &RoundFigure, axis: &Axis, margin: f64) -> StripRow {
    let mut marks = ground(axis, margin);
    let mut counts = vec![0_u32; axis.columns];
    for block in &round.blocks {
        match axis.place(*block) {
            Place::Column(column) => counts[column] += 1,
            Place::Below => marks[0] = '<',
            Place::Above => marks[axis.columns - 1] = '>',
        }
    }
    for (mark, count) in marks.iter_mut().zip(counts) {
        match count {
            0 => {}
            1 => *mark = '.',
            2..=9 => *mark = char::from_digit(count, 10).unwrap_or('+'),
            _ => *mark = '+',
        }
    }
    set(&mut marks, axis, round.value, 'O');
    let part = if round.part == 0 { String::new() } else { format!("/{}", round.part) };
    StripRow { label: format!("round {}{part}", round.round), marks, value: round.value }
}

/// Order figures of all blocks of a group, or of its rounds where blocks are not listed.
fn summary(group: &[RoundFigure], axis: &Axis, margin: f64) -> Option<StripRow> {
    let mut values: Vec<f64> = group.iter().flat_map(|round| round.blocks.clone()).collect();
    if values.is_empty() {
        values = group.iter().map(|round| round.value).collect();
    }
    let five = quartiles(&values)?;
    let mut marks = ground(axis, margin);
    fill(&mut marks, axis, five.least, five.greatest, '-');
    fill(&mut marks, axis, five.first, five.third, '=');
    if axis.place(five.least) == Place::Below {
        marks[0] = '<';
    }
    if axis.place(five.greatest) == Place::Above {
        marks[axis.columns - 1] = '>';
    }
    set(&mut marks, axis, five.median, 'O');
    let label = format!("rounds {} to {}", group.first()?.round, group.last()?.round);
    Some(StripRow { label, marks, value: five.median })
}

/// Zero and both margins.
fn ground(axis: &Axis, margin: f64) -> Vec<char> {
    let mut marks = vec![' '; axis.columns];
    for (value, mark) in [(-margin, ':'), (margin, ':'), (0.0, '|')] {
        set(&mut marks, axis, value, mark);
    }
    marks
}

/// Puts a mark at a value; one beyond the axis shows on which side.
fn set(marks: &mut [char], axis: &Axis, value: f64, mark: char) {
    let mark = match axis.place(value) {
        Place::Below => '<',
        Place::Column(_) => mark,
        Place::Above => '>',
    };
    if let Some(place) = marks.get_mut(axis.nearest(value)) {
        *place = mark;
    }
}

fn fill(marks: &mut [char], axis: &Axis, lo: f64, hi: f64, mark: char) {
    let within = marks.iter_mut().take(axis.nearest(hi) + 1).skip(axis.nearest(lo));
    // zero and the margins stay to be seen under a thin line
    for place in within.filter(|place| mark != '-' || **place == ' ') {
        *place = mark;
    }
}
