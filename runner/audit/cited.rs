//! What a document says of the records that it cites.

use std::ops::Range;

use super::citations::Citation;
use super::covers::{is_covered, is_excused};
use super::documents::Block;
use super::figures::Figure;
use super::findings::{Finding, Rule};
use super::page::Page;
use super::regime::outside;
use super::sentences::sentences;
use super::shelf::{Shelf, Shelved};
use super::units::Quantity;
use crate::record::FigureState;

/// Every citation of a document, and every sentence with one.
pub fn cited(page: &Page<'_>, shelf: &Shelf, findings: &mut Vec<Finding>) {
    for block in &page.blocks {
        for citation in page.citations_in(&block.span) {
            let at = citation.span.start;
            let free = page.is_struck(at) || page.is_example(at) || is_excused(&page.covers, at);
            if !free && !page.in_comment(at) {
                let text = page.source.slice(&block.span);
                findings.extend(standing(page, shelf, &citation.record, &citation.span, text));
            }
        }
        for sentence in sentences(page.source, block) {
            said(page, shelf, block, &sentence, findings);
        }
    }
}

/// Whether a cited record may be cited.
pub(super) fn standing(
    page: &Page<'_>,
    shelf: &Shelf,
    record: &str,
    span: &Range<usize>,
    paragraph: &str,
) -> Option<Finding> {
    let found = |rule: Rule, what: String| Finding::at(rule, page.source, span, what);
    let Some(shelved) = shelf.find(record) else {
        let what = format!("there is no record {record}");
        let hint = match shelf.nearest(record) {
            Some(near) => format!("did you mean {near}?"),
            None => "`runner list` names all records".to_owned(),
        };
        return Some(found(Rule::UnknownRecord, what).hint(hint));
    };
    if let Err(why) = &shelved.content {
        let what = format!("{record} cannot be read: {why}");
        return Some(found(Rule::UnreadableRecord, what).hint("run `runner record verify`"));
    }
    match &shelved.state {
        FigureState::Current => None,
        FigureState::Struck { replacement, .. } => {
            let what = format!("{record} was {}", shelved.state.said());
            let hint = match replacement {
                Some(other) => {
                    format!("cite {other} in its place, or strike this through (`~~…~~`)")
                }
                None => "strike this through (`~~…~~`), or take it away".to_owned(),
            };
            Some(found(Rule::StruckRecord, what).hint(hint))
        }
        FigureState::Superseded { by } => {
            let what = format!("{record} was superseded by {by}");
            Some(found(Rule::SupersededRecord, what).hint(format!("cite {by}")))
        }
        FigureState::Stale { .. } if paragraph.to_lowercase().contains("stale") => None,
        FigureState::Stale { .. } => {
            let what = format!("{record} is {}", shelved.state.said());
            let hint = "run it again, or say in the paragraph that it is stale";
            Some(found(Rule::StaleRecord, what).hint(hint))
        }
    }
}

/// Most figures of one sentence that are named.
const MOST: usize = 20;

/// A sentence that cites records: each figure must be one of theirs, and so must what it names.
fn said(
    page: &Page<'_>,
    shelf: &Shelf,
    block: &Block,
    sentence: &Range<usize>,
    findings: &mut Vec<Finding>,
) {
    let inline: Vec<&Citation> = page
        .citations_in(sentence)
        .filter(|citation| !page.in_comment(citation.span.start))
        .collect();
    let records: Vec<&Shelved> = inline
        .iter()
        .filter_map(|citation| shelf.find(&citation.record))
        .filter(|shelved| shelved.content.is_ok())
        .collect();
    if records.is_empty() || records.len() < inline.len() {
        return; // what is unknown was said already
    }
    let names: Vec<&str> = records.iter().map(|shelved| shelved.name.as_str()).collect();
    let strange: Vec<&Figure> = page
        .figures_in(sentence)
        .filter(|figure| is_held(figure))
        .filter(|figure| {
            let at = figure.span.start;
            !is_covered(&page.covers, at) && !page.in_comment(at) && !page.is_struck(at)
        })
        .filter(|figure| !records.iter().any(|record| record.allowed.has(figure)))
        .take(MOST)
        .collect();
    for figure in strange {
        let text = page.source.slice(&figure.span);
        let what = format!("`{text}` is no figure of {}", names.join(" or "));
        let hint = format!("`runner show {}` has them", names.first().unwrap_or(&""));
        findings.push(Finding::at(Rule::NotInRecord, page.source, &figure.span, what).hint(hint));
    }
    let code = block.is_code() || is_excused(&page.covers, sentence.start);
    if !code && !page.is_example(sentence.start) {
        for (what, span) in outside(page, shelf, sentence, &records) {
            let hint = "cite a record that measured it, or say what this one speaks of";
            findings.push(Finding::at(Rule::OutsideRegime, page.source, &span, what).hint(hint));
        }
    }
}

/// Sizes and durations are told of many things in a sentence.
fn is_held(figure: &Figure) -> bool {
    !matches!(figure.unit.quantity, Quantity::Size | Quantity::Duration)
}
