//! A piece of detail before it is known where it is shown.

/// A heading with what stands below it. Texts are not escaped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::report) struct Section {
    pub heading: &'static str,
    pub parts: Vec<Part>,
}

/// One part of a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::report) enum Part {
    /// Sentences, each on its own.
    Lines(Vec<String>),
    /// Lines in which every column counts. They hold no names.
    Drawing(Vec<String>),
    /// Rows of cells below a header.
    Table(Vec<Vec<String>>),
}

impl Section {
    /// `None` where there is nothing to show.
    pub fn new(heading: &'static str, parts: Vec<Part>) -> Option<Section> {
        let parts: Vec<Part> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        (!parts.is_empty()).then_some(Section { heading, parts })
    }
}

impl Part {
    fn is_empty(&self) -> bool {
        match self {
            Part::Lines(lines) | Part::Drawing(lines) => lines.is_empty(),
            Part::Table(rows) => rows.len() < 2, // a header alone
        }
    }
}
