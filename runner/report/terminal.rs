//! A record's table for a terminal, fitted to its width.

use comfy_table::{Attribute, Cell, Color, ContentArrangement, Table, presets};

use super::details::terminal_details;
use super::drafts;
use super::escape::plain_text;
use super::ladder;
use super::notes::{Layout, layout, notes};
use super::peers;
use super::rows::{Row, rows};
use super::{processes, servers};
use crate::record::Record;
use crate::verdict::Verdict;

/// Whether a terminal's colours may be used. The caller heeds `NO_COLOR` and pipes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Text alone.
    Plain,
    /// Verdicts are coloured.
    Coloured,
}

/// How much of a record is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// The table, the verdicts with the few lines that qualify them, how the run went.
    Short,
    /// That, then every pair, every estimator, every look, and where the noise comes from.
    All,
}

/// The least width that tables are made for, in columns.
const LEAST_WIDTH: usize = 60;

/// The table of a record with all that stands below it, `width` columns wide or less (60 at
/// least). Ends with a newline.
#[must_use]
pub fn terminal_table(record: &Record, width: usize, style: Style, detail: Detail) -> String {
    let width = width.max(LEAST_WIDTH);
    let rows = rows(record);
    let title = format!("{}/{}: {}", record.sealed.id, record.sealed.run, record.plan.title);
    let mut out = vec![wrapped(&title, width, 2)];
    out.extend(ladder::headlines(record).iter().map(|line| wrapped(line, width, 2)));
    out.push(comparison_table(&rows, width, style));
    for row in &rows {
        let verdict = format!("{} {} ({})", row.verdict, row.name, row.reason_code);
        out.push(wrapped(&format!("{verdict}: {}", row.reason), width, 2));
        if row.kind.is_some() {
            out.push(wrapped(&format!("  claim: {}", row.claim), width, 4));
        }
        if let Some(kept) = &row.with_flagged {
            out.push(wrapped(&format!("  with flagged blocks kept: {kept}"), width, 4));
        }
        out.extend(row.beside.iter().map(|line| wrapped(&format!("  {line}"), width, 4)));
    }
    for curve in ladder::curves(record) {
        let heading = format!("{}, {}:", ladder::HEADING.to_lowercase(), curve.title);
        out.push(wrapped(&heading, width, 2));
        let mut table = new_table(width, style);
        table.set_header(ladder::HEADER.to_vec());
        for row in curve.rows {
            table.add_row(row.map(|cell| plain_text(&cell)).to_vec());
        }
        out.push(trimmed(&table));
    }
    let notes = notes(record);
    let contracts = ("contracts", notes.contracts);
    let noise_floor = ("noise floor (off against off again)", notes.noise_floor);
    let [first, second] = match layout(record) {
        Layout::First => [contracts, noise_floor],
        Layout::Described => [noise_floor, contracts],
    };
    let before = [first, second];
    let after = [
        ("secondary metrics, median (quartiles)", notes.secondary),
        ("bounds", notes.bounds),
        ("run", notes.run),
        ("weights", notes.weights),
        ("what the figures speak of", notes.regimes),
        ("provenance", notes.provenance),
    ];
    headings(&mut out, before, width);
    let of_drafts = drafts::rows(record);
    if !of_drafts.is_empty() {
        out.push(format!("{}:", drafts::HEADING.to_lowercase()));
        let mut table = new_table(width, style);
        table.set_header(drafts::HEADER.to_vec());
        for row in of_drafts {
            table.add_row(row.map(|cell| plain_text(&cell)).to_vec());
        }
        out.push(trimmed(&table));
    }
    let of_peers = peers::rows(record);
    if !of_peers.is_empty() {
        out.push(format!("{}:", peers::HEADING.to_lowercase()));
        let mut table = new_table(width, style);
        table.set_header(peers::HEADER.to_vec());
        for row in of_peers {
            table.add_row(row.map(|cell| plain_text(&cell)).to_vec());
        }
        out.push(trimmed(&table));
        let lines = peers::lines(record);
        out.extend(lines.iter().map(|line| wrapped(&format!("  {line}"), width, 4)));
    }
    headings(&mut out, after, width);
    let details = terminal_details(record, width);
    match detail {
        Detail::All => {
            let heading = processes::MEMORY_HEADING.to_lowercase();
            let servers = servers::HEADING.to_lowercase();
            let own = [
                (heading.as_str(), processes::memory_lines(record)),
                (servers.as_str(), servers::lines(record)),
            ];
            headings(&mut out, own, width);
            out.extend(details);
        }
        Detail::Short if details.is_empty() => {}
        Detail::Short => {
            let name = format!("{}/{}", record.sealed.id, record.sealed.run);
            let command = format!("runner show {name} --all");
            out.push(wrapped(&format!("every pair, estimator and look: {command}"), width, 2));
        }
    }
    out.join("\n") + "\n"
}

/// Lines under headings; a heading without lines is left out.
fn headings<const COUNT: usize>(
    out: &mut Vec<String>,
    sections: [(&str, Vec<String>); COUNT],
    width: usize,
) {
    for (heading, lines) in sections {
        if lines.is_empty() {
            continue;
        }
        out.push(format!("{heading}:"));
        out.extend(lines.iter().map(|line| wrapped(&format!("  {line}"), width, 4)));
    }
}

fn comparison_table(rows: &[Row], width: usize, style: Style) -> String {
    let mut table = new_table(width, style);
    table.set_header(vec![
        "comparison",
        "median\nquartiles",
        "ratio to off\npaired, pooled",
        "verdict\nwhat agrees",
    ]);
    for row in rows {
        let texts = [
            format!("{}\n{}\n{}", broken_name(&row.name), row.rounds, row.blocks),
            format!("off {}\narm {}", broken_spread(&row.off, row), broken_spread(&row.arm, row)),
            format!(
                "{}\n{}\npooled {}\n{}",
                row.ratio,
                row.interval.replace(", ", "\nat "),
                row.pooled.replace(" (", "\n("),
                row.pooled_interval.replace(", ", "\nat ")
            ),
        ];
        let mut cells: Vec<Cell> = texts.iter().map(|text| Cell::new(lines_plain(text))).collect();
        let verdict = format!(
            "{}\n{}\nrounds {}\ninputs {}",
            row.verdict, row.holm, row.rounds_agree, row.inputs_agree
        );
        cells.push(verdict_cell(&lines_plain(&verdict), row.kind, style));
        table.add_row(cells);
    }
    trimmed(&table)
}

/// A long name in lines, broken where it reads best: before its condition, before its value.
fn broken_name(name: &str) -> String {
    const LONGEST: usize = 18; // columns; four such columns fit 80
    let broken = |part: &str| match part.split_once('=') {
        Some((key, value)) if part.chars().count() > LONGEST => format!("{key}\n={value}"),
        _ => part.to_owned(),
    };
    let name = plain_text(name);
    match name.split_once(" at ") {
        Some((arm, condition)) => format!("{}\n{}", broken(arm), broken(condition)),
        None => broken(&name),
    }
}

/// The median with its unit, the quartiles below it.
fn broken_spread(spread: &str, row: &Row) -> String {
    match spread.split_once(" (") {
        Some((median, quartiles)) => {
            format!("{median} {}\n{}", row.unit, quartiles.trim_end_matches(')'))
        }
        None => spread.to_owned(),
    }
}

/// A table of the house style.
pub(super) fn new_table(width: usize, style: Style) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(u16::try_from(width.max(LEAST_WIDTH)).unwrap_or(u16::MAX));
    match style {
        Style::Plain => table.force_no_tty(),
        Style::Coloured => table.enforce_styling(),
    };
    table
}

/// The table as text, without spaces at the ends of lines.
pub(super) fn trimmed(table: &Table) -> String {
    table.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<String>>().join("\n")
}

/// A verdict in its colour.
pub(super) fn verdict_cell(text: &str, verdict: Option<Verdict>, style: Style) -> Cell {
    let cell = Cell::new(text);
    let (Style::Coloured, Some(verdict)) = (style, verdict) else { return cell };
    match verdict {
        Verdict::Win => cell.fg(Color::Green).add_attribute(Attribute::Bold),
        Verdict::Loss => cell.fg(Color::Red).add_attribute(Attribute::Bold),
        Verdict::Level => cell.fg(Color::Blue),
        Verdict::Parked | Verdict::Insufficient => cell.fg(Color::Yellow),
        Verdict::Void | Verdict::Refused | Verdict::Incomplete => cell.fg(Color::Magenta),
    }
}

/// Control characters go, but the lines of a cell stay.
fn lines_plain(text: &str) -> String {
    text.split('\n').map(plain_text).collect::<Vec<String>>().join("\n")
}

/// Breaks a line at spaces so that it fits, and a word that is wider than that anywhere; further
/// lines are indented.
pub(super) fn wrapped(text: &str, width: usize, indent: usize) -> String {
    // a number is not parted from its percent sign; control characters are gone by then
    const GLUE: char = '\u{1}';
    let text = plain_text(text).replace(" %", &format!("{GLUE}%"));
    let first_indent = text.len() - text.trim_start().len();
    let mut lines: Vec<String> = Vec::new();
    let mut line = " ".repeat(first_indent);
    let mut empty = true;
    let widest = width.saturating_sub(indent.max(first_indent)).max(1);
    for word in text.split_whitespace().flat_map(|word| pieces(word, widest)) {
        let length = line.chars().count() + word.chars().count() + usize::from(!empty);
        if length > width && !empty {
            lines.push(std::mem::replace(&mut line, " ".repeat(indent)));
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(&word);
        empty = false;
    }
    lines.push(line);
    lines.join("\n").replace(GLUE, " ")
}

/// A word in pieces of at most so many columns.
fn pieces(word: &str, widest: usize) -> Vec<String> {
    let characters: Vec<char> = word.chars().collect();
    characters.chunks(widest).map(|piece| piece.iter().collect()).collect()
}
