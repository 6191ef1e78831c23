//! Tables whose head has the unit: the numbers below it are figures too.

use std::ops::Range;

use super::documents::{Block, BlockKind};
use super::figures::Figure;
use super::numbers::numbers;
use super::source::Source;
use super::units::{Quantity, Unit, unit_at};

/// Figures whose unit stands in the head of their column.
#[must_use]
pub fn table_figures(source: &Source, blocks: &[Block]) -> Vec<Figure> {
    let mut found = Vec::new();
    for block in blocks.iter().filter(|block| block.kind == BlockKind::Table) {
        let head = source.line_span(block.lines.start);
        let units: Vec<Option<Unit>> =
            cells(source, &head).iter().map(|cell| unit_of_head(source.slice(cell))).collect();
        if units.iter().all(Option::is_none) {
            continue;
        }
        for line in block.lines.clone().skip(2) {
            for (cell, unit) in cells(source, &source.line_span(line)).iter().zip(&units) {
                let Some(unit) = unit else { continue };
                found.extend(figures_of_cell(source, cell, *unit));
            }
        }
    }
    found
}

/// Numbers of a cell that begins with one. Those with a unit of their own are found elsewhere, and
/// win.
fn figures_of_cell(source: &Source, cell: &Range<usize>, unit: Unit) -> Vec<Figure> {
    let text = source.slice(cell);
    let plain = !text.chars().any(|c| c.is_alphabetic() && !"to".contains(c));
    if !plain {
        return Vec::new();
    }
    numbers(text)
        .into_iter()
        .map(|number| Figure {
            span: cell.start + number.span.start..cell.start + number.span.end,
            unit,
            reading: number.reading,
            other: number.other,
            signed: false,
        })
        .collect()
}

fn cells(source: &Source, line: &Range<usize>) -> Vec<Range<usize>> {
    let text = source.slice(line);
    let mut cells = Vec::new();
    let mut start = None;
    for (at, _) in text
        .match_indices('|')
        .filter(|(at, _)| !text.get(..*at).is_some_and(|b| b.ends_with('\\')))
    {
        if let Some(start) = start {
            cells.push(line.start + start..line.start + at);
        }
        start = Some(at + 1);
    }
    cells
}

/// A rate, a ratio or a duration that a head names: `decode, tokens/s`. A sign of percent in a head
/// mostly belongs to words.
fn unit_of_head(head: &str) -> Option<Unit> {
    let words = head.split([' ', ',', '(', ')', '[', ']']).filter(|word| !word.is_empty());
    let exact = |word: &str| {
        let (unit, length) = unit_at(word)?;
        let rate = matches!(
            unit.quantity,
            Quantity::TokenRate | Quantity::ByteRate | Quantity::OperationRate
        );
        (length == word.len() && rate).then_some(unit)
    };
    words.filter_map(exact).last().or_else(|| {
        let at = head.find("tokens a second").or_else(|| head.find("tokens per second"))?;
        unit_at(head.get(at..)?).map(|(unit, _)| unit)
    })
}

#[cfg(test)]
mod tests {
    use super::super::documents::blocks;
    use super::*;

    #[test]
    fn numbers_take_the_unit_of_their_column() {
        let text = "| arm | decode, tokens/s | n |\n|---|---|---|\n| a | 41.2 (39 to 42) | 6 |\n\
                    | b | 12 rounds | 7 |\n";
        let source = Source::new("a.md".to_owned(), text.to_owned());
        let values: Vec<f64> = table_figures(&source, &blocks(&source))
            .iter()
            .map(|figure| figure.reading.value)
            .collect();
        assert_eq!(values, [41.2, 39.0, 42.0]);
    }
}
