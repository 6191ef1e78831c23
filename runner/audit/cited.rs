//! What a document says of the records that it cites.

use std::ops::Range;

use super::bare::about;
use super::citations::Citation;
use super::covers::{is_covered, is_excused};
use super::direction::{About, Direction, Wording};
use super::documents::Block;
use super::figures::Figure;
use super::findings::{Finding, Rule};
use super::page::Page;
use super::regime::outside;
use super::sentences::{sentence_around, sentences};
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

/// A sentence that cites records, or has figures whose source is a citation elsewhere in its
/// paragraph: each figure must be one of theirs, and so must what the sentence names.
fn said(
    page: &Page<'_>,
    shelf: &Shelf,
    block: &Block,
    sentence: &Range<usize>,
    findings: &mut Vec<Finding>,
) {
    let own: Vec<&Citation> = page
        .citations_in(sentence)
        .filter(|citation| !page.in_comment(citation.span.start))
        .collect();
    let held = held(page, sentence);
    if !own.is_empty() {
        let Some(records) = all_of(shelf, &own) else { return };
        figures_said(page, &records, &held, findings);
        regime_said(page, shelf, block, sentence, &records, findings);
        return;
    }
    let held: Vec<&Figure> =
        held.into_iter().filter(|figure| about(page, figure) == About::Speed).collect();
    if held.is_empty() {
        return;
    }
    let context = page.context(block);
    let around: Vec<&Citation> = context.iter().flat_map(|span| page.citations_in(span)).collect();
    let Some(records) = all_of(shelf, &around) else { return };
    figures_said(page, &records, &held, findings);
    regime_said(page, shelf, block, sentence, &records, findings);
}

/// The figures of a part that a cited record must say.
fn held<'page>(page: &'page Page<'_>, span: &Range<usize>) -> Vec<&'page Figure> {
    page.figures_in(span)
        .filter(|figure| {
            let at = figure.span.start;
            let free = is_covered(&page.covers, at) || page.in_comment(at) || page.is_struck(at);
            is_held(figure) && !free
        })
        .collect()
}

/// The cited records; nothing when there are none, or one of them is unknown, which was said
/// already.
fn all_of<'shelf>(shelf: &'shelf Shelf, citations: &[&Citation]) -> Option<Vec<&'shelf Shelved>> {
    let mut records: Vec<&Shelved> = Vec::new();
    for citation in citations {
        let shelved = shelf.find(&citation.record).filter(|shelved| shelved.content.is_ok())?;
        if !records.iter().any(|known| known.name == shelved.name) {
            records.push(shelved);
        }
    }
    (!records.is_empty()).then_some(records)
}

fn figures_said(
    page: &Page<'_>,
    records: &[&Shelved],
    held: &[&Figure],
    findings: &mut Vec<Finding>,
) {
    let names: Vec<&str> = records.iter().map(|shelved| shelved.name.as_str()).collect();
    let strange = held.iter().filter(|figure| {
        let wording = wording(page, figure);
        !records.iter().any(|record| record.allowed.has(figure, wording))
    });
    for figure in strange.take(MOST) {
        let text = page.source.slice(&figure.span);
        let other_way = records.iter().any(|record| {
            let unsaid = Wording { direction: Direction::Unsaid, ..wording(page, figure) };
            record.allowed.has(figure, unsaid)
        });
        let way =
            if other_way { ", which goes the other way, or is no figure of speed" } else { "" };
        let what = format!("`{text}` is no figure of {}{way}", names.join(" or "));
        let hint = format!("`runner show {}` has them", names.first().unwrap_or(&""));
        findings.push(Finding::at(Rule::NotInRecord, page.source, &figure.span, what).hint(hint));
    }
}

/// What the sentence of a figure says of it.
fn wording(page: &Page<'_>, figure: &Figure) -> Wording {
    let Some(block) = page.block_at(figure.span.start) else { return Wording::of_sign(figure) };
    let sentence = sentence_around(page.source, block, &figure.span);
    let before = page.source.slice(&(sentence.start..figure.span.start));
    let behind = page.source.slice(&(figure.span.end..sentence.end));
    Wording::read(figure, before, behind, about(page, figure))
}

fn regime_said(
    page: &Page<'_>,
    shelf: &Shelf,
    block: &Block,
    sentence: &Range<usize>,
    records: &[&Shelved],
    findings: &mut Vec<Finding>,
) {
    let code = block.is_code() || is_excused(&page.covers, sentence.start);
    if code || page.is_example(sentence.start) {
        return;
    }
    for (what, span) in outside(page, shelf, sentence, records) {
        let hint = "cite a record that measured it, or say what this one speaks of";
        findings.push(Finding::at(Rule::OutsideRegime, page.source, &span, what).hint(hint));
    }
}

/// Sizes and durations are told of many things in a sentence.
fn is_held(figure: &Figure) -> bool {
    !matches!(figure.unit.quantity, Quantity::Size | Quantity::Duration)
}
