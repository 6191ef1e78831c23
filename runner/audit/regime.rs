//! Whether a sentence speaks of what the cited records measured, as far as that can be read.

use std::collections::BTreeSet;
use std::ops::Range;

use super::architectures::{architecture_in, size_in};
use super::bare::about;
use super::direction::About;
use super::page::Page;
use super::regime_words::{Depths, Phases, strange_depths, strange_phase};
use super::shelf::{Shelf, Shelved};
use crate::record::Record;

/// Devices that figures speak of, as sentences name them.
const BACKENDS: [&str; 7] = ["cuda", "metal", "vulkan", "rocm", "hip", "sycl", "opencl"];

/// What the cited records measured, together.
struct Measured {
    arms: BTreeSet<String>,
    models: Vec<String>,
    architectures: BTreeSet<String>,
    inputs: Vec<String>,
    backends: String,
    extents: Vec<String>,
    phases: Phases,
    depths: Depths,
}

impl Measured {
    fn of(records: &[&Record]) -> Measured {
        let all = |part: &dyn Fn(&Record) -> Vec<String>| -> Vec<String> {
            records.iter().flat_map(|record| part(record)).map(|text| text.to_lowercase()).collect()
        };
        Measured {
            arms: all(&|record| {
                let analysis = &record.sealed.analysis;
                let compared = analysis.comparisons.iter().chain(&analysis.described);
                let compared = compared.map(|comparison| comparison.arm.clone());
                compared.chain(record.plan.arms.iter().map(|arm| arm.name.to_string())).collect()
            })
            .into_iter()
            .collect(),
            models: all(&|record| {
                let model = &record.provenance.model;
                vec![model.name.clone(), model.weights_derived_from.clone()]
            }),
            architectures: all(&|record| vec![record.provenance.model.architecture.clone()])
                .into_iter()
                .collect(),
            inputs: all(&|record| {
                let own = record.provenance.arm_inputs.iter().map(|inputs| inputs.name.clone());
                own.chain([record.provenance.workload.name.clone()]).collect()
            }),
            backends: all(&|record| record.provenance.regime.backends.clone()).join(", "),
            extents: all(&|record| {
                let regime = &record.provenance.regime;
                regime.extent_by_arm.values().cloned().chain([regime.extent.clone()]).collect()
            }),
            phases: Phases::of(records),
            depths: Depths::of(records),
        }
    }
}

/// What a sentence names and no cited record measured: words for a finding, and the place.
pub(super) fn outside(
    page: &Page<'_>,
    shelf: &Shelf,
    sentence: &Range<usize>,
    cited: &[&Shelved],
) -> Vec<(String, Range<usize>)> {
    let records: Vec<&Record> =
        cited.iter().filter_map(|shelved| shelved.content.as_deref().ok()).collect();
    let measured = Measured::of(&records);
    let names: Vec<&str> = cited.iter().map(|shelved| shelved.name.as_str()).collect();
    let names = names.join(" and ");
    let text = page.source.slice(sentence);
    let hidden: Vec<Range<usize>> = page
        .citations_in(sentence)
        .map(|citation| citation.span.clone())
        .chain(page.comments.iter().map(|comment| comment.span.clone()))
        .chain(page.struck.iter().cloned())
        .collect();
    let tokens: Vec<Token<'_>> = tokens(text, sentence.start)
        .into_iter()
        .filter(|token| !hidden.iter().any(|span| span.contains(&token.span.start)))
        .collect();
    let mut found = Vec::new();
    for token in &tokens {
        if let Some((what, here)) = strange(token, shelf, &measured) {
            found.push((format!("{what}, but {names} measured {here}"), token.span.clone()));
        }
    }
    let figures = page.figures_in(sentence).any(|figure| about(page, figure) == About::Speed);
    if figures {
        found.extend(strange_phase(&tokens, &measured.phases, &names));
    }
    found.extend(strange_depths(&tokens, &measured.depths, &names));
    found.extend(whole_model(text, sentence.start, &measured, &names));
    found
}

/// A word of a sentence.
pub(super) struct Token<'text> {
    pub(super) text: &'text str,
    pub(super) lower: String,
    /// Whether it stands between backticks.
    quoted: bool,
    /// The word before it, in lower case.
    previous: String,
    pub(super) span: Range<usize>,
}

fn tokens(text: &str, start: usize) -> Vec<Token<'_>> {
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '=' | '.');
    let mut found: Vec<Token<'_>> = Vec::new();
    let mut begin = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (begin, part(c)) {
            (None, true) => begin = Some(at),
            (Some(from), false) => {
                begin = None;
                let word = text.get(from..at).unwrap_or("").trim_end_matches(['.', '-', '=']);
                let before = text.get(..from).unwrap_or("");
                let end = from + word.len();
                let quoted = before.ends_with('`')
                    && text.get(end..).is_some_and(|rest| rest.starts_with('`'));
                let previous = found.last().map_or_else(String::new, |last| last.lower.clone());
                // part of a path or a link's address
                let path =
                    before.ends_with('/') || text.get(end..).is_some_and(|r| r.starts_with('/'));
                if !word.is_empty() && !path {
                    let lower = word.to_lowercase();
                    let span = start + from..start + end;
                    found.push(Token { text: word, lower, quoted, previous, span });
                }
            }
            _ => {}
        }
    }
    found
}

/// What a word names that was not measured, and what was.
fn strange(token: &Token<'_>, shelf: &Shelf, measured: &Measured) -> Option<(String, String)> {
    let Token { text, lower, .. } = token;
    let called = token.quoted && matches!(token.previous.as_str(), "arm" | "arms");
    let telling = token.quoted || lower.contains(['-', '=']) && !lower.starts_with("off");
    let an_arm = telling && shelf.arms.contains(*text) || called;
    if an_arm && !measured.arms.contains(lower) {
        let arms: Vec<&str> = measured.arms.iter().map(String::as_str).collect();
        return Some((format!("it names the arm `{text}`"), format!("`{}`", arms.join("`, `"))));
    }
    if shelf.models.contains(lower) || family(lower, shelf) {
        let known = measured.models.iter().any(|model| model.contains(lower.as_str()));
        let first = lower.split('-').next().unwrap_or("");
        let related = measured.models.iter().any(|model| model.starts_with(first));
        let exact = shelf.models.contains(lower);
        if !known && (exact || !related) {
            return Some((format!("it names the model {text}"), first_of(&measured.models)));
        }
    }
    if let Some(architecture) = architecture_in(lower) {
        let is_model = measured.models.iter().any(|model| model.contains(lower.as_str()));
        let known = measured.architectures.iter().any(|known| known == architecture)
            || measured.models.iter().any(|model| model.contains(architecture));
        if !known {
            let known: Vec<&str> = measured.architectures.iter().map(String::as_str).collect();
            return Some((format!("it names the architecture {text}"), known.join(", ")));
        }
        // `llama-8b`, of a record of another model of that architecture
        let size = size_in(lower);
        let sized = |size: &str| measured.models.iter().any(|model| model.contains(size));
        if !is_model && size.is_some_and(|size| !sized(size)) {
            return Some((format!("it names the model {text}"), first_of(&measured.models)));
        }
    }
    let backend = BACKENDS.contains(&lower.as_str()) && !measured.backends.contains(lower.as_str());
    let gpu = matches!(lower.as_str(), "gpu" | "gpus")
        && !measured.backends.is_empty()
        && measured.backends.split(", ").all(|name| matches!(name, "cpu" | "blas"));
    if backend || gpu {
        return Some((format!("it names {text}"), measured.backends.clone()));
    }
    let set = |known: &String| known.split('-').next() == Some(lower.as_str());
    if token.previous == "on" && shelf.inputs.iter().any(set) && !measured.inputs.iter().any(set) {
        return Some((format!("it speaks of inputs of {text}"), measured.inputs.join(", ")));
    }
    None
}

fn first_of(names: &[String]) -> String {
    names.first().cloned().unwrap_or_default()
}

/// Whether a word is of the family of a known model: `smollm2-360m` beside `smollm2-135m-…`. A
/// family's name has a digit.
fn family(word: &str, shelf: &Shelf) -> bool {
    let Some(first) = word.split('-').next() else { return false };
    first.len() > 4
        && first.chars().any(|c| c.is_ascii_digit())
        && shelf.models.iter().any(|model| model.split('-').next() == Some(first))
}

fn whole_model(
    text: &str,
    start: usize,
    measured: &Measured,
    names: &str,
) -> Option<(String, Range<usize>)> {
    const WHOLE: &str = "whole model";
    let at = text.to_ascii_lowercase().find(WHOLE)?;
    let mut slices = measured.extents.iter().filter(|extent| extent.contains("slice"));
    let only_slices = !measured.extents.is_empty()
        && measured.extents.iter().all(|extent| extent.contains("slice"));
    let slice = slices.next_back().filter(|_| only_slices)?;
    let what = format!("it speaks of the whole model, but {names} measured a {slice}");
    Some((what, start + at..start + at + WHOLE.len()))
}
