//! What this build of the engine is.

use std::collections::BTreeMap;

use engine_protocol::{EngineFacts, SourcePin};

use crate::{Engine, EngineError, support};

/// Facts about the engine that is compiled in. Where the processor cannot run it, what only the
/// running engine could tell is left empty.
#[must_use]
pub fn facts() -> EngineFacts {
    facts_of(Engine::start().as_ref())
}

/// The same, of an engine that may have started.
pub(crate) fn facts_of(engine: Result<&Engine, &EngineError>) -> EngineFacts {
    let running = engine.ok();
    let backends = running.and_then(|engine| engine.library().backends().ok()).unwrap_or_default();
    let version = running.and_then(|engine| engine.library().version().ok()).unwrap_or_default();
    let supported_settings =
        running.map(|engine| support::supported(engine.ground())).unwrap_or_default();
    let threading = match running.map(|engine| engine.ground().threading) {
        Some(support::Threading::OpenMp) => "openmp",
        Some(support::Threading::OwnPools) => "own",
        None => "unknown",
    };
    EngineFacts {
        name: "ggml".to_owned(),
        version,
        source: SourcePin::Unpinned { form: "libraries".to_owned(), commit: None, dirty: None },
        source_blake3: String::new(),
        compiler: String::new(),
        flags: BTreeMap::new(),
        instruction_set: Vec::new(),
        backends,
        threading: threading.to_owned(),
        supported_settings,
    }
}
