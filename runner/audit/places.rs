//! Where the figures of struck records live on.

use super::covers::is_excused;
use super::direction::Wording;
use super::excuses::excuses;
use super::figures::{Figure, figures};
use super::files::{Files, Unsearchable, is_marked_up};
use super::page::Page;
use super::shelf::Shelf;
use super::source::{Position, Source};
use super::strikes::StruckFigure;

/// A place that must be struck, replaced or excused.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Place {
    /// File.
    pub file: String,
    /// Where it begins.
    pub start: Position,
    /// Where it ends.
    pub end: Position,
    /// What stands there.
    pub text: String,
    /// Which figure it is: `effect of `fast` in id/run`.
    pub what: String,
    /// Whose: `id/run`.
    pub record: String,
}

/// All places of some figures, and what was searched for them.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Places {
    /// Places, by file and line.
    pub found: Vec<Place>,
    /// Files that were searched.
    pub searched_files: Vec<String>,
    /// Files that could not be.
    pub unsearchable: Vec<Unsearchable>,
}

/// What is looked for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Wanted {
    /// Figures.
    pub figures: Vec<StruckFigure>,
    /// Records (`id/run`) whose very name is a place.
    pub records: Vec<String>,
}

/// Searches files for figures and names of struck records.
#[must_use]
pub fn places(files: &Files, shelf: &Shelf, wanted: &Wanted) -> Places {
    let mut found = Vec::new();
    if !wanted.figures.is_empty() || !wanted.records.is_empty() {
        for source in &files.sources {
            if is_marked_up(&source.path) {
                in_document(source, shelf, wanted, &mut found);
            } else {
                in_text(source, wanted, &mut found);
            }
        }
    }
    found.sort();
    found.dedup_by(|one, other| one.file == other.file && one.start == other.start);
    Places {
        found,
        searched_files: files.sources.iter().map(|source| source.path.clone()).collect(),
        unsearchable: files.unsearchable.clone(),
    }
}

fn in_document(source: &Source, shelf: &Shelf, wanted: &Wanted, found: &mut Vec<Place>) {
    let page = Page::read(source, &mut Vec::new());
    let free = |at: usize| page.is_struck(at) || is_excused(&page.covers, at);
    for figure in &page.figures {
        let at = figure.span.start;
        let Some(struck) = wanted.figures.iter().find(|struck| struck.is(figure)) else { continue };
        if !free(at) && !of_another(&page, shelf, wanted, figure) {
            found.push(place(source, figure.span.clone(), &struck.what, &struck.record));
        }
    }
    for (span, record) in names(source, wanted) {
        if !free(span.start) {
            found.push(place(source, span, "its name", record));
        }
    }
}

/// Whether the block cites a record that stands and says the same figure.
fn of_another(page: &Page<'_>, shelf: &Shelf, wanted: &Wanted, figure: &Figure) -> bool {
    let Some(block) = page.block_at(figure.span.start) else { return false };
    page.citations_in(&block.span)
        .filter(|citation| !wanted.records.contains(&citation.record))
        .filter_map(|citation| shelf.find(&citation.record))
        .any(|shelved| {
            let has = shelved.allowed.has(figure, Wording::of_sign(figure));
            shelved.retractions().next().is_none() && has
        })
}

fn in_text(source: &Source, wanted: &Wanted, found: &mut Vec<Place>) {
    let excuses = excuses(source);
    let excused = |line: usize| excuses.iter().any(|excuse| excuse.excuses(line));
    if !wanted.figures.is_empty() {
        for line in 0..source.line_count() {
            let span = source.line_span(line);
            for figure in figures(source.slice(&span), span.start) {
                let struck = wanted.figures.iter().find(|struck| struck.is(&figure));
                if let Some(struck) = struck.filter(|_| !excused(line)) {
                    found.push(place(source, figure.span.clone(), &struck.what, &struck.record));
                }
            }
        }
    }
    for (span, record) in names(source, wanted) {
        if !excused(source.line_of(span.start)) {
            found.push(place(source, span, "its name", record));
        }
    }
}

type Named<'wanted> = (std::ops::Range<usize>, &'wanted str);

fn names<'wanted>(source: &Source, wanted: &'wanted Wanted) -> Vec<Named<'wanted>> {
    let all = wanted.records.iter().flat_map(|record| {
        let at = source.text.match_indices(record.as_str());
        at.map(|(at, text)| (at..at + text.len(), record.as_str()))
    });
    let whole = |span: &std::ops::Range<usize>| {
        let before = source.text.get(..span.start).and_then(|text| text.chars().next_back());
        let after = source.text.get(span.end..).and_then(|text| text.chars().next());
        let part = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '-');
        !part(before) && !part(after)
    };
    all.filter(|(span, _)| whole(span)).collect()
}

fn place(source: &Source, span: std::ops::Range<usize>, what: &str, record: &str) -> Place {
    let (start, end) = (source.position(span.start), source.position(span.end));
    let text = source.slice(&span).to_owned();
    let (file, what, record) = (source.path.clone(), what.to_owned(), record.to_owned());
    Place { file, start, end, text, what, record }
}
