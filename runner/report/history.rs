//! What a search for a commit has found, in words and as a table.

use super::escape::plain_text;
use super::rows::{estimate, interval};
use crate::record::{HistoryCommit, HistoryOutcome, SearchedHistory, verdict_word};
use crate::verdict::Verdict;

/// The answer, then the steps that it rests on, as Markdown.
#[must_use]
pub fn history_page(history: &SearchedHistory) -> String {
    let mut page = answer(history);
    page.push_str(
        "\n\n| step | commit | verdict | effect against good | record |\n|---|---|---|---|---|\n",
    );
    for step in &history.steps {
        let effect = match &step.effect {
            Some(effect) => format!("{} [{}]", estimate(effect), interval(Some(effect))),
            None => "none".to_owned(),
        };
        page.push_str(&format!(
            "| {} | {} | {} | {effect} | {} |\n",
            step.number,
            short(&step.commit),
            verdict_word(step.verdict),
            step.record
        ));
    }
    for skipped in &history.skipped {
        let why = skipped.why.lines().next().unwrap_or_default();
        page.push_str(&format!("\nskipped {}: {}\n", short(&skipped.commit), plain_text(why)));
    }
    page
}

fn answer(history: &SearchedHistory) -> String {
    let SearchedHistory { metric, good, bad, .. } = history;
    let direction = match history
        .steps
        .iter()
        .map(|step| step.verdict)
        .find(|verdict| matches!(verdict, Verdict::Win | Verdict::Loss | Verdict::Level))
    {
        Some(Verdict::Win) => "raised",
        Some(Verdict::Loss) => "lowered",
        _ => "changed",
    };
    let lines: Vec<String> = history.commits.iter().map(line).collect();
    match (history.outcome, history.commits.as_slice()) {
        (HistoryOutcome::First, [first, ..]) => format!(
            "{} is the first commit that changed {metric} (it {direction} it)\n\nDate: {}\n\n    {}",
            first.commit, first.author_date, first.subject
        ),
        (HistoryOutcome::NoChange, _) | (HistoryOutcome::First, []) => format!(
            "no commit from {} to {} changed {metric} by more than the margin: the two are level",
            short(good),
            short(bad)
        ),
        (HistoryOutcome::OneOf, _) => format!(
            "the first commit that changed {metric} (it {direction} it) is one of these; those before \
             the last cannot be built:\n\n{}",
            lines.join("\n")
        ),
        (HistoryOutcome::Parked, _) => format!(
            "parked: a step stayed unclear. If a commit changed {metric}, it is one of these:\n\n{}",
            lines.join("\n")
        ),
    }
}

fn line(commit: &HistoryCommit) -> String {
    format!("    {} {} {}", short(&commit.commit), commit.author_date, commit.subject)
}

fn short(commit: &str) -> &str {
    commit.get(..12).unwrap_or(commit)
}
