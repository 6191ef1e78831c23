//! Faults of a manifest, all of them at once.

use crate::failure::{Failure, FailureKind};

use super::code::Code;
use super::faults::Faults;
use super::span::{Position, Span};

/// Most faults that are rendered; the rest is counted.
pub const MOST_SHOWN: usize = 20;

/// Whether a fault stops the experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// There is no plan.
    Error,
    /// There is a plan, but something is likely not meant.
    Warning,
}

impl Severity {
    /// The word in messages and JSON.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// A marked place with its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Byte range of the text.
    pub span: Span,
    /// What is to be seen there; may be empty.
    pub text: String,
}

/// One fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Whether it stops the experiment.
    pub severity: Severity,
    /// Which fault.
    pub code: Code,
    /// A lower-case fragment: what is wrong.
    pub message: String,
    /// The first is the place of the fault; others show what it clashes with.
    pub labels: Vec<Label>,
    /// What to write instead.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub(super) fn error(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            code,
            message: message.into(),
            labels: vec![Label { span, text: String::new() }],
            help: None,
        }
    }

    /// A warning at a place.
    pub(super) fn warning(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    /// Words at the place of the fault.
    pub(super) fn here(mut self, text: impl Into<String>) -> Diagnostic {
        if let Some(label) = self.labels.first_mut() {
            label.text = text.into();
        }
        self
    }

    /// Another place that matters.
    pub(super) fn also(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// What to write.
    pub(super) fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// A failure's place, words and remedy.
    pub(super) fn retell(self, failure: Failure) -> Diagnostic {
        let place = failure.place.map_or_else(String::new, |place| format!("{place}: "));
        let remedy = failure.hint.map_or_else(String::new, |hint| format!("\n{hint}"));
        self.help(format!("{place}{}{remedy}", failure.what))
    }

    /// Byte offset of the fault.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.labels.first().map_or(0, |label| label.span.start)
    }
}

/// The faults of one file, in the order of their places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostics {
    /// The file as it is to be named.
    pub file: String,
    /// Its text, without a byte order mark.
    pub source: String,
    /// The faults, errors first.
    pub list: Vec<Diagnostic>,
    /// Faults beyond the thousand that are kept.
    pub dropped: usize,
}

impl Diagnostics {
    /// Of what was collected.
    pub(super) fn new(file: String, source: String, faults: Faults) -> Diagnostics {
        let (list, dropped) = faults.into_parts();
        Diagnostics { file, source, list, dropped }
    }

    /// Whether nothing was found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Number of faults of a severity.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.list.iter().filter(|fault| fault.severity == severity).count()
    }

    /// `3 errors, 1 warning`.
    #[must_use]
    pub fn tally(&self) -> String {
        let part = |severity: Severity| match self.count(severity) {
            0 => None,
            1 => Some(format!("1 {}", severity.word())),
            n => Some(format!("{n} {}s", severity.word())),
        };
        let parts: Vec<String> =
            [Severity::Error, Severity::Warning].into_iter().filter_map(part).collect();
        match (parts.is_empty(), self.dropped) {
            (true, _) => "no faults".to_owned(),
            (false, 0) => parts.join(", "),
            (false, dropped) => format!("{}, and {dropped} faults more", parts.join(", ")),
        }
    }

    /// For programs: `file`, `errors`, `warnings`, and `faults`, each with `severity`, `code`,
    /// `message`, `help`, `line`, `column` (both from 1, columns in characters), and `places`,
    /// of which the first is the fault's own. A thousand faults are listed, more are `dropped`.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        let place = |label: &Label| {
            let start = Position::of(&self.source, label.span.start);
            let end = Position::of(&self.source, label.span.end);
            serde_json::json!({
                "line": start.line,
                "column": start.column,
                "end_line": end.line,
                "end_column": end.column,
                "text": label.text,
            })
        };
        let faults: Vec<serde_json::Value> = self
            .list
            .iter()
            .map(|fault| {
                let start = Position::of(&self.source, fault.offset());
                serde_json::json!({
                    "severity": fault.severity.word(),
                    "code": fault.code.text,
                    "file": self.file,
                    "line": start.line,
                    "column": start.column,
                    "message": fault.message,
                    "help": fault.help,
                    "places": fault.labels.iter().map(place).collect::<Vec<_>>(),
                })
            })
            .collect();
        serde_json::json!({
            "file": self.file,
            "errors": self.count(Severity::Error),
            "warnings": self.count(Severity::Warning),
            "dropped": self.dropped,
            "faults": faults,
        })
    }

    /// A usage failure that carries the rendered text.
    #[must_use]
    pub fn into_failure(self, color: super::render::Color) -> Failure {
        let mut failure =
            Failure::new(FailureKind::Usage, format!("the manifest has {}", self.tally()))
                .at(&self.file)
                .hint("`runner check FILE --json` gives each fault with its place");
        failure.rendered = Some(self.render(color));
        failure
    }
}

impl From<Diagnostics> for Failure {
    fn from(diagnostics: Diagnostics) -> Failure {
        diagnostics.into_failure(super::render::Color::Plain)
    }
}
