//! The engine's library, started.

use std::rc::Rc;

use engine_protocol::{Numa, Settings, Toggle};

use crate::native::Library;
use crate::support::{self, Ground};
use crate::{EngineError, Model, Session, defaults, rpc_probe};

/// The started library with the ground it stands on. One thread uses it.
#[derive(Debug)]
pub struct Engine {
    library: Rc<Library>,
    ground: Ground,
}

impl Engine {
    /// Starts the library, after holding the instruction set that it was compiled for against this
    /// processor's: without that, the first call could end the process.
    ///
    /// # Errors
    /// [`EngineError::Unsupported`] when the processor lacks something, or the build has no CPU
    /// backend.
    pub fn start() -> Result<Self, EngineError> {
        let missing = engine_sys::missing_cpu_features();
        if !missing.is_empty() {
            return Err(EngineError::Unsupported(format!(
                "the engine was compiled for instructions that this processor lacks: {}; build it on this machine",
                missing.join(", ")
            )));
        }
        let library = Rc::new(Library::start()?);
        let ground = Ground::read(&library)?;
        Ok(Self { library, ground })
    }

    /// What the build and the machine offer.
    #[must_use]
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// Loads a model and opens a session on it, with `settings` checked against the support table
    /// first and read back afterwards. `draft_model_path` names the drafter's file where the settings
    /// draft with a model.
    ///
    /// # Errors
    /// [`EngineError::Unsupported`] for a setting that would be ignored or did not take effect,
    /// [`EngineError::Model`] for a file that cannot be read, [`EngineError::Context`] when the
    /// context cannot be made.
    pub fn load(
        &self,
        path: &str,
        settings: &Settings,
        draft_model_path: Option<&str>,
    ) -> Result<Session, EngineError> {
        support::check(settings, &self.ground)?;
        let complete = defaults::complete(settings, &self.ground);
        let numa = complete.numa.unwrap_or(Numa::Disabled);
        if numa != Numa::Disabled && !self.library.start_numa(numa)? {
            return Err(EngineError::Unsupported(
                "`numa` cannot be honoured: the engine sees one memory node".to_owned(),
            ));
        }
        if let Some(servers) = &complete.rpc_servers {
            rpc_probe::require(servers, self.library.rpc_version()?)?;
        }
        let model = Model::load(&self.library, path, &complete)?;
        if complete.memory_lock == Some(Toggle::On) {
            model.require_locked()?;
        }
        Session::open(&self.library, model, settings, complete, draft_model_path)
    }

    pub(crate) fn library(&self) -> &Library {
        &self.library
    }
}
