//! Tables and lists of texts, as templates take them. Not escaped.

use super::super::details::{Part, Section};

/// A table: its heads and its rows, the first cell of a row being its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Table {
    /// What it is of, for those who do not see where it stands.
    pub caption: String,
    pub head: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// `None` without rows.
    pub fn of<Cells: IntoIterator<Item = String>>(
        caption: impl Into<String>,
        head: &[&str],
        rows: impl IntoIterator<Item = Cells>,
    ) -> Option<Table> {
        let rows: Vec<Vec<String>> =
            rows.into_iter().map(|cells| cells.into_iter().collect()).collect();
        (!rows.is_empty()).then(|| Table {
            caption: caption.into(),
            head: head.iter().map(|text| (*text).to_owned()).collect(),
            rows,
        })
    }
}

/// A part of a page that is folded away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fold {
    pub heading: String,
    pub tables: Vec<Table>,
    pub lines: Vec<String>,
}

impl Fold {
    /// Tables and lines of a section; drawings in text are left out.
    pub fn of(section: Section, named: &str) -> Option<Fold> {
        let mut fold =
            Fold { heading: section.heading.to_owned(), tables: Vec::new(), lines: Vec::new() };
        for part in section.parts {
            match part {
                Part::Lines(lines) => fold.lines.extend(lines),
                Part::Drawing(_) => {}
                Part::Table(mut rows) => {
                    let head = if rows.is_empty() { Vec::new() } else { rows.remove(0) };
                    let caption = format!("{} of {named}", section.heading);
                    fold.tables.push(Table { caption, head, rows });
                }
            }
        }
        (!fold.tables.is_empty() || !fold.lines.is_empty()).then_some(fold)
    }
}
