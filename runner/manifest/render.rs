//! Faults as people read them: file, line, column, caret, and what to write.

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};

use super::diagnostics::{Diagnostic, Diagnostics, Label, MOST_SHOWN, Severity};

/// Whether escape codes are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Color {
    /// Text only.
    Plain,
    /// For a terminal.
    Styled,
}

/// Bytes that are shown of a marked place, and of its line behind it: either may be a megabyte.
const MOST_SHOWN_BYTES: usize = 200;

impl Diagnostics {
    /// All faults, at most [`MOST_SHOWN`] of them, and a line that counts them.
    #[must_use]
    pub fn render(&self, color: Color) -> String {
        let renderer = match color {
            Color::Plain => Renderer::plain(),
            Color::Styled => Renderer::styled(),
        };
        let mut text = String::new();
        for fault in self.list.iter().take(MOST_SHOWN) {
            text.push_str(&self.render_one(fault, &renderer));
            text.push_str("\n\n");
        }
        if self.list.len() > MOST_SHOWN {
            text.push_str(&format!("… and {} more\n\n", self.list.len() - MOST_SHOWN));
        }
        text.push_str(&format!("{}: {}", self.file, self.tally()));
        text
    }

    fn render_one(&self, fault: &Diagnostic, renderer: &Renderer) -> String {
        let level = match fault.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let title = level.primary_title(fault.message.as_str()).id(fault.code.text);
        let mut group = Group::with_title(title);
        for excerpt in self.excerpts(fault) {
            group = group.element(excerpt);
        }
        if let Some(help) = &fault.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        renderer.render(&[group])
    }

    /// One excerpt when the places are near each other, else one a place, in label order.
    fn excerpts<'this>(
        &'this self,
        fault: &'this Diagnostic,
    ) -> Vec<Snippet<'this, Annotation<'this>>> {
        let first = fault.labels.iter().map(|label| self.line_of(label.span.start)).min();
        let last = fault.labels.iter().map(|label| self.line_of(label.span.end)).max();
        // 40 lines: annotate-snippets folds what lies between.
        if let (Some(first), Some(last)) = (first, last)
            && last - first < 40
        {
            return vec![self.excerpt(&fault.labels, AnnotationKind::Primary)];
        }
        fault
            .labels
            .iter()
            .enumerate()
            .map(|(index, label)| {
                let kind =
                    if index == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
                self.excerpt(std::slice::from_ref(label), kind)
            })
            .collect()
    }

    fn excerpt<'this>(
        &'this self,
        labels: &'this [Label],
        first_kind: AnnotationKind,
    ) -> Snippet<'this, Annotation<'this>> {
        let start = labels.iter().map(|label| label.span.start).min().unwrap_or(0);
        let end_of = |label: &Label| label.span.end.min(label.span.start + MOST_SHOWN_BYTES);
        let end = labels.iter().map(end_of).max().unwrap_or(0);
        let start = self.back_to_boundary(start);
        let end = self.back_to_boundary(end.max(start));
        let from = self.source[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let to = self.source[end..].find('\n').map_or(self.source.len(), |newline| end + newline);
        let to = self.back_to_boundary(to.min(end + MOST_SHOWN_BYTES));
        let mut excerpt = Snippet::source(&self.source[from..to])
            .path(self.file.as_str())
            .line_start(self.line_of(from));
        for (index, label) in labels.iter().enumerate() {
            let kind = if index == 0 { first_kind } else { AnnotationKind::Context };
            let begin = self.back_to_boundary(label.span.start).max(from) - from;
            let finish = self.back_to_boundary(end_of(label)).clamp(from, to) - from;
            let mut annotation = kind.span(begin..finish.max(begin));
            if !label.text.is_empty() {
                annotation = annotation.label(label.text.as_str());
            }
            excerpt = excerpt.annotation(annotation);
        }
        excerpt
    }

    fn line_of(&self, offset: usize) -> usize {
        let offset = self.back_to_boundary(offset);
        self.source[..offset].bytes().filter(|byte| *byte == b'\n').count() + 1
    }

    fn back_to_boundary(&self, offset: usize) -> usize {
        let mut offset = offset.min(self.source.len());
        while !self.source.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }
}
