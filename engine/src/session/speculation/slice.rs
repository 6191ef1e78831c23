//! A drafter that is a model: a smaller one, or the first layers of the same. It has a context of
//! its own in the same process, with the same settings, and drafts greedily.

use std::rc::Rc;

use engine_protocol::{Settings, Token};

use crate::native::{Context, Library};
use crate::session::options::{Purpose, context_options};
use crate::session::sequence::{Outputs, Sequence};
use crate::{EngineError, Model};

/// A model that drafts. Its KV cache holds the first `cached` tokens of the text, and no others.
#[derive(Debug)]
pub(in crate::session) struct ModelDrafter {
    model: Model,
    sequence: Sequence,
    evaluated: u64,
}

impl ModelDrafter {
    /// Loads the drafter, which must have the vocabulary of `model`.
    pub(super) fn load(
        library: &Rc<Library>,
        model: &Model,
        path: &str,
        complete: &Settings,
        masked: bool,
    ) -> Result<Self, EngineError> {
        let drafter = Model::load(library, path, complete)
            .map_err(|error| EngineError::Model(format!("the draft model: {error}")))?;
        if let Some(difference) = model.vocabulary_difference(&drafter)? {
            return Err(EngineError::Model(format!(
                "the draft model has another vocabulary than the model: {difference}; take one with the same tokens"
            )));
        }
        let options = context_options(complete, masked, Purpose::Timed)?;
        let sequence = Sequence::new(Context::new(drafter.handle(), &options)?)?;
        Ok(Self { model: drafter, sequence, evaluated: 0 })
    }

    /// A slice must have as many layers as the settings say.
    pub(super) fn require_layers(&self, layers: Option<u32>) -> Result<(), EngineError> {
        let found = self.model.facts().layers;
        match layers {
            Some(layers) if layers == found => Ok(()),
            Some(layers) => Err(EngineError::Model(format!(
                "the file of the slice has {found} layers, `draft_layers` is {layers}"
            ))),
            None => Err(EngineError::Request("`draft_layers` is missing".to_owned())),
        }
    }

    /// Its context, for its buffers.
    pub(in crate::session) fn context(&mut self) -> &mut Context {
        self.sequence.context()
    }

    pub(super) fn evaluated(&self) -> u64 {
        self.evaluated
    }

    pub(super) fn rest(&mut self) -> Result<(), EngineError> {
        self.sequence.rest()
    }

    pub(super) fn set_depth(&mut self, depth: &[Token]) -> Result<(), EngineError> {
        self.sequence.restore(depth)
    }

    /// Evaluates what of the text is not in the cache yet.
    pub(super) fn catch_up(&mut self, text: &[Token]) -> Result<(), EngineError> {
        let pending = text.get(self.sequence.position()..).unwrap_or_default();
        self.evaluate(pending)
    }

    /// Greedy tokens after `text`. The last of them is not evaluated.
    pub(super) fn propose(
        &mut self,
        text: &[Token],
        most: usize,
    ) -> Result<Vec<Token>, EngineError> {
        let mut draft: Vec<Token> = Vec::with_capacity(most);
        let mut pending = text.get(self.sequence.position()..).unwrap_or_default().to_vec();
        while draft.len() < most && !pending.is_empty() {
            self.evaluate(&pending)?;
            let token = self.sequence.choose(pending.len())?;
            draft.push(token);
            pending = vec![token];
        }
        Ok(draft)
    }

    /// Keeps the first `length` tokens of the text and what was drafted behind it.
    pub(super) fn roll_back(&mut self, length: usize) -> Result<(), EngineError> {
        if self.sequence.position() > length { self.sequence.keep(length) } else { Ok(()) }
    }

    fn evaluate(&mut self, tokens: &[Token]) -> Result<(), EngineError> {
        if tokens.is_empty() {
            return Ok(());
        }
        self.sequence.evaluate(tokens, Outputs::Last)?;
        self.sequence.synchronize()?;
        self.evaluated += tokens.len() as u64;
        Ok(())
    }
}
