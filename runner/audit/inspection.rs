//! An audit, from files to findings.

use std::path::PathBuf;

use super::bare::{bare_figures, other_figures};
use super::cited::cited;
use super::drawer::drawer;
use super::excuses::{Excuse, excuses};
use super::files::{Files, Patterns, Unsearchable, files};
use super::findings::{Excused, Finding, Weight};
use super::merged::{Answered, answered};
use super::page::{Page, empty_excuses};
use super::places::{Places, Wanted, places};
use super::promises::{Covered, text_promises};
use super::record_blocks::{Filling, filled, outdated, record_blocks};
use super::settings::{Settings, settings};
use super::shelf::Shelf;
use super::source::{Position, Source};
use super::struck::{part_of, struck, struck_places};
use super::tests_of::{test_functions, test_promises};
use super::versions::versions;
use crate::failure::Failure;
use crate::project::Project;

/// What is audited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// The project, the folders that `runner.toml` names beside it, and these.
    Project {
        /// More folders.
        outside: Vec<PathBuf>,
    },
    /// Only these files and folders; nothing is said of the project as a whole.
    Paths(Vec<PathBuf>),
}

/// What an audit found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Audit {
    /// Findings, by file, place and rule.
    pub findings: Vec<Finding>,
    /// Places that were excused.
    pub excused: Vec<Excused>,
    /// Files that were searched.
    pub searched: Vec<String>,
    /// Of them, those whose figures must have a source.
    pub documents: Vec<String>,
    /// Lines of all files that were searched.
    pub lines: usize,
    /// Files that could not be searched.
    pub unsearchable: Vec<Unsearchable>,
    /// Figures that need no source.
    pub others: Vec<OtherFigure>,
    /// Documents with record blocks that are not what their records say.
    pub writable: Vec<Rewrite>,
}

/// A figure that needs no source: a size, a duration, a percentage of something else than speed.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct OtherFigure {
    /// File.
    pub file: String,
    /// Where.
    pub at: Position,
    /// `duration`, `size`, `percent`.
    pub quantity: &'static str,
    /// As written.
    pub text: String,
}

/// A document with its record blocks filled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewrite {
    /// As its source names it.
    pub file: String,
    /// Its new text.
    pub text: String,
    /// How many blocks change.
    pub blocks: usize,
}

impl Audit {
    /// Whether nothing must be mended.
    #[must_use]
    pub fn passes(&self) -> bool {
        self.findings.iter().all(|finding| finding.weight() != Weight::Error)
    }

    /// How many findings weigh so much.
    #[must_use]
    pub fn count(&self, weight: Weight) -> usize {
        self.findings.iter().filter(|finding| finding.weight() == weight).count()
    }
}

/// Audits a project. Nothing is written.
///
/// # Errors
/// When the settings, a root or results/ cannot be read.
pub fn audit(project: &Project, scope: &Scope) -> Result<Audit, Failure> {
    let settings = settings(project)?;
    let patterns = Patterns::new(&settings)?;
    let files = files(project, &roots(project, &settings, scope), &patterns)?;
    let shelf = Shelf::read(project)?;
    let mut audit = of_files(&files, &patterns, &shelf);
    if matches!(scope, Scope::Project { .. }) {
        let tests = test_functions(&files);
        test_promises(&tests, &mut audit.findings);
        text_promises(&files, &Covered::of(&shelf, &files, &tests), &mut audit.findings);
        drawer(&shelf, &mut audit.findings);
        versions(project, &shelf, &mut audit.findings);
    }
    audit.findings.sort();
    audit.findings.dedup();
    Ok(audit)
}

fn roots(project: &Project, settings: &Settings, scope: &Scope) -> Vec<PathBuf> {
    match scope {
        Scope::Paths(paths) => paths.clone(),
        Scope::Project { outside } => std::iter::once(project.root.clone())
            .chain(settings.outside.iter().map(|folder| project.resolve(folder)))
            .chain(outside.iter().cloned())
            .collect(),
    }
}

/// What the files say, held against the records.
#[must_use]
pub fn of_files(files: &Files, patterns: &Patterns, shelf: &Shelf) -> Audit {
    let mut audit = Audit {
        searched: files.sources.iter().map(|source| source.path.clone()).collect(),
        unsearchable: files.unsearchable.clone(),
        lines: files.sources.iter().map(Source::line_count).sum(),
        ..Audit::default()
    };
    let places = struck_places(files, shelf);
    let mut struck_sentences = Vec::new();
    for source in &files.sources {
        if patterns.is_document(&source.path) {
            struck_sentences.extend(document(source, shelf, &places, &mut audit));
        } else {
            let excuses = excuses(source);
            empty_excuses(source, &excuses, &mut audit.findings);
            excused(source, &excuses, &mut audit.excused);
        }
    }
    struck(shelf, &places, &struck_sentences, &mut audit.findings);
    audit
}

/// Reads a document; its sentences that cite a struck record, which is a finding.
fn document(source: &Source, shelf: &Shelf, places: &Places, audit: &mut Audit) -> Vec<Answered> {
    let findings = &mut audit.findings;
    let page = Page::read(source, findings);
    empty_excuses(source, &page.excuses, findings);
    excused(source, &page.excuses, &mut audit.excused);
    bare_figures(&page, places, findings);
    cited(&page, shelf, findings);
    let fillings: Vec<Filling> = record_blocks(&page, shelf, findings);
    outdated(&page, &fillings, findings);
    let answered = answered(&page, findings);
    if !fillings.is_empty() {
        let (file, blocks) = (source.path.clone(), fillings.len());
        audit.writable.push(Rewrite { file, text: filled(&source.text, &fillings), blocks });
    }
    audit.others.extend(other_figures(&page).into_iter().map(|figure| OtherFigure {
        file: source.path.clone(),
        at: source.position(figure.span.start),
        quantity: figure.unit.quantity.word(),
        text: source.slice(&figure.span).to_owned(),
    }));
    audit.documents.push(source.path.clone());
    answered
}

fn excused(source: &Source, excuses: &[Excuse], all: &mut Vec<Excused>) {
    all.extend(excuses.iter().filter(|excuse| !excuse.reason.is_empty()).map(|excuse| Excused {
        file: source.path.clone(),
        line: excuse.line + 1,
        reason: excuse.reason.clone(),
    }));
}

/// Everywhere that the figures of a record, or of some of its comparisons, live on, in the project
/// and the folders that `runner.toml` names beside it. `picked` is asked with arm and condition.
///
/// # Errors
/// When the settings, a root or results/ cannot be read.
pub fn places_of(
    project: &Project,
    record: &str,
    picked: impl Fn(&str, &str) -> bool,
) -> Result<Places, Failure> {
    let settings = settings(project)?;
    let patterns = Patterns::new(&settings)?;
    let scope = Scope::Project { outside: Vec::new() };
    let files = files(project, &roots(project, &settings, &scope), &patterns)?;
    let shelf = Shelf::read(project)?;
    let all = part_of(&shelf, record, |_, _| true).figures.len();
    let mut wanted: Wanted = part_of(&shelf, record, picked);
    if wanted.figures.len() == all {
        wanted.records.push(record.to_owned());
    }
    Ok(places(&files, &shelf, &wanted))
}
