//! Who another engine is, before it has computed anything: its files, and what it is asked.

use std::collections::BTreeMap;

use engine_protocol::{EngineFacts, Greeting, ModelFacts, PROTOCOL_VERSION, SourcePin};

use super::files::Files;
use super::sizes::Model;
use crate::manifest::Peer;
use crate::model;

/// The greeting of an adapter.
pub(super) fn greeting(peer: &Peer, files: &Files) -> Greeting {
    let mut flags = BTreeMap::new();
    flags.insert("argv".to_owned(), peer.argv().to_vec());
    let named = files.hashes.iter().map(|(name, hash)| format!("{name} {hash}")).collect();
    flags.insert("files".to_owned(), named);
    Greeting {
        protocol_version: PROTOCOL_VERSION,
        worker: format!("runner's adapter {}", env!("CARGO_PKG_VERSION")),
        engine: EngineFacts {
            name: peer.name(),
            version: "unknown: a peer is known by its files".to_owned(),
            source: SourcePin::Unpinned {
                form: "program".to_owned(),
                commit: None,
                dirty: None,
                difference: None,
            },
            source_blake3: files.blake3.clone(),
            compiler: "unknown".to_owned(),
            flags,
            instruction_set: Vec::new(),
            backends: Vec::new(),
            threading: "unknown".to_owned(),
            supported_settings: Vec::new(),
        },
    }
}

/// The registered model, as its file says: what a peer has loaded, it does not tell.
///
/// # Errors
/// The file cannot be read, in words.
pub(super) fn model_facts(model: &Model) -> Result<ModelFacts, String> {
    let facts = model::inspect(&model.path).map_err(|failure| failure.what)?;
    let count = |value: Option<u64>| value.and_then(|value| u32::try_from(value).ok()).unwrap_or(0);
    let layers = facts.architecture.as_deref().and_then(|architecture| {
        let key = format!("{architecture}.block_count");
        facts.metadata.get(&key).and_then(|value| match value {
            model::MetadataValue::Unsigned(value) => Some(*value),
            _ => None,
        })
    });
    Ok(ModelFacts {
        description: format!(
            "{} (as the file says)",
            facts.architecture.as_deref().unwrap_or("unknown")
        ),
        architecture: facts.architecture.clone().unwrap_or_default(),
        parameters: facts.parameters,
        vocabulary: count(facts.vocabulary),
        trained_context_tokens: count(facts.context_tokens),
        layers: count(layers),
        tensor_bytes: facts.tensor_types.iter().map(|kind| kind.bytes).sum(),
        tensor_types: facts.tensor_types,
    })
}
