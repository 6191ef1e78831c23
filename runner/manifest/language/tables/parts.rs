//! What tables are written with.

use std::borrow::Cow;

use crate::manifest::language::describe::{Key, Need, Shape, Table, TextRule};

/// Greatest whole number that every JSON reader keeps exactly: 2^53 - 1 (RFC 8259, section 6).
pub const GREATEST_EXACT: u64 = (1 << 53) - 1;
/// Whole numbers of a plan are u32.
pub(super) const U32: u64 = u32::MAX as u64;

pub(super) const LINE: Shape = Shape::Text(TextRule::Line);
pub(super) const PROSE: Shape = Shape::Text(TextRule::Prose);

pub(super) fn key(
    name: &'static str,
    need: Need,
    shape: Shape,
    example: &'static str,
    doc: &'static str,
) -> Key {
    let header = example.starts_with("[[")
        || example
            .strip_prefix('[')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_alphabetic()));
    let dotted = example.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
    let example = if header || dotted {
        Cow::Borrowed(example)
    } else {
        Cow::Owned(format!("{name} = {example}"))
    };
    Key { name: name.into(), shape, need, doc: doc.into(), example }
}

pub(super) fn table(title: &'static str, doc: &'static str, keys: Vec<Key>) -> Table {
    Table { title, doc, keys }
}

pub(super) fn whole(least: u64, most: u64) -> Shape {
    Shape::Whole { least, most }
}
