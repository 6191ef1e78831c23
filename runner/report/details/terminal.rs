//! Details for a terminal.

use super::super::rows::name;
use super::super::terminal::wrapped;
use super::comparison::sections;
use super::section::Part;
use crate::record::Record;

/// Columns before everything below a heading.
const INDENT: usize = 2;

/// Lines of all details of a record, `width` columns wide or less. Empty for a record of rules
/// version 1.
pub(in crate::report) fn terminal_details(record: &Record, width: usize) -> Vec<String> {
    let analysis = &record.sealed.analysis;
    let mut out = Vec::new();
    for comparison in analysis.comparisons.iter().chain(&analysis.described) {
        for section in sections(&record.plan, comparison, width.saturating_sub(INDENT)) {
            let named = name(&comparison.arm, &comparison.condition);
            let heading = format!("{} of {named}:", section.heading.to_lowercase());
            out.push(wrapped(&heading, width, INDENT));
            out.extend(section.parts.iter().flat_map(|part| part_lines(part, width)));
        }
    }
    out
}

fn part_lines(part: &Part, width: usize) -> Vec<String> {
    match part {
        Part::Lines(lines) => {
            lines.iter().map(|text| wrapped(&format!("  {text}"), width, 2 * INDENT)).collect()
        }
        Part::Drawing(lines) => lines.iter().map(|text| format!("  {text}")).collect(),
        Part::Table(rows) => aligned(rows, width),
    }
}

/// Columns side by side; where they do not fit, each row is a sentence.
fn aligned(rows: &[Vec<String>], width: usize) -> Vec<String> {
    let columns = rows.first().map_or(0, Vec::len);
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        })
        .collect();
    let all = INDENT + widths.iter().map(|width| width + INDENT).sum::<usize>();
    if all > width + INDENT {
        let sentence = |row: &Vec<String>| wrapped(&format!("  {}", row.join(", ")), width, 4);
        return rows.iter().map(sentence).collect();
    }
    rows.iter()
        .map(|row| {
            let cells: Vec<String> =
                row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
            format!("  {}", cells.join("  ")).trim_end().to_owned()
        })
        .collect()
}
