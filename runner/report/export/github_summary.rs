//! A job's step summary: verdicts as a Markdown table, negative results beside wins.

use crate::record::{RunSummary, SummaryRow, SummaryState, verdict_word};
use crate::report::escape::markdown_text;
use crate::report::index::counts;
use crate::report::markdown::line;
use crate::report::rows::{estimate, interval, name, reason_word};

const HEADER: [&str; 6] =
    ["verdict", "record", "comparison", "ratio to off", "interval", "where and when"];

/// The most rows: a step summary holds a mebibyte.
const MOST: usize = 1000;

/// Markdown for `$GITHUB_STEP_SUMMARY`. Ends with a newline.
#[must_use]
pub fn github_summary(summaries: &[RunSummary]) -> String {
    let mut out = vec![
        "## Experiments".to_owned(),
        String::new(),
        counts(summaries),
        String::new(),
        line(&HEADER.map(str::to_owned)),
        line(&HEADER.map(|_| "---".to_owned())),
    ];
    let rows: Vec<String> = summaries.iter().flat_map(rows).collect();
    let more = rows.len().saturating_sub(MOST);
    out.extend(rows.into_iter().take(MOST));
    if more > 0 {
        out.extend([String::new(), format!("{more} more rows: `runner list`")]);
    }
    out.join("\n") + "\n"
}

fn rows(summary: &RunSummary) -> Vec<String> {
    let record = match &summary.run {
        Some(run) => format!("{}/{run}", summary.id),
        None => summary.id.to_string(),
    };
    let other = |what: &str| {
        let cells = [what, &record, &summary.title, "none", "none", ""];
        vec![line(&cells.map(markdown_text))]
    };
    match &summary.state {
        SummaryState::Finished(finished) => {
            let date: String = finished.started.chars().take(10).collect();
            let commit = finished.commit.as_deref().unwrap_or("no commit");
            let commit: String = commit.chars().take(12).collect();
            let place = format!("{date}, {}, {commit}", finished.machine);
            let row = |row: &SummaryRow| {
                let effect = row.effect.as_ref();
                let state = match row.figure.is_current() {
                    true => String::new(),
                    false => format!(" ({})", row.figure.word()),
                };
                line(&[
                    markdown_text(&format!(
                        "{}: {}{state}",
                        verdict_word(row.verdict),
                        reason_word(row.reason)
                    )),
                    markdown_text(&record),
                    markdown_text(&name(&row.arm, &row.condition)),
                    markdown_text(&effect.map_or_else(|| "none".to_owned(), estimate)),
                    markdown_text(&interval(effect)),
                    markdown_text(&place),
                ])
            };
            finished.rows.iter().map(row).collect()
        }
        SummaryState::Newer(head) => {
            let verdicts = head.comparisons.iter().map(|one| verdict_word(one.verdict));
            let verdicts: Vec<&str> = verdicts.collect();
            other(&format!("{} (record of version {})", verdicts.join(", "), head.format_version))
        }
        SummaryState::RegisteredOnly => other("registered, never run"),
        SummaryState::Searched(found) => other(found),
        SummaryState::Unfinished(_) => other("unfinished"),
        SummaryState::Unreadable { why } => other(&format!("unreadable: {why}")),
    }
}
