//! A sequence of tokens with its KV cache, and everything that is measured on it.

mod blocks;
mod choice;
mod effective;
mod logits;
mod node_layout;
mod node_names;
mod observe;
mod operations;
mod options;
mod primitive;
mod replacements;
mod sequence;
mod side_by_side;
mod slots;
mod speculation;
mod spread;
mod weights;

use engine_protocol::{BufferBytes, Loaded, Settings, TensorPlacement};

use crate::native::{BufferItem, Context, ContextNumber, Library};
use crate::{EngineError, Model};
use sequence::Sequence;
use side_by_side::SideBySide;
use speculation::Speculation;
use std::rc::Rc;

/// A model with a context. Only sequence 0 is used, but for slots.
#[derive(Debug)]
pub struct Session {
    /// The primitive that was asked for last, with its buffers. It goes first: the model keeps the
    /// library running.
    primitive: Option<primitive::Allocated>,
    model: Model,
    sequence: Sequence,
    /// `None` where nothing is drafted.
    speculation: Option<Speculation>,
    /// `None` where one sequence is decoded.
    slots: Option<SideBySide>,
    /// Every setting, as read back.
    effective: Settings,
    /// Every setting, as handed to the engine: for the second context of an observed run.
    asked: Settings,
    /// Which tensors lie where; only where the model is spread over servers.
    placement: Vec<TensorPlacement>,
    /// Whether the caller named a mask, which is then applied to observed runs too.
    masked: bool,
}

impl Session {
    pub(crate) fn open(
        library: &Rc<Library>,
        model: Model,
        named: &Settings,
        complete: Settings,
        draft_model_path: Option<&str>,
    ) -> Result<Self, EngineError> {
        let masked = named.cpu_mask.is_some();
        let before = crate::placement::threads();
        let slots = SideBySide::of(&complete)?;
        let made = slots.map_or_else(|| Ok(complete.clone()), |slots| slots.context(&complete))?;
        let options = options::context_options(&made, masked, options::Purpose::Timed)?;
        let context = Context::new(model.handle(), &options)?;
        let mut sequence = Sequence::new(context)?;
        let effective = effective::read_back(library, &mut sequence, named, &complete, &before)?;
        let servers = complete.rpc_servers.as_ref();
        let placement = servers.map(|servers| spread::of(model.handle(), servers)).transpose()?;
        let speculation = Speculation::of(library, &model, &complete, masked, draft_model_path)?;
        let mut session = Self {
            model,
            sequence,
            speculation,
            slots,
            effective,
            asked: complete,
            placement: placement.unwrap_or_default(),
            masked,
            primitive: None,
        };
        session.rest()?;
        Ok(session)
    }

    /// The model of this session.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The model, the settings in effect, and the bytes that are allocated now.
    ///
    /// # Errors
    /// [`EngineError::Compute`] when the engine contradicts itself.
    pub fn loaded(&mut self) -> Result<Loaded, EngineError> {
        let mut items = buffers_of(self.sequence.context())?;
        if let Some(drafter) = self.speculation.as_mut().and_then(Speculation::model_drafter) {
            items.extend(buffers_of(drafter.context())?);
        }
        let mut backends: Vec<String> = items.iter().map(|item| item.device.clone()).collect();
        backends.sort();
        backends.dedup();
        let buffers = items
            .into_iter()
            .map(|item| BufferBytes {
                device: item.buffer_type,
                kind: item.kind,
                bytes: item.bytes,
            })
            .collect();
        Ok(Loaded {
            model: self.model.facts().clone(),
            effective: self.effective.clone(),
            buffers,
            backends,
            placement: self.placement.clone(),
        })
    }

    /// Puts the engine's own threads to sleep until the next evaluation, so that this process
    /// takes no processor time from others.
    ///
    /// # Errors
    /// [`EngineError::Compute`] when the engine contradicts itself.
    pub fn rest(&mut self) -> Result<(), EngineError> {
        self.sequence.rest()?;
        self.speculation.as_mut().map_or(Ok(()), Speculation::rest)
    }
}

/// Buffers of a context; none where this source tree does not tell.
fn buffers_of(context: &mut Context) -> Result<Vec<BufferItem>, EngineError> {
    match context.buffers() {
        Err(EngineError::Unsupported(_)) => Ok(Vec::new()),
        other => other,
    }
}

/// A number of a context that must be positive.
fn size(context: &Context, number: ContextNumber) -> Result<usize, EngineError> {
    let value = context.read(number)?;
    usize::try_from(value).ok().filter(|value| *value > 0).ok_or_else(|| {
        EngineError::Context(format!("the engine made a context with a size of {value}"))
    })
}
