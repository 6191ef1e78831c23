//! An audit as text, for people.

use std::collections::BTreeMap;

use super::findings::{Finding, Weight};
use super::inspection::Audit;
use super::places::Places;
use crate::report::plain_text;

/// How much is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listed {
    /// Findings, and files that could not be searched.
    Findings,
    /// What was excused, and figures that need no source, too.
    Everything,
}

/// Findings by file, what could not be searched, and counts.
#[must_use]
pub fn audit_text(audit: &Audit, listed: Listed) -> String {
    let mut out = Vec::new();
    for weight in [Weight::Error, Weight::Warning, Weight::Note] {
        for finding in audit.findings.iter().filter(|finding| finding.weight() == weight) {
            out.extend(lines(finding));
        }
    }
    if listed == Listed::Everything {
        for excused in &audit.excused {
            out.push(format!("excused: {}:{}: {}", excused.file, excused.line, excused.reason));
        }
        for figure in &audit.others {
            let (at, text) = (figure.at, &figure.text);
            let place = format!("{}:{}:{}", figure.file, at.line, at.column);
            out.push(format!("figure: {place}: {} `{text}`", figure.quantity));
        }
    }
    out.extend(unsearchable(audit));
    out.push(counts(audit));
    on_lines(&out) + "\n"
}

/// The places that quote a struck record, how many files were searched, and which could not be.
#[must_use]
pub fn places_text(places: &Places) -> String {
    let mut out: Vec<String> = places
        .found
        .iter()
        .map(|place| {
            let at = place.start;
            format!("{}:{}:{}: {} ({})", place.file, at.line, at.column, place.text, place.what)
        })
        .collect();
    for file in &places.unsearchable {
        out.push(format!("not searched: {}: {}", file.file, file.reason));
    }
    let counted = |count: usize, what: &str| {
        if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
    };
    out.push(format!(
        "{} in {} searched, {} not searched",
        counted(places.found.len(), "place"),
        counted(places.searched_files.len(), "file"),
        counted(places.unsearchable.len(), "file")
    ));
    on_lines(&out)
}

/// One line each, whatever file names, causes and documents hold: no escape reaches the terminal, and no
/// finding can pretend to be two.
fn on_lines(lines: &[String]) -> String {
    lines.iter().map(|line| plain_text(line)).collect::<Vec<_>>().join("\n")
}

fn lines(finding: &Finding) -> Vec<String> {
    let place = match finding.start {
        Some(start) => format!("{}:{}:{}", finding.file, start.line, start.column),
        None => finding.file.clone(),
    };
    let word = weight_word(finding.weight());
    let mut lines = vec![format!("{word}[{}]: {place}: {}", finding.rule.id(), finding.what)];
    if !finding.hint.is_empty() {
        lines.push(format!("  hint: {}", finding.hint));
    }
    lines
}

pub(super) fn weight_word(weight: Weight) -> &'static str {
    match weight {
        Weight::Error => "error",
        Weight::Warning => "warning",
        Weight::Note => "note",
    }
}

/// By reason, each file named.
fn unsearchable(audit: &Audit) -> Vec<String> {
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for file in &audit.unsearchable {
        reasons.entry(&file.reason).or_default().push(&file.file);
    }
    reasons
        .into_iter()
        .map(|(reason, files)| format!("not searched ({reason}): {}", files.join(", ")))
        .collect()
}

fn counts(audit: &Audit) -> String {
    let counted = |count: usize, what: &str| {
        if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
    };
    format!(
        "{}, {}, {}; {} excused; {} searched ({}, {}), {} not searched",
        counted(audit.count(Weight::Error), "error"),
        counted(audit.count(Weight::Warning), "warning"),
        counted(audit.count(Weight::Note), "note"),
        counted(audit.excused.len(), "place"),
        counted(audit.searched.len(), "file"),
        counted(audit.lines, "line"),
        counted(audit.documents.len(), "document"),
        audit.unsearchable.len(),
    )
}
