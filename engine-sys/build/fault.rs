//! What went wrong, and what to do about it.

use std::fmt::Display;
use std::path::Path;

/// A failure of the build that a person reads.
#[derive(Debug)]
pub struct Fault {
    what: String,
    hint: Option<String>,
}

impl Fault {
    /// A failure with a lower-case fragment that says what is wrong and where.
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), hint: None }
    }

    /// The same failure with what to do next.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// A failed access to a file or folder.
    pub fn file(action: &str, path: &Path, error: impl Display) -> Self {
        Self::new(format!("cannot {action} {}: {error}", path.display()))
    }

    /// The lines to print.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.what.lines().chain(self.hint.iter().flat_map(|hint| hint.lines()))
    }
}
