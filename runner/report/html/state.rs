//! Whether the figures of a record still hold, in words.

use super::super::life::life_banner;
use crate::record::{FigureState, Life};

/// What a reader must know before any figure. Not escaped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Standing {
    /// `current`, `stale`, `superseded`, `struck`; `struck in part` where single figures are.
    pub word: String,
    /// What has to stand above everything; `None` where all may be quoted as it stands.
    pub banner: Option<String>,
}

impl Standing {
    pub fn of(life: &Life) -> Standing {
        let part = life.comparisons.iter().find(|one| !one.state.is_current());
        let word = match part {
            Some(part) if life.state.is_current() => format!("{} in part", part.state.word()),
            _ => life.state.word().to_owned(),
        };
        Standing { word, banner: life_banner(life) }
    }
}

/// What became of one comparison.
pub(super) fn comparison_state<'a>(life: &'a Life, arm: &str, condition: &str) -> &'a FigureState {
    let own = life.comparisons.iter().find(|one| one.arm == arm && one.condition == condition);
    own.map_or(&life.state, |one| &one.state)
}

/// Whether a figure was struck.
pub(super) fn is_struck(state: &FigureState) -> bool {
    match state {
        FigureState::Struck { .. } => true,
        FigureState::Current | FigureState::Stale { .. } | FigureState::Superseded { .. } => false,
    }
}
