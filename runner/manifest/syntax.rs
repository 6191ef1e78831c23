//! Text that is not TOML.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::code::Code;
use super::diagnostics::Diagnostic;
use super::span::Span;

/// Above this size only the first syntax fault is looked for: the parser keeps a message for
/// each, and garbage has one a byte.
const RECOVERED: usize = 64 << 10;

/// The document as far as it can be read, and what is not TOML.
pub(super) fn parse(source: &str) -> (Spanned<DeTable<'_>>, Vec<Diagnostic>) {
    match DeTable::parse(source) {
        Ok(document) => (document, Vec::new()),
        Err(error) if source.len() > RECOVERED => {
            let empty = Spanned::new(0..0, DeTable::new());
            let fault = fault(&error, source, empty.get_ref());
            (empty, vec![fault.help("only the first fault of so large a file is shown")])
        }
        Err(_) => {
            let (document, errors) = DeTable::parse_recoverable(source);
            let faults =
                errors.iter().map(|error| fault(error, source, document.get_ref())).collect();
            (document, one_a_line(faults, source))
        }
    }
}

fn fault(error: &toml::de::Error, source: &str, document: &DeTable<'_>) -> Diagnostic {
    let span = error.span().unwrap_or(source.len()..source.len());
    if error.message() == "duplicate key" {
        let name = source.get(span.clone()).unwrap_or_default();
        let fault = Diagnostic::error(
            Code::DUPLICATE_KEY,
            span.clone(),
            format!("`{}` is given twice", super::scalar::shorten(name)),
        )
        .here("again")
        .help("leave one of them out");
        return match first_of(document, name.trim_matches(['"', '\'']), &span) {
            Some(first) => fault.also(first, "first"),
            None => fault,
        };
    }
    Diagnostic::error(Code::TOML_SYNTAX, span, error.message())
}

/// The nearest earlier place of a key of the same name.
fn first_of(table: &DeTable<'_>, name: &str, again: &Span) -> Option<Span> {
    let mut best: Option<Span> = None;
    for (key, value) in table {
        let mut candidates = Vec::new();
        if key.get_ref() == name && key.span().end <= again.start {
            candidates.push(key.span());
        }
        match value.get_ref() {
            DeValue::Table(inner) => candidates.extend(first_of(inner, name, again)),
            DeValue::Array(array) => {
                for item in array.iter() {
                    if let DeValue::Table(inner) = item.get_ref() {
                        candidates.extend(first_of(inner, name, again));
                    }
                }
            }
            _ => {}
        }
        for candidate in candidates {
            if best.as_ref().is_none_or(|best| candidate.start > best.start) {
                best = Some(candidate);
            }
        }
    }
    best
}

/// One syntax fault often causes others behind it on its line.
fn one_a_line(faults: Vec<Diagnostic>, source: &str) -> Vec<Diagnostic> {
    let mut kept: Vec<Diagnostic> = Vec::new();
    for fault in faults {
        let same_line = kept.last().is_some_and(|last| {
            let (from, to) = (last.offset().min(fault.offset()), last.offset().max(fault.offset()));
            source.get(from..to).is_none_or(|between| !between.contains('\n'))
        });
        if !same_line {
            kept.push(fault);
        }
    }
    kept
}
