//! A drawing with what stands below it.

/// A figure of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Figure {
    pub title: String,
    /// Made by `report::plot`, which escapes what it writes.
    pub svg: String,
    /// How to read it. Not escaped.
    pub caption: String,
}

impl Figure {
    pub fn new(title: impl Into<String>, svg: String, caption: impl Into<String>) -> Figure {
        Figure { title: title.into(), svg, caption: caption.into() }
    }
}
