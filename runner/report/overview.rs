//! The cells of an overview's row: one comparison of one record, with all that its figure needs beside
//! it.

use super::escape::markdown_text;
use super::life::counted_verdicts;
use super::notes::commit;
use super::rows::{counted, estimate, interval, name, reason_word};
use crate::record::{
    CommitState, FigureState, FinishedSummary, RunSummary, SummaryRow, SummaryState, verdict_word,
};
use crate::verdict::{Effect, Verdict};

/// Markdown cells.
#[derive(Debug, Clone, Default)]
pub(super) struct OverviewRow {
    pub comparison: String,
    pub verdict: String,
    pub effect: String,
    pub n: String,
    pub attempt: String,
    pub machine: String,
    pub date: String,
    pub commit: String,
    pub regime: String,
    pub state: String,
}

/// One row for each comparison, or one that says there is none.
pub(super) fn overview_rows(
    all: &[RunSummary],
    summary: &RunSummary,
    finished: &FinishedSummary,
) -> Vec<OverviewRow> {
    let shared = OverviewRow {
        attempt: attempt(all, summary, finished),
        machine: markdown_text(&finished.machine),
        date: markdown_text(finished.started.get(..10).unwrap_or(&finished.started)),
        commit: markdown_text(&provenance(summary, finished)),
        regime: markdown_text(&regime(finished)),
        ..OverviewRow::default()
    };
    if finished.rows.is_empty() {
        return vec![OverviewRow {
            comparison: "no comparison".to_owned(),
            verdict: "none".to_owned(),
            effect: "none".to_owned(),
            n: "0".to_owned(),
            state: markdown_text(&finished.figure.said()),
            ..shared
        }];
    }
    // beside the name, so that nobody reads a slice's figure as the model's
    let extent = match finished.is_slice {
        true => format!(" ({})", finished.extent),
        false => String::new(),
    };
    let row = |row: &SummaryRow| OverviewRow {
        comparison: markdown_text(&format!("{}{extent}", name(&row.arm, &row.condition))),
        verdict: markdown_text(&format!(
            "{}: {}",
            verdict_word(row.verdict),
            reason_word(row.reason)
        )),
        effect: struck_through(&row.figure, &ratio(row.effect.as_ref())),
        n: format!("{}, {}", counted(row.n.0, "round"), counted(row.n.1, "block")),
        state: markdown_text(&row.figure.said()),
        ..shared.clone()
    };
    finished.rows.iter().map(row).collect()
}

/// A struck figure is never shown as if it held.
pub(super) fn struck_through(figure: &FigureState, text: &str) -> String {
    match figure {
        FigureState::Struck { .. } => format!("~~{text}~~"),
        _ => text.to_owned(),
    }
}

fn ratio(effect: Option<&Effect>) -> String {
    match effect {
        Some(effect) => markdown_text(&format!("{}; {}", estimate(effect), interval(Some(effect)))),
        None => "none".to_owned(),
    }
}

/// Which attempt of its registration, and what came of its question before: void ones count.
fn attempt(all: &[RunSummary], summary: &RunSummary, finished: &FinishedSummary) -> String {
    let mut text = finished.attempt.to_string();
    let before = before(all, summary);
    if !before.is_empty() {
        let number = before.len() + 1;
        let verdicts: Vec<Verdict> = before.into_iter().flatten().collect();
        text.push_str(&format!(
            "; experiment {number} on this question, after {}",
            counted_verdicts(&verdicts)
        ));
    }
    if summary.amendments > 0 {
        text.push_str(&format!("; amended {} times before it was run", summary.amendments));
    }
    text
}

/// The verdicts of each finished run on the same question that began before this one.
fn before(all: &[RunSummary], summary: &RunSummary) -> Vec<Vec<Verdict>> {
    let (Some(question), Some(run)) = (&summary.question, &summary.run) else { return Vec::new() };
    all.iter()
        .filter(|other| other.question.as_ref() == Some(question))
        .filter(|other| other.run.as_ref().is_some_and(|one| (one, &other.id) < (run, &summary.id)))
        .filter_map(|other| match &other.state {
            SummaryState::Finished(finished) => {
                Some(finished.rows.iter().map(|row| row.verdict).collect())
            }
            _ => None,
        })
        .collect()
}

/// The commit, and what speaks against the order of registration and run.
fn provenance(summary: &RunSummary, finished: &FinishedSummary) -> String {
    let mut parts = vec![commit(finished.commit.as_deref(), finished.state)];
    let registered = summary.registered.as_ref().map(|registered| registered.state);
    parts.push(format!("rules {}", finished.rules_version));
    parts.push(match registered {
        Some(state) => format!("registered {}", state.word()),
        None => "registration unknown".to_owned(),
    });
    if let Some(state) = finished.registration_at_start {
        parts.push(format!("{} at the start", state.word()));
    }
    if finished.state == CommitState::Uncommitted {
        parts.push("uncommitted".to_owned());
    }
    if finished.unpinned {
        parts.push("unpinned".to_owned());
    }
    parts.join(", ")
}

/// What the figures speak of: model, work, class, depth, backend, extent.
pub(super) fn regime(finished: &FinishedSummary) -> String {
    let mut parts = vec![finished.model.clone(), finished.work.clone(), finished.class.clone()];
    if finished.depths.iter().any(|depth| *depth > 0) {
        let depths: Vec<String> = finished.depths.iter().map(ToString::to_string).collect();
        parts.push(format!("depth {}", depths.join(", ")));
    }
    if !finished.backends.is_empty() {
        parts.push(finished.backends.join(" and "));
    }
    parts.push(match finished.extent.as_str() {
        "whole_model" => "whole model".to_owned(),
        "unknown" => "extent unknown".to_owned(),
        extent => extent.to_owned(),
    });
    parts.retain(|part| !part.is_empty());
    parts.join("; ")
}
