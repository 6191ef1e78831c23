//! Texts that claim coverage: "tested on qwen2", where no test and no record speaks of it.

use std::collections::BTreeSet;
use std::ops::Range;

use super::architectures::{ARCHITECTURES, names};
use super::excuses::excuses;
use super::files::{Files, is_markdown};
use super::findings::{Finding, Rule};
use super::shelf::Shelf;
use super::source::Source;
use super::tests_of::TestFunction;

const DONE: [&str; 5] = ["tested", "verified", "measured", "covered", "benchmarked"];
const LINKS: [&str; 6] = ["on", "with", "for", "against", "by", "in"];

/// What is covered by something that runs.
#[derive(Debug, Default)]
pub struct Covered {
    architectures: BTreeSet<&'static str>,
    arms: BTreeSet<String>,
}

impl Covered {
    /// By records, and by tests: their names do not count, their bodies do.
    #[must_use]
    pub fn of(shelf: &Shelf, files: &Files, tests: &[TestFunction<'_>]) -> Covered {
        let mut covered = Covered { arms: shelf.arms.clone(), ..Covered::default() };
        let bodies: Vec<String> = tests.iter().map(|test| test.body().to_lowercase()).collect();
        // data that tests read: goldens of a folder are named by their architecture
        let data = files.sources.iter().map(|source| source.path.as_str());
        let more = files.unsearchable.iter().map(|file| file.file.as_str());
        let paths: Vec<String> = data.chain(more).map(str::to_lowercase).collect();
        for word in ARCHITECTURES {
            let in_tests = bodies.iter().any(|body| names(body, word));
            let golden = paths.iter().any(|path| path.contains("golden") && names(path, word));
            if shelf.architectures.contains(word) || in_tests || golden {
                covered.architectures.insert(word);
            }
        }
        covered
    }
}

/// Doc comments and sentences that claim coverage which nothing has.
pub fn text_promises(files: &Files, covered: &Covered, findings: &mut Vec<Finding>) {
    for source in &files.sources {
        let markdown = is_markdown(&source.path);
        if !markdown && !source.path.ends_with(".rs") {
            continue;
        }
        let excuses = excuses(source);
        for line in 0..source.line_count() {
            let text = source.line(line);
            let doc = text.trim_start();
            if !markdown && !doc.starts_with("///") && !doc.starts_with("//!") {
                continue;
            }
            let excused = excuses.iter().any(|excuse| excuse.excuses(line));
            if excused || !DONE.iter().any(|word| text.to_ascii_lowercase().contains(word)) {
                continue;
            }
            promised(source, line, covered, findings);
        }
    }
}

fn promised(source: &Source, line: usize, covered: &Covered, findings: &mut Vec<Finding>) {
    let span = source.line_span(line);
    let words = words(source.slice(&span));
    for (at, (word, _)) in words.iter().enumerate() {
        if !DONE.contains(&word.as_str()) || negated(&words, at) {
            continue;
        }
        let Some((link, _)) = words.get(at + 1) else { continue };
        if !LINKS.contains(&link.as_str()) {
            continue;
        }
        // what follows, as far as a list goes
        for (name, place) in words.iter().skip(at + 2).take(4) {
            let place = span.start + place.start..span.start + place.end;
            let architecture = ARCHITECTURES.iter().find(|known| *known == name);
            if let Some(known) =
                architecture.filter(|known| !covered.architectures.contains(**known))
            {
                let what =
                    format!("it says `{word} {link} {known}`: no record and no test has {known}");
                let found = Finding::at(Rule::TextPromise, source, &place, what);
                findings.push(found.hint("add the test or the record, or take the claim back"));
            }
        }
        arm(source, line, at, &words, covered, findings);
    }
}

/// A claim of an arm by its name: there must be a record with such an arm.
fn arm(
    source: &Source,
    line: usize,
    at: usize,
    words: &[(String, Range<usize>)],
    covered: &Covered,
    findings: &mut Vec<Finding>,
) {
    let mut rest = words.iter().skip(at + 2).skip_while(|(word, _)| word == "the" || word == "an");
    if rest.next().is_none_or(|(word, _)| word != "arm") {
        return;
    }
    let Some((name, place)) = rest.next() else { return };
    let start = source.line_span(line).start;
    let quoted = source.text.get(..start + place.start).is_some_and(|text| text.ends_with('`'));
    if quoted && !covered.arms.contains(name) {
        let what = format!("it speaks of an arm `{name}` that no record has");
        let place = start + place.start..start + place.end;
        let found = Finding::at(Rule::TextPromise, source, &place, what);
        findings.push(found.hint("add the record, or take the claim back"));
    }
}

fn negated(words: &[(String, Range<usize>)], at: usize) -> bool {
    let before = words.iter().take(at).rev().take(3);
    before.into_iter().any(|(word, _)| {
        matches!(word.as_str(), "not" | "never" | "no" | "be" | "nothing" | "none" | "to" | "if")
    })
}

fn words(line: &str) -> Vec<(String, Range<usize>)> {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '=' | '.');
    let mut found = Vec::new();
    let mut begin = None;
    for (at, c) in line.char_indices().chain([(line.len(), ' ')]) {
        match (begin, part(c)) {
            (None, true) => begin = Some(at),
            (Some(from), false) => {
                let word = line.get(from..at).unwrap_or("").trim_end_matches('.');
                found.push((word.to_lowercase(), from..from + word.len()));
                begin = None;
            }
            _ => {}
        }
    }
    found
}
