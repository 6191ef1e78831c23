//! The index of all records, as a page.

use std::collections::BTreeSet;

use askama::Template;

use super::super::index::waiting;
use super::finished::finished;
use super::site_record::SiteRecord;
use super::verdict::Badge;
use crate::failure::Failure;
use crate::record::{RunSummary, SummaryState, verdict_word};
use crate::verdict::Verdict;

/// A filter with what it can be set to.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Filter {
    name: &'static str,
    label: &'static str,
    values: Vec<String>,
}

#[derive(Debug, Template)]
#[template(path = "index.html")]
struct IndexPage<'a> {
    records: Vec<&'a SiteRecord>,
    tallies: Vec<(Badge, usize)>,
    comparisons: usize,
    filters: Vec<Filter>,
    /// Registered, without a record: id, title, what is known.
    waiting: Vec<(String, String, String)>,
    /// Records that this program cannot read: id and run, why.
    unread: Vec<(String, String)>,
}

/// The page that lists all records: newest first, negative results beside wins.
///
/// # Errors
/// When the template cannot be filled in.
pub fn html_index(records: &[SiteRecord], summaries: &[RunSummary]) -> Result<String, Failure> {
    let mut sorted: Vec<&SiteRecord> = records.iter().collect();
    sorted.sort_by(|left, right| {
        right.started.cmp(&left.started).then_with(|| left.id.cmp(&right.id))
    });
    let page = IndexPage {
        tallies: tallies(records),
        comparisons: records.iter().map(|record| record.rows.len()).sum(),
        filters: filters(records),
        waiting: waiting(summaries),
        unread: unread(summaries),
        records: sorted,
    };
    finished(&page)
}

fn all_verdicts() -> [Verdict; 8] {
    [
        Verdict::Win,
        Verdict::Loss,
        Verdict::Level,
        Verdict::Parked,
        Verdict::Void,
        Verdict::Refused,
        Verdict::Incomplete,
        Verdict::Insufficient,
    ]
}

fn tallies(records: &[SiteRecord]) -> Vec<(Badge, usize)> {
    let count = |verdict: Verdict| {
        let rows = records.iter().flat_map(|record| &record.rows);
        rows.filter(|row| row.badge.word == verdict_word(verdict)).count()
    };
    let all = all_verdicts().into_iter().map(|verdict| (Badge::of(verdict), count(verdict)));
    all.filter(|(_, count)| *count > 0).collect()
}

fn filters(records: &[SiteRecord]) -> Vec<Filter> {
    let values = |of: fn(&SiteRecord) -> &str| -> Vec<String> {
        let set: BTreeSet<&str> = records.iter().map(of).collect();
        set.into_iter().map(str::to_owned).collect()
    };
    let verdicts = tallies(records).into_iter().map(|(badge, _)| badge.word).collect();
    vec![
        Filter { name: "verdict", label: "Verdict", values: verdicts },
        Filter { name: "model", label: "Model", values: values(|record| &record.model) },
        Filter { name: "backend", label: "Backend", values: values(|record| &record.backend) },
        Filter { name: "state", label: "State", values: values(|record| &record.standing.word) },
        Filter { name: "machine", label: "Machine", values: values(|record| &record.machine) },
    ]
}

/// What is there and cannot be shown is listed all the same.
fn unread(summaries: &[RunSummary]) -> Vec<(String, String)> {
    let why = |summary: &RunSummary| match &summary.state {
        SummaryState::Unreadable { why } => Some(format!("unreadable: {why}")),
        SummaryState::Newer(head) => {
            Some(format!("a record of version {}, newer than this program", head.format_version))
        }
        SummaryState::RegisteredOnly
        | SummaryState::Searched(_)
        | SummaryState::Unfinished(_)
        | SummaryState::Finished(_) => None,
    };
    let name = |summary: &RunSummary| match &summary.run {
        Some(run) => format!("{}/{run}", summary.id),
        None => summary.id.to_string(),
    };
    summaries.iter().filter_map(|summary| Some((name(summary), why(summary)?))).collect()
}
