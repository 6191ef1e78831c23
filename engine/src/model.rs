//! A loaded model file.

use std::rc::Rc;

use engine_protocol::{ModelFacts, Settings, Toggle, Token};

use crate::native::{Library, ModelHandle, ModelNumber, OptionKey, Options};
use crate::{EngineError, placement};

/// A model in memory.
#[derive(Debug)]
pub struct Model {
    handle: Rc<ModelHandle>,
    facts: ModelFacts,
}

impl Model {
    pub(crate) fn load(
        library: &Rc<Library>,
        path: &str,
        complete: &Settings,
    ) -> Result<Self, EngineError> {
        let mut options = Options::new()?;
        let on = |toggle: Option<Toggle>| i64::from(toggle == Some(Toggle::On));
        options.set(OptionKey::GpuLayers, i64::from(complete.gpu_layers.unwrap_or(0)))?;
        options.set(OptionKey::MemoryMap, on(complete.memory_map))?;
        options.set(OptionKey::MemoryLock, on(complete.memory_lock))?;
        for server in complete.rpc_servers.iter().flatten() {
            options.add_server(server)?;
        }
        let handle = ModelHandle::load(library, path, &options)?;
        let facts = read_facts(&handle)?;
        Ok(Self { handle: Rc::new(handle), facts })
    }

    /// The model as the engine read it.
    #[must_use]
    pub fn facts(&self) -> &ModelFacts {
        &self.facts
    }

    /// Text to tokens, with the model's usual beginning-of-text token; nothing in the text is read
    /// as a special token.
    ///
    /// # Errors
    /// [`EngineError::Request`] for a text that is longer than the engine can count.
    pub fn tokenize(&self, text: &str) -> Result<Vec<Token>, EngineError> {
        self.handle.tokenize(text)
    }

    /// The engine only warns when it may not lock memory, and goes on unlocked.
    pub(crate) fn require_locked(&self) -> Result<(), EngineError> {
        let warnings = self.handle.warnings()?;
        let warned = warnings.lines().find(|line| line.contains("mlock"));
        let reason = match (warned, placement::locked_bytes()) {
            (Some(line), _) => line.trim().to_owned(),
            (None, Some(0)) => "no memory of this process is locked".to_owned(),
            (None, _) => return Ok(()),
        };
        Err(EngineError::Unsupported(format!(
            "`memory_lock` cannot be honoured: {reason} (is the limit of `ulimit -l` too low?)"
        )))
    }

    /// How the other model's vocabulary differs from this one's, in words; `None` when it is the same.
    pub(crate) fn vocabulary_difference(
        &self,
        other: &Model,
    ) -> Result<Option<String>, EngineError> {
        let difference = self.handle.vocabulary_difference(&other.handle)?;
        Ok((!difference.is_empty()).then_some(difference))
    }

    pub(crate) fn handle(&self) -> &Rc<ModelHandle> {
        &self.handle
    }
}

fn read_facts(handle: &ModelHandle) -> Result<ModelFacts, EngineError> {
    let narrow = |number: ModelNumber| {
        let value = handle.read(number)?;
        u32::try_from(value).map_err(|_| {
            EngineError::Model(format!("the model states an impossible number: {value}"))
        })
    };
    Ok(ModelFacts {
        architecture: handle.architecture()?,
        description: handle.description()?,
        parameters: handle.read(ModelNumber::Parameters)?,
        vocabulary: narrow(ModelNumber::Vocabulary)?,
        trained_context_tokens: narrow(ModelNumber::TrainedContext)?,
        layers: narrow(ModelNumber::Layers)?,
        tensor_bytes: handle.read(ModelNumber::TensorBytes)?,
        tensor_types: handle.tensor_types()?,
    })
}
