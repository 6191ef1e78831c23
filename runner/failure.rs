//! Errors that reach a person: what is wrong, where, and what to do next.

use std::fmt;

/// One exit code a kind. `docs/exit-codes.md` documents them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// A check or a verification failed, or a file could not be read or written: exit 1.
    Failed,
    /// The command line or the manifest is wrong: exit 2.
    Usage,
    /// A precondition is unmet, and nothing was measured: exit 3.
    Refused,
    /// The run ended early; what it measured is kept: exit 5.
    Incomplete,
}

impl FailureKind {
    /// The process's exit code. A void verdict (4) is no failure: see `verdict`.
    #[must_use]
    pub fn exit_code(self) -> u8 {
        match self {
            FailureKind::Failed => 1,
            FailureKind::Usage => 2,
            FailureKind::Refused => 3,
            FailureKind::Incomplete => 5,
        }
    }
}

/// A failure with its place and its remedy. All texts are lower-case fragments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Decides the exit code.
    pub kind: FailureKind,
    /// What is wrong.
    pub what: String,
    /// The file, arm, record … it is about.
    pub place: Option<String>,
    /// What to do next.
    pub hint: Option<String>,
    /// Text rendered in full beforehand (manifest diagnostics), printed instead of the rest.
    pub rendered: Option<String>,
}

impl Failure {
    /// A failure of a kind.
    #[must_use]
    pub fn new(kind: FailureKind, what: impl Into<String>) -> Failure {
        Failure { kind, what: what.into(), place: None, hint: None, rendered: None }
    }

    /// A failed check, or a file that could not be read or written.
    #[must_use]
    pub fn failed(what: impl Into<String>) -> Failure {
        Failure::new(FailureKind::Failed, what)
    }

    /// A wrong command line or manifest.
    #[must_use]
    pub fn usage(what: impl Into<String>) -> Failure {
        Failure::new(FailureKind::Usage, what)
    }

    /// An unmet precondition; nothing was measured.
    #[must_use]
    pub fn refused(what: impl Into<String>) -> Failure {
        Failure::new(FailureKind::Refused, what)
    }

    /// A run that ended early.
    #[must_use]
    pub fn incomplete(what: impl Into<String>) -> Failure {
        Failure::new(FailureKind::Incomplete, what)
    }

    /// Adds the place.
    #[must_use]
    pub fn at(mut self, place: impl fmt::Display) -> Failure {
        self.place = Some(place.to_string());
        self
    }

    /// Adds the remedy.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Failure {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(rendered) = &self.rendered {
            return formatter.write_str(rendered);
        }
        if let Some(place) = &self.place {
            write!(formatter, "{place}: ")?;
        }
        write!(formatter, "{}", self.what)?;
        if let Some(hint) = &self.hint {
            write!(formatter, "\n  hint: {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Failure {}
