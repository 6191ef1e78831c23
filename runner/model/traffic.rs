//! What one evaluation of a model's graph must read and compute, from the tensors of its file.
//!
//! Everything here is a lower bound, since a figure is held against what the machine can do at
//! most: what is not surely read or computed by every evaluation is not counted. So the embedding
//! table counts as the one row that a token needs, an expert only where it is active, and neither
//! attention over the cache nor activations count as operations.

use std::collections::BTreeMap;

use super::gguf::{GgufFacts, MetadataValue, TensorInfo, bytes_of};

/// Bytes and multiply-adds of evaluations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Traffic {
    /// Unique bytes that each evaluation reads, however few tokens it has: all blocks, of experts
    /// as many as one token uses, the last norm, one row of the embedding table.
    pub block_bytes: u64,
    /// Unique bytes of the output matrix, read by each evaluation that gives logits.
    pub output_bytes: u64,
    /// Multiply-adds of one token in all blocks but the last.
    pub operations: u64,
    /// Multiply-adds of one token in the last block and the output: an engine may leave them out
    /// for tokens whose logits nobody asked for.
    pub last_operations: u64,
    /// Active experts of how many, on a mixture of experts.
    pub experts: Option<(u64, u64)>,
    /// Keys and values that a position keeps; `None` where the file does not say it plainly.
    pub cache: Option<CacheShape>,
}

/// Elements that the KV cache holds for one position, all layers together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheShape {
    /// Of keys.
    pub keys: u64,
    /// Of values.
    pub values: u64,
}

impl CacheShape {
    /// Bytes of so many positions; types by ggml's names in lower case. `None` for a type that is
    /// unknown.
    #[must_use]
    pub fn bytes(&self, positions: u64, key_type: &str, value_type: &str) -> Option<u64> {
        let keys = bytes_of(key_type, self.keys.checked_mul(positions)?)?;
        keys.checked_add(bytes_of(value_type, self.values.checked_mul(positions)?)?)
    }
}

/// The traffic of a model.
///
/// # Errors
/// Why it is not known: a lower-case fragment.
pub fn traffic(facts: &GgufFacts) -> Result<Traffic, String> {
    let keys = Keys::of(facts)?;
    let mut blocks: BTreeMap<u64, Amount> = BTreeMap::new();
    let mut norm_bytes = 0_u64;
    let mut embedding = None;
    let mut output = None;
    let mut has_experts = false;
    for tensor in &facts.tensors {
        match Place::of(&tensor.name) {
            Place::Block { number, experts } => {
                if number >= keys.blocks {
                    continue; // heads that predict further tokens are no part of an evaluation
                }
                let mut amount = Amount::of(tensor)?;
                if experts {
                    has_experts = true;
                    let (used, of) = keys.experts.ok_or_else(|| {
                        "its file does not say how many experts are active".to_owned()
                    })?;
                    amount = amount.share(used, of);
                }
                blocks.entry(number).or_default().add(amount);
            }
            Place::LastNorm => norm_bytes += Amount::of(tensor)?.bytes,
            Place::Embedding => embedding = Some(tensor),
            Place::Output => output = Some(tensor),
            Place::Elsewhere => {}
        }
    }
    if keys.experts.is_some() && !has_experts {
        return Err("its experts lie in tensors of a form that is unknown here".to_owned());
    }
    let embedding = embedding.ok_or("its file has no table of token embeddings")?;
    let row = row_bytes(embedding)?;
    // tied: the table is the output matrix as well, and read whole as such
    let output = Amount::of(output.unwrap_or(embedding))?;
    let last = blocks.last_key_value().map(|(_, amount)| amount.operations);
    let last = last.ok_or("its file has no blocks of the usual names")?;
    let all = blocks.values().fold(Amount::default(), |mut sum, amount| {
        sum.add(*amount);
        sum
    });
    Ok(Traffic {
        block_bytes: all.bytes.saturating_add(norm_bytes).saturating_add(row),
        output_bytes: output.bytes,
        operations: all.operations.saturating_sub(last),
        last_operations: last.saturating_add(output.operations),
        experts: keys.experts,
        cache: keys.cache(),
    })
}

/// Bytes and multiply-adds of a tensor for one token.
#[derive(Debug, Clone, Copy, Default)]
struct Amount {
    bytes: u64,
    operations: u64,
}

impl Amount {
    fn of(tensor: &TensorInfo) -> Result<Amount, String> {
        let bytes = tensor
            .bytes
            .ok_or_else(|| format!("the type of tensor `{}` is unknown here", tensor.name))?;
        // a vector is added or multiplied elementwise, which no bound of multiply-adds is about
        let is_matrix = tensor.dimensions.iter().filter(|length| **length > 1).count() >= 2;
        Ok(Amount { bytes, operations: if is_matrix { tensor.elements() } else { 0 } })
    }

    /// What `used` of `of` equal parts come to.
    fn share(self, used: u64, of: u64) -> Amount {
        let part = |whole: u64| whole / of.max(1) * used.min(of);
        Amount { bytes: part(self.bytes), operations: part(self.operations) }
    }

    fn add(&mut self, other: Amount) {
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.operations = self.operations.saturating_add(other.operations);
    }
}

fn row_bytes(table: &TensorInfo) -> Result<u64, String> {
    let rows = table.dimensions.iter().skip(1).product::<u64>().max(1);
    Ok(Amount::of(table)?.bytes / rows)
}

/// Where a tensor belongs, by the names that llama.cpp gives (`gguf-py/gguf/constants.py`).
enum Place {
    Block { number: u64, experts: bool },
    LastNorm,
    Embedding,
    Output,
    Elsewhere,
}

impl Place {
    fn of(name: &str) -> Place {
        match name {
            "token_embd.weight" => return Place::Embedding,
            "output.weight" => return Place::Output,
            _ => {}
        }
        if name.starts_with("output_norm.") {
            return Place::LastNorm;
        }
        let block = name.strip_prefix("blk.").and_then(|rest| rest.split_once('.'));
        match block.and_then(|(number, part)| Some((number.parse().ok()?, part))) {
            Some((number, part)) => Place::Block { number, experts: part.contains("_exps.") },
            None => Place::Elsewhere,
        }
    }
}

/// What the metadata say.
struct Keys<'facts> {
    facts: &'facts GgufFacts,
    architecture: &'facts str,
    /// Blocks of an ordinary evaluation.
    blocks: u64,
    /// Used, of how many.
    experts: Option<(u64, u64)>,
}

impl<'facts> Keys<'facts> {
    fn of(facts: &'facts GgufFacts) -> Result<Keys<'facts>, String> {
        let architecture =
            facts.architecture.as_deref().ok_or("its file does not name its architecture")?;
        let mut keys = Keys { facts, architecture, blocks: 0, experts: None };
        let all =
            keys.number("block_count").ok_or("its file does not say how many blocks it has")?;
        keys.blocks = all.saturating_sub(keys.number("nextn_predict_layers").unwrap_or(0));
        if keys.number("attention.shared_kv_layers").is_some_and(|layers| layers > 0) {
            return Err("its blocks share keys and values, and not all weights are read".to_owned());
        }
        if let Some(of) = keys.number("expert_count").filter(|of| *of > 0) {
            let used = keys.number("expert_used_count").filter(|used| (1..=of).contains(used));
            let used = used.ok_or("its file does not say how many experts are active")?;
            keys.experts = Some((used, of));
        }
        Ok(keys)
    }

    fn value(&self, key: &str) -> Option<&MetadataValue> {
        self.facts.metadata.get(&format!("{}.{key}", self.architecture))
    }

    fn number(&self, key: &str) -> Option<u64> {
        match self.value(key) {
            Some(MetadataValue::Unsigned(value)) => Some(*value),
            _ => None,
        }
    }

    /// Only where every block keeps every position: windows, states and compressed keys read less.
    fn cache(&self) -> Option<CacheShape> {
        let other = ["ssm.", "attention.kv_lora_rank", "attention.sliding_window", "wkv."];
        let prefix = format!("{}.", self.architecture);
        let differs = self.facts.metadata.keys().any(|key| {
            key.strip_prefix(&prefix)
                .is_some_and(|key| other.iter().any(|other| key.starts_with(other)))
        });
        if differs {
            return None;
        }
        let heads = self.number("attention.head_count")?;
        // an array where blocks differ: not kept, so not known
        let kv_heads = match self.value("attention.head_count_kv") {
            None => heads,
            Some(MetadataValue::Unsigned(heads)) => *heads,
            Some(_) => return None,
        };
        let head = self.number("embedding_length")?.checked_div(heads)?;
        let length = |key: &str| self.number(key).unwrap_or(head);
        let elements = |length: u64| self.blocks.checked_mul(kv_heads)?.checked_mul(length);
        Some(CacheShape {
            keys: elements(length("attention.key_length"))?,
            values: elements(length("attention.value_length"))?,
        })
    }
}

#[cfg(test)]
#[path = "traffic_tests.rs"]
mod tests;
