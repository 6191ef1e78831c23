//! A value, or the reason why there is none.

use serde::{Deserialize, Serialize};

/// What a sensor gave. "Unknown" is a state with a reason, never an empty text or a zero.
///
/// Written as `{ known = … }` or `{ unknown = "why" }`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reading<T> {
    /// The value.
    Known(T),
    /// Why there is none: a lower-case fragment.
    Unknown(String),
}

impl<T> Reading<T> {
    /// Unknown, for a reason.
    #[must_use]
    pub fn unknown(why: impl Into<String>) -> Reading<T> {
        Reading::Unknown(why.into())
    }

    /// The value, if there is one.
    #[must_use]
    pub fn known(&self) -> Option<&T> {
        match self {
            Reading::Known(value) => Some(value),
            Reading::Unknown(_) => None,
        }
    }

    /// The value changed, or the same reason.
    #[must_use]
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Reading<U> {
        match self {
            Reading::Known(value) => Reading::Known(change(value)),
            Reading::Unknown(why) => Reading::Unknown(why),
        }
    }

    /// What follows from the value, or the same reason.
    #[must_use]
    pub fn and_then<U>(self, follow: impl FnOnce(T) -> Reading<U>) -> Reading<U> {
        match self {
            Reading::Known(value) => follow(value),
            Reading::Unknown(why) => Reading::Unknown(why),
        }
    }

    /// A value that may be absent, with the reason for that.
    #[must_use]
    pub fn from_option(value: Option<T>, why: impl Into<String>) -> Reading<T> {
        value.map_or_else(|| Reading::Unknown(why.into()), Reading::Known)
    }
}
