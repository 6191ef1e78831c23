//! Values that take a node's place.

use std::collections::BTreeMap;
use std::fs;

use engine_protocol::Replacement;

use crate::EngineError;

/// The replacements of one evaluation, by the node's name.
#[derive(Debug)]
pub(super) struct Replacements {
    waiting: BTreeMap<String, String>,
}

impl Replacements {
    /// # Errors
    /// [`EngineError::Request`] when a node is named twice.
    pub(super) fn new(asked: &[Replacement]) -> Result<Self, EngineError> {
        let mut waiting = BTreeMap::new();
        for Replacement { tensor, path } in asked {
            if waiting.insert(tensor.clone(), path.clone()).is_some() {
                return Err(EngineError::Request(format!("`{tensor}` is to be replaced twice")));
            }
        }
        Ok(Self { waiting })
    }

    pub(super) fn concerns(&self, name: &str) -> bool {
        self.waiting.contains_key(name)
    }

    /// The values for a node, once; `None` where it keeps its own.
    ///
    /// # Errors
    /// [`EngineError::Scratch`] when the file cannot be read, [`EngineError::Request`] when it does
    /// not have `count` values.
    pub(super) fn take(
        &mut self,
        name: &str,
        count: usize,
    ) -> Result<Option<Vec<f32>>, EngineError> {
        let Some(path) = self.waiting.remove(name) else { return Ok(None) };
        let bytes = fs::read(&path).map_err(|error| {
            EngineError::Scratch(format!("{path} cannot be read, to replace `{name}`: {error}"))
        })?;
        let (values, rest) = bytes.as_chunks::<{ size_of::<f32>() }>();
        if values.len() != count || !rest.is_empty() {
            return Err(EngineError::Request(format!(
                "`{name}` has {count} values ({} bytes); the file that is to replace them has {} bytes: {path}",
                count * size_of::<f32>(),
                bytes.len()
            )));
        }
        Ok(Some(values.iter().copied().map(f32::from_le_bytes).collect()))
    }

    /// # Errors
    /// [`EngineError::Request`] with the first that met no node.
    pub(super) fn require_all_met(&self) -> Result<(), EngineError> {
        match self.waiting.keys().next() {
            None => Ok(()),
            Some(name) => Err(EngineError::Request(format!(
                "`{name}` was to be replaced, but the graph computes no such tensor"
            ))),
        }
    }
}
