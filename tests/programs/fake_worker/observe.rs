//! The graph that is not there: tensors by hashing, with a change that spreads from one of them
//! until something that came before it takes its place.

use engine_protocol::{
    ObserveRequest, Observed, ObservedTensor, Problem, ProblemKind, Selection, TensorLayout,
};
use serde::Deserialize;

/// What `observe` does.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Observing {
    pub tensors: Vec<String>,
    pub width: u32,
    pub changed_from: Option<String>,
    pub change: f32,
    pub fault: Option<ObserveFault>,
}

/// What is wrong with the file, or with what is said of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ObserveFault {
    Short,
    Hash,
    Twice,
    Nothing,
    Places,
}

impl Default for Observing {
    fn default() -> Observing {
        let names = [
            "embd",
            "attn_norm-0",
            "Qcur-0",
            "ffn_out-0",
            "l_out-0",
            "attn_norm-1",
            "Qcur-1",
            "ffn_out-1",
            "l_out-1",
            "result_norm",
        ];
        Observing {
            tensors: names.iter().map(|name| (*name).to_owned()).collect(),
            width: 16,
            changed_from: None,
            change: 0.5,
            fault: None,
        }
    }
}

/// Writes the tensors.
pub fn observe(script: &Observing, request: &ObserveRequest) -> Result<Observed, Problem> {
    let scratch =
        |error: std::io::Error| Problem { kind: ProblemKind::Scratch, message: error.to_string() };
    let mut bytes: Vec<u8> = Vec::new();
    let mut tensors = Vec::new();
    let mut changed = false;
    for name in &script.tensors {
        changed |= script.changed_from.as_ref() == Some(name);
        let wanted = match &request.tensors {
            Selection::All => true,
            Selection::Named(names) => names.contains(name),
        };
        // what takes its place ends the change, and is what a reader sees
        let replacement = request.replace.iter().find(|replacement| replacement.tensor == *name);
        changed &= replacement.is_none();
        if !wanted {
            continue;
        }
        tensors.push(ObservedTensor {
            name: name.clone(),
            operation: "mul".to_owned(),
            device: "FAKE".to_owned(),
            layout: TensorLayout::ByPosition,
            rows: request.positions.len() as u64,
            width: u64::from(script.width),
            offset: bytes.len() as u64 / 4,
        });
        if let Some(replacement) = replacement {
            bytes.extend(std::fs::read(&replacement.path).map_err(scratch)?);
            continue;
        }
        for position in &request.positions {
            for index in 0..script.width {
                let clean = value(name, *position, index);
                let change = if changed && index == 3 { script.change } else { 0.0 };
                bytes.extend((clean + change).to_le_bytes());
            }
        }
    }
    let mut blake3 = blake3::hash(&bytes).to_hex().to_string();
    match script.fault {
        Some(ObserveFault::Short) => bytes.truncate(bytes.len() - 4),
        Some(ObserveFault::Hash) => blake3 = blake3::hash(b"").to_hex().to_string(),
        Some(ObserveFault::Twice) => {
            if let [first, second, ..] = tensors.as_mut_slice() {
                second.name.clone_from(&first.name);
            }
        }
        Some(ObserveFault::Nothing) => {
            tensors.clear();
            bytes.clear();
        }
        Some(ObserveFault::Places) => {
            if let Some(last) = tensors.last_mut() {
                last.offset += 1;
            }
        }
        None => {}
    }
    std::fs::write(&request.path, &bytes).map_err(scratch)?;
    Ok(Observed { path: request.path.clone(), tensors, blake3 })
}

/// Between -1 and 1.
fn value(name: &str, position: u32, index: u32) -> f32 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(name.as_bytes());
    hasher.update(&position.to_le_bytes());
    hasher.update(&index.to_le_bytes());
    let byte = hasher.finalize().as_bytes()[0];
    f32::from(byte) / 128.0 - 1.0
}
