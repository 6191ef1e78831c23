//! Details in Markdown.

use super::super::escape::markdown_text;
use super::super::markdown::line;
use super::super::rows::name;
use super::comparison::sections;
use super::section::Part;
use super::strip::WIDEST;
use crate::record::Record;

/// Lines of all details of a record, each comparison under a heading of its own. Every text is
/// escaped. Empty for a record of rules version 1.
pub(in crate::report) fn markdown_details(record: &Record) -> Vec<String> {
    let analysis = &record.sealed.analysis;
    let mut out = Vec::new();
    for comparison in analysis.comparisons.iter().chain(&analysis.described) {
        let sections = sections(&record.plan, comparison, WIDEST);
        if sections.is_empty() {
            continue;
        }
        let named = markdown_text(&name(&comparison.arm, &comparison.condition));
        out.extend([String::new(), format!("## Details of {named}")]);
        for section in sections {
            out.extend([String::new(), format!("### {}", section.heading)]);
            for part in &section.parts {
                out.push(String::new());
                out.extend(part_lines(part));
            }
        }
    }
    out
}

fn part_lines(part: &Part) -> Vec<String> {
    match part {
        Part::Lines(lines) => {
            lines.iter().map(|text| format!("- {}", markdown_text(text))).collect()
        }
        Part::Drawing(lines) => {
            let fence = || "```text".to_owned();
            let mut out = vec![fence()];
            out.extend(lines.iter().cloned());
            out.push("```".to_owned());
            out
        }
        Part::Table(rows) => {
            let cells = |row: &Vec<String>| {
                line(&row.iter().map(|cell| markdown_text(cell)).collect::<Vec<String>>())
            };
            let mut out: Vec<String> = rows.iter().map(cells).collect();
            let columns = rows.first().map_or(0, Vec::len);
            out.insert(1.min(out.len()), line(&vec!["---".to_owned(); columns]));
            out
        }
    }
}
