//! Settings as the shim's options.

use engine_protocol::{KvType, Priority, Settings, Toggle};

use crate::native::{OptionKey, Options};
use crate::{EngineError, ProcessorMask, defaults};

/// What a context is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// The clock runs on it: nothing is hooked in.
    Timed,
    /// Its operations are counted, and it is never timed.
    Observed,
}

/// KV types in the order of the shim's numbers.
const KV_TYPES: [KvType; 9] = [
    KvType::F32,
    KvType::F16,
    KvType::Bf16,
    KvType::Q8_0,
    KvType::Q5_1,
    KvType::Q5_0,
    KvType::Q4_1,
    KvType::Q4_0,
    KvType::Iq4Nl,
];

/// The shim's number of a KV type.
fn kv_number(kv_type: KvType) -> i64 {
    KV_TYPES.iter().zip(0..).find(|(known, _)| **known == kv_type).map_or(0, |(_, number)| number)
}

/// The KV type with that number.
pub(super) fn kv_type(number: i64) -> Option<KvType> {
    KV_TYPES.get(usize::try_from(number).ok()?).copied()
}

fn priority_number(priority: Priority) -> i64 {
    match priority {
        Priority::Low => 0,
        Priority::Normal => 1,
        Priority::Medium => 2,
        Priority::High => 3,
        Priority::Realtime => 4,
    }
}

/// Options of a context from settings that name everything. The mask is passed on only when the
/// caller named one: otherwise threads stay where the operating system puts them.
pub(super) fn context_options(
    complete: &Settings,
    masked: bool,
    purpose: Purpose,
) -> Result<Options, EngineError> {
    let on = |toggle: Option<Toggle>| i64::from(toggle == Some(Toggle::On));
    let number = |value: Option<u32>, otherwise: u32| i64::from(value.unwrap_or(otherwise));
    let kind = |value: Option<KvType>| kv_number(value.unwrap_or(KvType::F16));
    let mut options = Options::new()?;
    for (key, value) in [
        (OptionKey::GpuLayers, number(complete.gpu_layers, 0)),
        (OptionKey::ContextTokens, number(complete.context_tokens, defaults::CONTEXT_TOKENS)),
        (OptionKey::BatchTokens, number(complete.batch_tokens, defaults::BATCH_TOKENS)),
        (
            OptionKey::MicroBatchTokens,
            number(complete.micro_batch_tokens, defaults::MICRO_BATCH_TOKENS),
        ),
        (OptionKey::Threads, number(complete.threads, 1)),
        (OptionKey::BatchThreads, number(complete.batch_threads, 1)),
        (OptionKey::FlashAttention, on(complete.flash_attention)),
        (OptionKey::KeyType, kind(complete.kv_key_type)),
        (OptionKey::ValueType, kind(complete.kv_value_type)),
        (OptionKey::KvOffload, on(complete.kv_offload)),
        (OptionKey::ParallelSequences, number(complete.parallel_sequences, 1)),
        (OptionKey::Observed, i64::from(purpose == Purpose::Observed)),
        (OptionKey::PollPercent, number(complete.poll_percent, defaults::POLL_PERCENT)),
        (OptionKey::Priority, priority_number(complete.priority.unwrap_or(Priority::Normal))),
        (OptionKey::CpuStrict, on(complete.cpu_strict)),
    ] {
        options.set(key, value)?;
    }
    if let (true, Some(text)) = (masked, complete.cpu_mask.as_deref()) {
        let mask =
            ProcessorMask::parse(text).map_err(|error| EngineError::Request(error.to_string()))?;
        for processor in mask.iter() {
            options.allow_processor(processor)?;
        }
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kv_types_keep_their_number() {
        for known in KV_TYPES {
            assert_eq!(kv_type(kv_number(known)), Some(known));
        }
        assert_eq!(kv_type(9), None);
        assert_eq!(kv_type(-1), None);
    }
}
