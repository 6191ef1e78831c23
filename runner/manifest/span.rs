//! Places in a manifest's text.

use std::ops::Range;

/// A byte range of the manifest's text (without a leading byte order mark).
pub(super) type Span = Range<usize>;

/// A value with its place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Spot<T> {
    /// The value.
    pub value: T,
    /// Where it stands; the table's header for a default.
    pub span: Span,
}

/// Line and column of a byte offset, both from 1; columns count characters, a tab is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
}

impl Position {
    /// The position of a byte offset. An offset past the end, or inside a character, is moved
    /// back to the nearest place that exists.
    #[must_use]
    pub fn of(source: &str, offset: usize) -> Position {
        let mut offset = offset.min(source.len());
        while !source.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &source[..offset];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Position {
            line: before.bytes().filter(|byte| *byte == b'\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}
