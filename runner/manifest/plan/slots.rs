//! How many sequences an arm decodes side by side.

use super::arms::{Arm, Contract};
use super::peer::{Load, Peer};
use super::whole::Plan;

impl Plan {
    /// Sequences that an arm decodes side by side; 1 where the manifest names no number.
    #[must_use]
    pub fn slots_of(&self, arm: &Arm) -> u32 {
        match self.peer_of(arm).map(Peer::load) {
            None => self.settings_of(arm).slots.unwrap_or(1).max(1),
            Some(Load::One) => 1,
            Some(Load::Closed { requests, .. } | Load::Open { requests, .. }) => requests,
        }
    }

    /// Whether a contract of an arm is held against off's choices while it is timed, instead of
    /// logits of a text: `argmax` of several slots, whose batches no other evaluation has.
    #[must_use]
    pub fn is_held_while_timed(&self, arm: &Arm, contract: &Contract) -> bool {
        matches!(contract, Contract::Argmax { .. }) && self.slots_of(arm) > 1
    }
}
