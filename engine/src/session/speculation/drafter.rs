//! The sources of drafts behind one face.

use engine_protocol::Token;

use super::lookup::PromptLookup;
use super::slice::ModelDrafter;
use crate::EngineError;

/// Where drafted tokens come from.
#[derive(Debug)]
pub(super) enum Drafter {
    /// The text itself.
    Lookup(PromptLookup),
    /// A model of its own.
    Model(Box<ModelDrafter>),
}

impl Drafter {
    /// The text that stands before every prompt.
    pub(super) fn set_depth(&mut self, depth: &[Token]) -> Result<(), EngineError> {
        match self {
            Drafter::Lookup(_) => Ok(()),
            Drafter::Model(drafter) => drafter.set_depth(depth),
        }
    }

    /// Brings a draft model's cache up to the text.
    pub(super) fn catch_up(&mut self, text: &[Token]) -> Result<(), EngineError> {
        match self {
            Drafter::Lookup(_) => Ok(()),
            Drafter::Model(drafter) => drafter.catch_up(text),
        }
    }

    /// At most `most` tokens that may follow `text`.
    pub(super) fn propose(
        &mut self,
        text: &[Token],
        most: usize,
    ) -> Result<Vec<Token>, EngineError> {
        match self {
            Drafter::Lookup(lookup) => Ok(lookup.propose(text, most)),
            Drafter::Model(drafter) => drafter.propose(text, most),
        }
    }

    /// Only the first `length` tokens of what it saw or drafted were kept.
    pub(super) fn roll_back(&mut self, length: usize) -> Result<(), EngineError> {
        match self {
            Drafter::Lookup(_) => Ok(()),
            Drafter::Model(drafter) => drafter.roll_back(length),
        }
    }

    /// Tokens that a draft model has evaluated so far.
    pub(super) fn evaluated(&self) -> u64 {
        match self {
            Drafter::Lookup(_) => 0,
            Drafter::Model(drafter) => drafter.evaluated(),
        }
    }
}
