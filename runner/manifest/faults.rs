//! Faults while they are collected.

use super::diagnostics::Diagnostic;

/// Faults that are kept; more are counted only. A megabyte of garbage may have one a byte.
pub(super) const MOST_KEPT: usize = 1000;

/// A list that does not grow without end.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Faults {
    kept: Vec<Diagnostic>,
    dropped: usize,
}

impl Faults {
    /// Adds a fault; one that is there already, at the same place in the same words, is left out.
    pub fn push(&mut self, fault: Diagnostic) {
        if self.is_full() {
            self.dropped += 1;
        } else if !self.kept.contains(&fault) {
            self.kept.push(fault);
        }
    }

    /// Adds faults.
    pub fn extend(&mut self, faults: impl IntoIterator<Item = Diagnostic>) {
        for fault in faults {
            self.push(fault);
        }
    }

    /// Whether more would only be counted, so that dear words need not be found for them.
    pub fn is_full(&self) -> bool {
        self.kept.len() >= MOST_KEPT
    }

    /// Those that are kept.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.kept.iter()
    }

    /// The kept ones in order of severity and place, and the number of the others.
    pub fn into_parts(mut self) -> (Vec<Diagnostic>, usize) {
        self.kept.sort_by_key(|fault| (fault.severity, fault.offset()));
        (self.kept, self.dropped)
    }
}

impl From<Diagnostic> for Faults {
    fn from(fault: Diagnostic) -> Faults {
        Faults { kept: vec![fault], dropped: 0 }
    }
}
