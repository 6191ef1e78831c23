//! Speculative decoding: a cheap guess at the next tokens, verified by the model in one batch.
//!
//! The model's own greedy choices decide what is kept, so the output is that of plain decoding as
//! far as the engine's kernels for batches agree with those for single tokens, and the KV cache
//! is rolled back to what was kept.

mod chunk;
mod counts;
mod drafter;
mod lookup;
mod slice;
mod target;

use engine_protocol::{DraftAcceptance, DraftSource, Settings, Token};

use crate::native::Library;
use crate::{EngineError, Model, defaults};
use drafter::Drafter;
use lookup::PromptLookup;
use slice::ModelDrafter;
use std::rc::Rc;

/// What a session drafts with.
#[derive(Debug)]
pub(super) struct Speculation {
    drafter: Drafter,
    /// Most tokens of a draft.
    longest: usize,
    acceptance: DraftAcceptance,
    /// Every token in the model's KV cache, in order: depth, prompt, and what was kept.
    text: Vec<Token>,
}

impl Speculation {
    /// From complete settings; `None` where nothing is drafted.
    pub(super) fn of(
        library: &Rc<Library>,
        model: &Model,
        complete: &Settings,
        masked: bool,
        draft_model_path: Option<&str>,
    ) -> Result<Option<Self>, EngineError> {
        let source = complete.draft_source.unwrap_or(DraftSource::Nothing);
        let drafter = match source {
            DraftSource::Nothing | DraftSource::PromptLookup if draft_model_path.is_some() => {
                return Err(EngineError::Unsupported(
                    "a draft model was given, and `draft_source` does not use one".to_owned(),
                ));
            }
            DraftSource::Nothing => return Ok(None),
            DraftSource::PromptLookup => {
                let most = complete.draft_lookup_tokens.unwrap_or(defaults::DRAFT_LOOKUP_TOKENS);
                Drafter::Lookup(PromptLookup { longest: most as usize })
            }
            DraftSource::DraftModel | DraftSource::SelfSlice => {
                let path = draft_model_path.ok_or_else(|| {
                    EngineError::Request(
                        "the draft model's file is missing: `load` needs `draft_model_path`"
                            .to_owned(),
                    )
                })?;
                let drafter = ModelDrafter::load(library, model, path, complete, masked)?;
                if source == DraftSource::SelfSlice {
                    drafter.require_layers(complete.draft_layers)?;
                }
                Drafter::Model(Box::new(drafter))
            }
        };
        Ok(Some(Self {
            drafter,
            longest: complete.draft_tokens.unwrap_or(1) as usize,
            acceptance: complete.draft_acceptance.unwrap_or(DraftAcceptance::Greedy),
            text: Vec::new(),
        }))
    }

    /// Most tokens of a draft: how far a chunk may go beyond what was asked for.
    pub(super) fn longest(&self) -> usize {
        self.longest
    }

    /// The text before the prompt; not timed.
    pub(super) fn set_depth(&mut self, depth: &[Token]) -> Result<(), EngineError> {
        self.text.clear();
        self.text.extend_from_slice(depth);
        self.drafter.set_depth(depth)
    }

    /// The prompt, now in the model's cache; a draft model evaluates it too.
    pub(super) fn add_prompt(&mut self, prompt: &[Token]) -> Result<(), EngineError> {
        self.text.extend_from_slice(prompt);
        self.drafter.catch_up(&self.text)
    }

    /// The drafter's own model, where it has one.
    pub(super) fn model_drafter(&mut self) -> Option<&mut ModelDrafter> {
        match &mut self.drafter {
            Drafter::Lookup(_) => None,
            Drafter::Model(drafter) => Some(drafter),
        }
    }

    /// Puts the drafter's threads to sleep.
    pub(super) fn rest(&mut self) -> Result<(), EngineError> {
        self.model_drafter().map_or(Ok(()), ModelDrafter::rest)
    }
}

#[cfg(test)]
mod tests;
