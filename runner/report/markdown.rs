//! A record's table in Markdown: `table.md`.

use super::escape::markdown_text;
use super::notes::notes;
use super::rows::{Row, rows};
use crate::record::Record;

/// The table of a record with all that stands below it. Every text is escaped.
#[must_use]
pub fn markdown_table(record: &Record) -> String {
    let sealed = &record.sealed;
    let rows = rows(record);
    let mut out = vec![
        format!("# {}: {}", markdown_text(sealed.id.as_str()), markdown_text(&record.plan.title)),
        String::new(),
        format!("Run {}. {}", sealed.run, markdown_text(&record.plan.hypothesis)),
        String::new(),
    ];
    out.push(line(&HEADER.map(str::to_owned)));
    out.push(line(&HEADER.map(|_| "---".to_owned())));
    out.extend(rows.iter().map(|row| line(&cells(row))));
    section(&mut out, "Verdicts", verdicts(&rows));
    let notes = notes(record);
    section(&mut out, "Contracts", escaped(&notes.contracts));
    section(&mut out, "Noise floor (off against off again)", escaped(&notes.noise_floor));
    section(&mut out, "Secondary metrics, median (quartiles)", escaped(&notes.secondary));
    section(&mut out, "Run", escaped(&notes.run));
    section(&mut out, "Provenance", escaped(&notes.provenance));
    out.join("\n") + "\n"
}

const HEADER: [&str; 10] = [
    "comparison",
    "n",
    "off: median (quartiles)",
    "arm: median (quartiles)",
    "ratio to off, paired",
    "ratio to off, pooled",
    "rounds agree",
    "inputs agree",
    "p",
    "verdict",
];

fn cells(row: &Row) -> [String; 10] {
    [
        row.name.clone(),
        format!("{}, {}", row.rounds, row.blocks),
        format!("{} {}", row.off, row.unit),
        format!("{} {}", row.arm, row.unit),
        format!("{}; {}", row.ratio, row.interval),
        format!("{}; {}", row.pooled, row.pooled_interval),
        format!("{} rounds", row.rounds_agree),
        format!("{} inputs", row.inputs_agree),
        row.holm.clone(),
        format!("{}: {}", row.verdict, row.reason_code),
    ]
    .map(|text| markdown_text(&text))
}

fn verdicts(rows: &[Row]) -> Vec<String> {
    let mut lines = Vec::new();
    for row in rows {
        lines.push(format!(
            "**{}** {} ({}): {}",
            markdown_text(&row.verdict),
            markdown_text(&row.name),
            markdown_text(&row.reason_code),
            markdown_text(&row.reason)
        ));
        if row.kind.is_some() {
            lines.push(format!("Claim: {}", markdown_text(&row.claim)));
        }
        if let Some(kept) = &row.with_flagged {
            lines.push(format!("With flagged blocks kept: {}", markdown_text(kept)));
        }
    }
    lines
}

fn escaped(lines: &[String]) -> Vec<String> {
    lines.iter().map(|line| markdown_text(line)).collect()
}

fn section(out: &mut Vec<String>, heading: &str, lines: Vec<String>) {
    if lines.is_empty() {
        return;
    }
    out.extend([String::new(), format!("## {heading}"), String::new()]);
    out.extend(lines.into_iter().map(|line| format!("- {line}")));
}

/// A line of a table; the cells are escaped already.
pub(super) fn line(cells: &[String]) -> String {
    format!("| {} |", cells.join(" | "))
}
