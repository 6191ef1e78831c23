//! A text file with its lines.

use std::ops::Range;

/// A place in a file, both from 1; columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Position {
    /// Line.
    pub line: usize,
    /// Column.
    pub column: usize,
}

/// A text file that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Relative to the project's root, with `/`; as it was named for files outside.
    pub path: String,
    /// Its text.
    pub text: String,
    starts: Vec<usize>,
}

impl Source {
    /// Finds the lines of a text.
    #[must_use]
    pub fn new(path: String, text: String) -> Source {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect();
        Source { path, text, starts }
    }

    /// How many lines there are; an empty one after the last line break does not count.
    #[must_use]
    pub fn line_count(&self) -> usize {
        let ends = self.text.ends_with('\n') || self.text.is_empty();
        self.starts.len() - usize::from(ends)
    }

    /// Bytes of a line (from 0), without its end.
    #[must_use]
    pub fn line_span(&self, line: usize) -> Range<usize> {
        let start = self.starts.get(line).copied().unwrap_or(self.text.len());
        let end = self.starts.get(line + 1).map_or(self.text.len(), |next| next - 1);
        let end = end.max(start);
        let whole = self.text.get(start..end).unwrap_or("");
        start..end - usize::from(whole.ends_with('\r'))
    }

    /// A line (from 0), without its end.
    #[must_use]
    pub fn line(&self, line: usize) -> &str {
        self.text.get(self.line_span(line)).unwrap_or("")
    }

    /// The line (from 0) that a byte stands in.
    #[must_use]
    pub fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// The place of a byte.
    #[must_use]
    pub fn position(&self, offset: usize) -> Position {
        let line = self.line_of(offset);
        let start = self.line_span(line).start;
        let before = self.text.get(start..offset).unwrap_or("");
        Position { line: line + 1, column: before.chars().count() + 1 }
    }

    /// Part of the text.
    #[must_use]
    pub fn slice(&self, span: &Range<usize>) -> &str {
        self.text.get(span.clone()).unwrap_or("")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns() {
        let source = Source::new("a.md".to_owned(), "one\r\ntw\u{f6} x\n\nend".to_owned());
        assert_eq!(source.line_count(), 4);
        assert_eq!(source.line(0), "one");
        assert_eq!(source.line(1), "tw\u{f6} x");
        assert_eq!(source.line(3), "end");
        assert_eq!(source.line(9), "");
        let at = source.text.find('x').unwrap();
        assert_eq!(source.position(at), Position { line: 2, column: 5 });
    }
}
