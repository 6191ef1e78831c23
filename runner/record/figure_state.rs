//! Whether a figure may still be quoted: current, stale, superseded or struck, by later entries of its
//! ledger. Nothing in a record itself is ever edited.

use serde::{Deserialize, Serialize};

use super::entries::StaleFact;
use super::entry::{Entry, EntryBody};
use super::hash::RunName;
use super::reference::RecordName;

/// What became of a figure.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum FigureState {
    /// It may be quoted.
    #[default]
    Current,
    /// Something that it depends on has changed.
    Stale {
        /// When it was noticed: UTC, RFC 3339.
        at: String,
        /// The machine whose facts were compared.
        machine: String,
        /// What changed.
        changed: Vec<StaleFact>,
    },
    /// A later record answers the same question under what holds now.
    Superseded {
        /// That record.
        by: RecordName,
    },
    /// Retracted.
    Struck {
        /// When: UTC, RFC 3339.
        at: String,
        /// What was wrong.
        cause: String,
        /// The record that holds instead.
        replacement: Option<RecordName>,
    },
}

impl FigureState {
    /// One word.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            FigureState::Current => "current",
            FigureState::Stale { .. } => "stale",
            FigureState::Superseded { .. } => "superseded",
            FigureState::Struck { .. } => "struck",
        }
    }

    /// The word, and what there is to say of it.
    #[must_use]
    pub fn said(&self) -> String {
        match self {
            FigureState::Current => "current".to_owned(),
            FigureState::Stale { at, machine, changed } => {
                let facts: Vec<String> = changed
                    .iter()
                    .map(|fact| format!("{} from {} to {}", fact.fact, fact.then, fact.now))
                    .collect();
                format!("stale since {}, on {machine}: {}", day(at), facts.join("; "))
            }
            FigureState::Superseded { by } => format!("superseded by {by}"),
            FigureState::Struck { at, cause, replacement } => {
                let instead = match replacement {
                    Some(record) => format!("; {record} holds instead"),
                    None => "; nothing replaces it".to_owned(),
                };
                format!("struck on {}: {cause}{instead}", day(at))
            }
        }
    }

    /// The same as the end of a sentence: `is stale since …`, `was struck on …`.
    #[must_use]
    pub fn predicate(&self) -> String {
        match self {
            FigureState::Struck { .. } => format!("was {}", self.said()),
            _ => format!("is {}", self.said()),
        }
    }

    /// Whether it may be quoted as it stands.
    #[must_use]
    pub fn is_current(&self) -> bool {
        matches!(self, FigureState::Current)
    }
}

/// The day of an RFC 3339 time.
fn day(at: &str) -> &str {
    at.get(..10).unwrap_or(at)
}

/// What became of a record as a whole. `entries` are in the order of [`super::read_ledger`].
#[must_use]
pub fn record_state(entries: &[Entry], run: &RunName) -> FigureState {
    struck(entries, run, None).unwrap_or_else(|| marked(entries, run))
}

/// What became of one comparison of a record.
#[must_use]
pub fn comparison_state(
    entries: &[Entry],
    run: &RunName,
    arm: &str,
    condition: &str,
) -> FigureState {
    struck(entries, run, Some((arm, condition))).unwrap_or_else(|| marked(entries, run))
}

fn struck(
    entries: &[Entry],
    run: &RunName,
    comparison: Option<(&str, &str)>,
) -> Option<FigureState> {
    entries.iter().rev().find_map(|entry| match &entry.body {
        EntryBody::Retract(body)
            if body.run == *run
                && comparison
                    .map_or(body.is_whole(), |(arm, condition)| body.strikes(arm, condition)) =>
        {
            Some(FigureState::Struck {
                at: entry.circumstances.at.clone(),
                cause: body.cause.clone(),
                replacement: body.replacement.clone(),
            })
        }
        _ => None,
    })
}

/// The last mark counts.
fn marked(entries: &[Entry], run: &RunName) -> FigureState {
    let last = entries.iter().rev().find_map(|entry| match &entry.body {
        EntryBody::Stale(body) if body.run == *run => Some((&entry.circumstances.at, body)),
        _ => None,
    });
    let Some((at, mark)) = last else { return FigureState::Current };
    match &mark.superseded_by {
        Some(by) => FigureState::Superseded { by: by.clone() },
        None if mark.changed.is_empty() => FigureState::Current,
        None => FigureState::Stale {
            at: at.clone(),
            machine: mark.machine.clone(),
            changed: mark.changed.clone(),
        },
    }
}
