//! What a loaded model will take, estimated from its file and the settings: before a worker can be
//! asked.

use engine_protocol::{KvType, Settings, Toggle};

use super::gguf::{GgufFacts, MetadataValue};

/// The worker's documented default of `context_tokens`.
const CONTEXT_TOKENS: u64 = 1024;
/// The engine rounds a context up to a multiple of this (`docs/manifest.md`, settings).
const CONTEXT_STEP: u64 = 256;
/// The worker's documented default of `micro_batch_tokens`.
const MICRO_BATCH_TOKENS: u64 = 512;
/// Scratch of the engine holds 32-bit floats.
const FLOAT_BYTES: u64 = 4;

/// Estimated bytes. `None` where the file does not say enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryEstimate {
    /// All tensors.
    pub weights_bytes: u64,
    /// Keys and values of every layer at full length of the context, of all slots.
    pub kv_bytes: Option<u64>,
    /// The largest intermediate of one micro-batch: its logits, or the scores of one layer's
    /// attention where it is not fused. A worker needs this and more.
    pub compute_bytes: Option<u64>,
}

/// What a model will take under these settings.
#[must_use]
pub fn memory_estimate(facts: &GgufFacts, settings: &Settings) -> MemoryEstimate {
    let weights = facts.tensor_types.iter().map(|row| row.bytes);
    let context = settings.context_tokens.map_or(CONTEXT_TOKENS, u64::from);
    let context = context.checked_next_multiple_of(CONTEXT_STEP).unwrap_or(context);
    // each slot has a context of its own, of that length
    let slots = settings.slots.map_or(1, u64::from).max(1);
    MemoryEstimate {
        weights_bytes: weights.fold(0_u64, u64::saturating_add),
        kv_bytes: kv(facts, settings, context.saturating_mul(slots)),
        compute_bytes: compute(facts, settings, context),
    }
}

fn kv(facts: &GgufFacts, settings: &Settings, context: u64) -> Option<u64> {
    let layers = number(facts, "block_count")?;
    let heads = number(facts, "attention.head_count")?;
    let kv_heads = number_or(facts, "attention.head_count_kv", heads)?;
    let width = number(facts, "embedding_length")?.checked_div(heads)?;
    let keys = number_or(facts, "attention.key_length", width)?;
    let values = number_or(facts, "attention.value_length", width)?;
    let side = |width: u64, of: Option<KvType>| {
        let (bytes, elements) = block(of.unwrap_or(KvType::F16));
        let all = layers.checked_mul(context)?.checked_mul(kv_heads)?.checked_mul(width)?;
        all.checked_mul(bytes)?.checked_div(elements)
    };
    side(keys, settings.kv_key_type)?.checked_add(side(values, settings.kv_value_type)?)
}

fn compute(facts: &GgufFacts, settings: &Settings, context: u64) -> Option<u64> {
    let batch = settings.batch_tokens.map_or(MICRO_BATCH_TOKENS, u64::from);
    let tokens = settings.micro_batch_tokens.map_or(MICRO_BATCH_TOKENS.min(batch), u64::from);
    let tokens = tokens.min(context);
    let logits = tokens.checked_mul(facts.vocabulary?)?;
    let scores = match settings.flash_attention {
        Some(Toggle::On) => 0,
        Some(Toggle::Off) | None => {
            let heads = number(facts, "attention.head_count")?;
            tokens.checked_mul(context)?.checked_mul(heads)?
        }
    };
    logits.max(scores).checked_mul(FLOAT_BYTES)
}

/// A whole number of the architecture; a value for each layer is none.
fn number(facts: &GgufFacts, key: &str) -> Option<u64> {
    match value(facts, key)? {
        MetadataValue::Unsigned(value) => Some(*value),
        _ => None,
    }
}

/// The same with a value for a key that is not there.
fn number_or(facts: &GgufFacts, key: &str, absent: u64) -> Option<u64> {
    if value(facts, key).is_some() { number(facts, key) } else { Some(absent) }
}

fn value<'facts>(facts: &'facts GgufFacts, key: &str) -> Option<&'facts MetadataValue> {
    let architecture = facts.architecture.as_ref()?;
    facts.metadata.get(&format!("{architecture}.{key}"))
}

/// Bytes and elements of a block of a type, as ggml lays them out (`ggml-common.h`).
fn block(of: KvType) -> (u64, u64) {
    match of {
        KvType::F32 => (4, 1),
        KvType::F16 | KvType::Bf16 => (2, 1),
        KvType::Q8_0 => (34, 32),
        KvType::Q5_1 => (24, 32),
        KvType::Q5_0 => (22, 32),
        KvType::Q4_1 => (20, 32),
        KvType::Q4_0 | KvType::Iq4Nl => (18, 32),
    }
}
