//! Whether the figures of a record still hold, in words: the only place of a page that knows.

/// What became of a record's figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StateKind {
    /// They hold.
    Current,
    /// The machine has changed since.
    Stale,
    /// A later record took their place.
    Superseded,
    /// They were withdrawn.
    Struck,
}

/// A state with its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateText {
    /// Which.
    pub kind: StateKind,
    /// What follows from it, for people; empty where there is nothing to say.
    pub text: String,
}

impl StateText {
    /// The state of a record that no later entry speaks of.
    #[must_use]
    pub fn current() -> StateText {
        StateText { kind: StateKind::Current, text: String::new() }
    }

    /// The word, `stale`.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self.kind {
            StateKind::Current => "current",
            StateKind::Stale => "stale",
            StateKind::Superseded => "superseded",
            StateKind::Struck => "struck",
        }
    }

    /// Whether a reader must be told before anything else.
    pub(super) fn is_banner(&self) -> bool {
        self.kind != StateKind::Current
    }
}
