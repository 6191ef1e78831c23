//! `runner list` for a terminal.

use comfy_table::Cell;

use super::escape::plain_text;
use super::rows::{estimate, interval, name, reason_word};
use super::terminal::{Style, new_table, trimmed, verdict_cell};
use crate::record::{CommitState, Listing, RunState, RunSummary, SummaryState, verdict_word};

/// One line a comparison, and one for each registration without a record. Ends with a newline.
#[must_use]
pub fn terminal_listing(listing: &Listing, width: usize, style: Style) -> String {
    if listing.summaries.is_empty() {
        return "nothing is registered here yet\n".to_owned();
    }
    let mut table = new_table(width, style);
    table.set_header(vec!["record", "comparison", "ratio to off", "verdict", "where and when"]);
    // ids are broken between their words
    if let Some(record) = table.column_mut(0) {
        record.set_delimiter('-');
    }
    for summary in &listing.summaries {
        add_rows(&mut table, summary, style);
    }
    trimmed(&table) + "\n"
}

fn add_rows(table: &mut comfy_table::Table, summary: &RunSummary, style: Style) {
    let record = match &summary.run {
        Some(run) => format!("{}\n{run}", summary.id),
        None => summary.id.to_string(),
    };
    let mut other = |comparison: &str, what: &str| {
        let cells = [record.clone(), comparison.to_owned(), String::new(), what.to_owned()];
        let mut cells: Vec<Cell> = cells.iter().map(Cell::new).collect();
        cells.push(Cell::new(registered_at(summary)));
        table.add_row(cells);
    };
    match &summary.state {
        SummaryState::RegisteredOnly => match &summary.withdrawn {
            Some(why) => other("", &plain_text(why)),
            None => other("", "registered, never run"),
        },
        SummaryState::Searched(found) => other("", &plain_text(found)),
        SummaryState::Unfinished(RunState::UnfinishedWithBlocks) => {
            other("", "unfinished: `runner exec` goes on");
        }
        SummaryState::Unfinished(_) => other("", "unfinished, without a sample"),
        SummaryState::Unreadable { why } => other("", &plain_text(&format!("unreadable: {why}"))),
        SummaryState::Newer(head) => {
            for comparison in &head.comparisons {
                let named = plain_text(&name(&comparison.arm, &comparison.condition));
                let what = format!(
                    "{}\nrecord of version {}",
                    verdict_word(comparison.verdict),
                    head.format_version
                );
                other(&named, &what);
            }
        }
        SummaryState::Finished(finished) => {
            let mut place = format!(
                "{}\n{}\nattempt {}",
                finished.started.chars().take(10).collect::<String>(),
                plain_text(&finished.machine),
                finished.attempt
            );
            if finished.state == CommitState::Uncommitted {
                place.push_str(", uncommitted");
            }
            if finished.unpinned {
                place.push_str(", unpinned");
            }
            match finished.extent.as_str() {
                "whole_model" => {}
                "unknown" => place.push_str("\nextent unknown"),
                extent => place.push_str(&format!("\n{}", plain_text(extent))),
            }
            for row in &finished.rows {
                let ratio = row.effect.as_ref().map_or_else(
                    || "none".to_owned(),
                    |effect| format!("{}\n{}", estimate(effect), interval(Some(effect))),
                );
                let mut verdict = format!(
                    "{}\n{}",
                    verdict_word(row.verdict),
                    reason_word(row.reason).replace('_', " ")
                );
                if !row.figure.is_current() {
                    verdict.push_str(&format!("\n{}", row.figure.word().to_uppercase()));
                }
                table.add_row(vec![
                    Cell::new(&record),
                    Cell::new(plain_text(&name(&row.arm, &row.condition))),
                    Cell::new(ratio),
                    verdict_cell(&verdict, Some(row.verdict), style),
                    Cell::new(&place),
                ]);
            }
        }
    }
}

fn registered_at(summary: &RunSummary) -> String {
    match &summary.registered {
        Some(registered) => {
            // to the minute: 2026-11-29 16:10
            let minute: String = registered.at.chars().take(16).collect();
            let minute = plain_text(&minute.replace('T', " "));
            format!("registered\n{minute}\n{}", registered.state.word())
        }
        None => String::new(),
    }
}
