//! What an arm drafts.

use engine_protocol::{DraftAcceptance, DraftSource, Settings};

use super::arms::Arm;
use super::whole::Plan;

/// Speculative decoding in one arm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drafting {
    /// Where drafts come from; never [`DraftSource::Nothing`].
    pub source: DraftSource,
    /// Longest draft.
    pub tokens: u32,
    /// What may be kept of one.
    pub acceptance: DraftAcceptance,
}

impl Drafting {
    /// From the settings in force in an arm; `None` where nothing is drafted.
    #[must_use]
    pub fn of(settings: &Settings) -> Option<Drafting> {
        let source = settings.draft_source.filter(|source| *source != DraftSource::Nothing)?;
        Some(Drafting {
            source,
            tokens: settings.draft_tokens.unwrap_or(1),
            acceptance: settings.draft_acceptance.unwrap_or(DraftAcceptance::Greedy),
        })
    }

    /// How many tokens a block may go beyond what was asked for.
    #[must_use]
    pub fn beyond(self) -> u32 {
        match self.acceptance {
            DraftAcceptance::Greedy => self.tokens,
            DraftAcceptance::Nothing => 0,
        }
    }
}

impl Plan {
    /// What an arm drafts; `None` where it does not.
    #[must_use]
    pub fn drafting_of(&self, arm: &Arm) -> Option<Drafting> {
        Drafting::of(&self.settings_of(arm))
    }

    /// The longest draft of any arm; 0 where none drafts.
    #[must_use]
    pub fn longest_draft(&self) -> u32 {
        self.arms
            .iter()
            .filter_map(|arm| self.drafting_of(arm))
            .map(|drafting| drafting.tokens)
            .max()
            .unwrap_or(0)
    }
}
