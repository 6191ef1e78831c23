//! `<!-- record: id/run arm condition word -->…<!-- /record -->`: what stands between is generated.

use std::ops::Range;

use super::cited::standing;
use super::findings::{Finding, Rule};
use super::page::Page;
use super::shelf::Shelf;
use crate::manifest::Metric;
use crate::record::{FigureState, Record, verdict_word};
use crate::report::{confidence, percent_change, quantity, ratio};
use crate::verdict::{Comparison, Effect};

/// What a block may say of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    /// `1.233x`
    Ratio,
    /// `+23.3 %`
    Percent,
    /// `1.121x to 1.355x at 95 %`
    Interval,
    /// Median of off, with its unit.
    Off,
    /// Median of the arm, with its unit.
    Arm,
    /// `win`
    Verdict,
    /// The sentence that may be written.
    Claim,
    /// `1.233x (+23.3 %), 1.121x to 1.355x at 95 %: win`
    Row,
}

const NONE: &str = "none";

const WORDS: [(&str, Word); 8] = [
    ("ratio", Word::Ratio),
    ("percent", Word::Percent),
    ("interval", Word::Interval),
    ("off", Word::Off),
    ("arm", Word::Arm),
    ("verdict", Word::Verdict),
    ("claim", Word::Claim),
    ("row", Word::Row),
];

/// A text that must stand at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filling {
    /// What is between the two comments.
    pub span: Range<usize>,
    /// What should be there.
    pub text: String,
}

/// Checks every block of a document; what must be written goes to the result.
pub fn record_blocks(page: &Page<'_>, shelf: &Shelf, findings: &mut Vec<Finding>) -> Vec<Filling> {
    let mut fillings = Vec::new();
    let mut open: Option<(usize, Range<usize>)> = None;
    let malformed = |span: &Range<usize>, what: String| {
        Finding::at(Rule::BlockMalformed, page.source, span, what)
            .hint("`<!-- record: id/run arm ratio -->…<!-- /record -->` (docs/audit.md)")
    };
    for (at, comment) in page.comments.iter().enumerate() {
        if comment.text == "/record" {
            let Some((opened, start)) = open.take() else {
                findings.push(malformed(&comment.span, "it closes no record block".to_owned()));
                continue;
            };
            let text = page.comments.get(opened).map_or("", |comment| comment.text.as_str());
            let inner = start.end..comment.span.start;
            match filling(page, shelf, text, &start, findings) {
                Ok(Some(expected)) => {
                    if page.source.slice(&inner) != expected {
                        fillings.push(Filling { span: inner, text: expected });
                    }
                }
                Ok(None) => {}
                Err(what) => findings.push(malformed(&start, what)),
            }
        } else if comment.text.starts_with("record:") {
            if let Some((_, span)) = open.replace((at, comment.span.clone())) {
                findings.push(malformed(&span, "it is never closed".to_owned()));
            }
        }
    }
    if let Some((_, span)) = open {
        findings.push(malformed(&span, "it is never closed".to_owned()));
    }
    fillings
}

/// Findings for blocks that were not filled.
pub fn outdated(page: &Page<'_>, fillings: &[Filling], findings: &mut Vec<Finding>) {
    for filling in fillings {
        let written = page.source.slice(&filling.span).trim().to_owned();
        let what = match written.as_str() {
            "" => format!("the block is empty; the record says `{}`", filling.text),
            written => format!("it says `{written}`; the record says `{}`", filling.text),
        };
        let span = if filling.span.is_empty() {
            filling.span.start.saturating_sub(1)..filling.span.end
        } else {
            filling.span.clone()
        };
        let found = Finding::at(Rule::BlockOutdated, page.source, &span, what);
        findings.push(found.hint("`runner audit --write` fills it"));
    }
}

/// The text with all its blocks filled.
#[must_use]
pub fn filled(text: &str, fillings: &[Filling]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for filling in fillings {
        out.push_str(text.get(at..filling.span.start).unwrap_or(""));
        out.push_str(&filling.text);
        at = filling.span.end;
    }
    out.push_str(text.get(at..).unwrap_or(""));
    out
}

/// What a block should say; nothing when its record may not be cited, which is a finding.
fn filling(
    page: &Page<'_>,
    shelf: &Shelf,
    comment: &str,
    span: &Range<usize>,
    findings: &mut Vec<Finding>,
) -> Result<Option<String>, String> {
    let mut words: Vec<&str> =
        comment.strip_prefix("record:").unwrap_or("").split_whitespace().collect();
    let last = words.pop().ok_or("it names no record")?;
    let known = WORDS.iter().find(|(name, _)| *name == last);
    let word = known.map(|(_, word)| *word).ok_or_else(|| {
        let names: Vec<&str> = WORDS.iter().map(|(name, _)| *name).collect();
        format!("its last word is `{last}`, not one of {}", names.join(", "))
    })?;
    if words.is_empty() {
        return Err("it names no record".to_owned());
    }
    let name = words.remove(0);
    let paragraph = page.block_at(span.start).map_or("", |block| page.source.slice(&block.span));
    if let Some(finding) = standing(page, shelf, name, span, paragraph) {
        findings.push(finding);
        return Ok(None);
    }
    let Some(shelved) = shelf.find(name) else { return Ok(None) };
    let Ok(record) = &shelved.content else { return Ok(None) };
    let comparison = comparison(record, &words)?;
    let state = shelved.state_at(&comparison.arm, &comparison.condition);
    if matches!(state, FigureState::Struck { .. }) {
        let what = format!("`{}` of {name} was {}", comparison.arm, state.said());
        let found = Finding::at(Rule::StruckRecord, page.source, span, what);
        findings.push(found.hint("take the block away, or cite what replaces it"));
        return Ok(None);
    }
    Ok(Some(said(record, comparison, word)))
}

/// The comparison that the words between record and metric name: arm and condition, either may be
/// left out where there is only one.
fn comparison<'record>(
    record: &'record Record,
    words: &[&str],
) -> Result<&'record Comparison, String> {
    let analysis = &record.sealed.analysis;
    let all: Vec<&Comparison> = analysis.comparisons.iter().chain(&analysis.described).collect();
    let fits = |comparison: &&&Comparison| {
        words.iter().all(|word| *word == comparison.arm || *word == comparison.condition)
    };
    let found: Vec<&Comparison> = all.iter().filter(fits).copied().collect();
    let listed = |comparisons: &[&Comparison]| {
        let names: Vec<String> = comparisons
            .iter()
            .map(|comparison| format!("{} {}", comparison.arm, comparison.condition))
            .map(|name| format!("`{}`", name.trim()))
            .collect();
        names.join(", ")
    };
    // without words it is the one that is judged
    let judged = &analysis.comparisons;
    match (found.as_slice(), judged.as_slice()) {
        ([one], _) => Ok(one),
        (_, [one]) if words.is_empty() => Ok(one),
        ([], _) => Err(format!("the record has no `{}`; it has {}", words.join(" "), listed(&all))),
        (several, _) => Err(format!("several comparisons fit: {}", listed(several))),
    }
}

fn said(record: &Record, comparison: &Comparison, word: Word) -> String {
    let unit = Metric::ALL
        .into_iter()
        .find(|metric| metric.key() == comparison.metric)
        .map_or(comparison.metric.as_str(), |metric| metric.unit());
    let level = |spread: &Option<crate::verdict::Spread>| {
        spread.as_ref().map_or_else(|| NONE.to_owned(), |spread| quantity(spread.median, unit))
    };
    let judged = record.sealed.analysis.comparisons.contains(comparison);
    let verdict = if judged { verdict_word(comparison.verdict) } else { "described" };
    match word {
        Word::Ratio => of_effect(comparison, |effect| ratio(effect.log_ratio)),
        Word::Percent => of_effect(comparison, |effect| percent_change(effect.log_ratio)),
        Word::Interval => of_effect(comparison, interval),
        Word::Off => level(&comparison.off),
        Word::Arm => level(&comparison.treatment),
        Word::Verdict => verdict.to_owned(),
        Word::Claim => {
            let claims = &record.sealed.claims;
            let sealed = claims.iter().find(|claim| {
                claim.arm == comparison.arm && claim.condition == comparison.condition
            });
            sealed.map_or_else(|| comparison.claim.clone(), |claim| claim.sentence.clone())
        }
        Word::Row => of_effect(comparison, |effect| {
            format!(
                "{} ({}), {}: {verdict}",
                ratio(effect.log_ratio),
                percent_change(effect.log_ratio),
                interval(effect)
            )
        }),
    }
}

fn of_effect(comparison: &Comparison, words: impl Fn(&Effect) -> String) -> String {
    comparison.effect.as_ref().map_or_else(|| NONE.to_owned(), words)
}

fn interval(effect: &Effect) -> String {
    match (effect.lo, effect.hi) {
        (Some(lo), Some(hi)) => {
            format!("{} to {} at {}", ratio(lo), ratio(hi), confidence(effect.confidence_percent))
        }
        _ => "no interval".to_owned(),
    }
}
