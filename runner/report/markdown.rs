//! A record's table in Markdown: `table.md`.

use super::details::markdown_details;
use super::drafts;
use super::escape::markdown_text;
use super::ladder;
use super::notes::{Layout, layout, notes};
use super::peers;
use super::processes;
use super::rows::{Row, rows};
use super::servers;
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
    for line in ladder::headlines(record) {
        out.extend([format!("**{}**", markdown_text(&line)), String::new()]);
    }
    let layout = layout(record);
    out.extend(match layout {
        Layout::First => table(&HEADER, rows.iter().map(cells)),
        Layout::Described => table(&DESCRIBED_HEADER, rows.iter().map(described_cells)),
    });
    section(&mut out, "Verdicts", verdicts(&rows));
    let curves = ladder::curves(record);
    if !curves.is_empty() {
        out.extend([String::new(), format!("## {}", ladder::HEADING)]);
    }
    for curve in curves {
        out.extend([String::new(), markdown_text(&curve.title), String::new()]);
        let cells = curve.rows.into_iter().map(|row| row.map(|cell| markdown_text(&cell)));
        out.extend(table(&ladder::HEADER, cells));
    }
    let notes = notes(record);
    let contracts = ("Contracts", escaped(&notes.contracts));
    let noise_floor = ("Noise floor (off against off again)", escaped(&notes.noise_floor));
    let [first, second] = match layout {
        Layout::First => [contracts, noise_floor],
        Layout::Described => [noise_floor, contracts],
    };
    section(&mut out, first.0, first.1);
    section(&mut out, second.0, second.1);
    let of_drafts = drafts::rows(record);
    if !of_drafts.is_empty() {
        out.extend([String::new(), format!("## {}", drafts::HEADING), String::new()]);
        let cells = of_drafts.into_iter().map(|row| row.map(|cell| markdown_text(&cell)));
        out.extend(table(&drafts::HEADER, cells));
    }
    let of_peers = peers::rows(record);
    if !of_peers.is_empty() {
        out.extend([String::new(), format!("## {}", peers::HEADING), String::new()]);
        let cells = of_peers.into_iter().map(|row| row.map(|cell| markdown_text(&cell)));
        out.extend(table(&peers::HEADER, cells));
        out.push(String::new());
        out.extend(escaped(&peers::lines(record)).into_iter().map(|line| format!("- {line}")));
    }
    section(&mut out, "Secondary metrics, median (quartiles)", escaped(&notes.secondary));
    section(&mut out, "Bounds", escaped(&notes.bounds));
    section(&mut out, "Run", escaped(&notes.run));
    let memory = processes::memory_lines(record);
    section(&mut out, processes::MEMORY_HEADING, escaped(&memory));
    section(&mut out, servers::HEADING, escaped(&servers::lines(record)));
    section(&mut out, "Weights", escaped(&notes.weights));
    section(&mut out, "What the figures speak of", escaped(&notes.regimes));
    section(&mut out, "Provenance", escaped(&notes.provenance));
    out.extend(markdown_details(record));
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

/// What a reader needs first stands first.
const DESCRIBED_HEADER: [&str; 11] = [
    "comparison",
    "verdict",
    "ratio to off, paired",
    "ratio to off, pooled",
    "n",
    "noise floor",
    "off: median (quartiles)",
    "arm: median (quartiles)",
    "rounds agree",
    "inputs agree",
    "p",
];

/// A table; the cells are escaped already.
fn table<const COLUMNS: usize>(
    header: &[&str; COLUMNS],
    rows: impl Iterator<Item = [String; COLUMNS]>,
) -> Vec<String> {
    let mut lines = vec![line(&header.map(str::to_owned)), line(&header.map(|_| "---".to_owned()))];
    lines.extend(rows.map(|row| line(&row)));
    lines
}

fn described_cells(row: &Row) -> [String; 11] {
    let [name, n, off, arm, paired, pooled, rounds, inputs, p, verdict] = cells(row);
    let floor = markdown_text(&row.noise_floor);
    [name, verdict, paired, pooled, n, floor, off, arm, rounds, inputs, p]
}

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
        lines.extend(row.beside.iter().map(|text| beside(text)));
    }
    lines
}

/// A line under a verdict; a warning is seen.
fn beside(text: &str) -> String {
    let text = markdown_text(text);
    match text.strip_prefix("warning: ") {
        Some(what) => format!("**Warning**: {what}"),
        None => capitalised(&text),
    }
}

fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    }
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
