//! What this build of the engine is.

use std::collections::BTreeMap;

use engine_protocol::{EngineFacts, SourcePin};
use engine_sys::{Origin, build_facts};

use crate::{Engine, EngineError, support};

/// Facts about the engine that is compiled in. Where the processor cannot run it, what only the
/// running engine could tell (backends, supported settings) is left empty.
#[must_use]
pub fn facts() -> EngineFacts {
    facts_of(Engine::start().as_ref())
}

/// The same, of an engine that may have started.
pub(crate) fn facts_of(engine: Result<&Engine, &EngineError>) -> EngineFacts {
    let running = engine.ok();
    EngineFacts {
        name: "ggml".to_owned(),
        version: version(running),
        source: source(),
        source_blake3: build_facts::ENGINE_BLAKE3.to_owned(),
        compiler: compilers(),
        flags: build_facts::FLAGS
            .iter()
            .map(|(component, flags)| ((*component).to_owned(), owned(flags)))
            .collect::<BTreeMap<_, _>>(),
        instruction_set: owned(build_facts::INSTRUCTION_SET.unwrap_or_default()),
        backends: running.and_then(|engine| engine.library().backends().ok()).unwrap_or_default(),
        threading: threading(running).to_owned(),
        supported_settings: running
            .map(|engine| support::supported(engine.ground()))
            .unwrap_or_default(),
    }
}

fn compilers() -> String {
    let mut compilers = vec![build_facts::C_COMPILER, build_facts::CXX_COMPILER];
    compilers.extend(build_facts::DEVICE_COMPILERS);
    compilers.join("; ")
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// What the running library says of itself, before what its sources said.
fn version(running: Option<&Engine>) -> String {
    running
        .and_then(|engine| engine.library().version().ok())
        .or_else(|| build_facts::GGML_VERSION.map(str::to_owned))
        .unwrap_or_else(|| "unknown".to_owned())
}

fn source() -> SourcePin {
    let (form, commit, dirty, difference) = match build_facts::ORIGIN {
        Origin::Pinned { package, version, package_blake3: _ } => {
            return SourcePin::Pinned { package: package.to_owned(), version: version.to_owned() };
        }
        Origin::SourceTree { commit, dirty, difference } => ("source", commit, dirty, difference),
        Origin::Libraries { commit, dirty } => ("libraries", commit, dirty, None),
    };
    SourcePin::Unpinned {
        form: form.to_owned(),
        commit: commit.map(str::to_owned),
        dirty,
        difference: difference.map(str::to_owned),
    }
}

/// As the running engine says; prebuilt libraries are known only then.
fn threading(running: Option<&Engine>) -> &'static str {
    match running.map(|engine| engine.ground().threading) {
        Some(support::Threading::OpenMp) => "openmp",
        Some(support::Threading::OwnPools) => "own",
        None => match build_facts::THREADING {
            engine_sys::Threading::OpenMp { .. } => "openmp",
            engine_sys::Threading::Own => "own",
            engine_sys::Threading::Unknown => "unknown",
        },
    }
}
