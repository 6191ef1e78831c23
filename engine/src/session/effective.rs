//! What the engine made of the settings, read back: sizes, flash attention and KV types from the
//! context, threads and their placement from the operating system after a first evaluation. What
//! was named and did not take effect is refused here.

use std::collections::BTreeSet;

use engine_protocol::{BufferKind, Priority, Settings, Toggle};

use super::options::kv_type;
use super::sequence::{Outputs, Sequence};
use crate::defaults::toggle;
use crate::native::{BufferItem, Capability, Context, ContextNumber, Library};
use crate::placement::{self, ThreadPlacement};
use crate::{EngineError, ProcessorMask};

/// Settings in effect, complete. A named mask is stated as named once every thread was found bound
/// to a part of it (a strict one binds each to a single processor); else the mask is what was found.
pub(super) fn read_back(
    library: &Library,
    sequence: &mut Sequence,
    named: &Settings,
    complete: &Settings,
    threads_before: &BTreeSet<u32>,
) -> Result<Settings, EngineError> {
    let mut effective = read_context(library, sequence.context(), complete)?;
    require_as_named(named, &effective)?;
    if named.gpu_layers > Some(0) {
        require_on_device(&super::buffers_of(sequence.context())?)?;
    }
    // Threads come to life, and are placed, in the first parallel evaluation: a single token for
    // the pool of decoding, two for that of batches.
    sequence.evaluate(&[0], Outputs::Nothing)?;
    sequence.evaluate(&[0, 0], Outputs::Nothing)?;
    sequence.synchronize()?;
    sequence.clear()?;
    let placements = computing_threads(threads_before);
    if !placements.is_empty() {
        require_threads(&placements, complete)?;
        require_placement(&placements, named, complete)?;
        if named.cpu_mask.is_none() {
            let mask = placements
                .iter()
                .fold(ProcessorMask::default(), |mask, thread| mask.joined(&thread.allowed));
            effective.cpu_mask = Some(mask.to_string());
        }
    }
    Ok(effective)
}

fn read_context(
    library: &Library,
    context: &Context,
    complete: &Settings,
) -> Result<Settings, EngineError> {
    let number = |number: ContextNumber| {
        let value = context.read(number)?;
        u32::try_from(value).map(Some).map_err(|_| {
            EngineError::Context(format!("the engine made a context with a size of {value}"))
        })
    };
    let mut effective = Settings {
        threads: number(ContextNumber::Threads)?,
        batch_threads: number(ContextNumber::BatchThreads)?,
        context_tokens: match complete.slots {
            // each slot has as many
            Some(slots) if slots > 1 => number(ContextNumber::SequenceTokens)?,
            _ => number(ContextNumber::Tokens)?,
        },
        batch_tokens: number(ContextNumber::BatchTokens)?,
        micro_batch_tokens: number(ContextNumber::MicroBatchTokens)?,
        parallel_sequences: number(ContextNumber::ParallelSequences)?,
        kv_offload: Some(toggle(context.read(ContextNumber::KvOffload)? != 0)),
        ..complete.clone()
    };
    if library.can(Capability::ReadFlashAttention) {
        effective.flash_attention = Some(toggle(context.read(ContextNumber::FlashAttention)? != 0));
    }
    if library.can(Capability::ReadKvTypes) {
        for (number, place) in [
            (ContextNumber::KeyType, &mut effective.kv_key_type),
            (ContextNumber::ValueType, &mut effective.kv_value_type),
        ] {
            match context.read(number) {
                Ok(value) => *place = kv_type(value),
                Err(EngineError::Unsupported(_)) => {} // a memory of another sort than a KV cache
                Err(error) => return Err(error),
            }
        }
    }
    Ok(effective)
}

/// Upstream may turn a wish down with a line in its log; here that is a refusal.
fn require_as_named(named: &Settings, effective: &Settings) -> Result<(), EngineError> {
    let turned_down = |key: &str| {
        EngineError::Unsupported(format!(
            "`{key}` cannot be honoured: the engine chose otherwise for this model"
        ))
    };
    if named.flash_attention.is_some() && named.flash_attention != effective.flash_attention {
        return Err(turned_down("flash_attention"));
    }
    if named.kv_key_type.is_some() && named.kv_key_type != effective.kv_key_type {
        return Err(turned_down("kv_key_type"));
    }
    if named.kv_value_type.is_some() && named.kv_value_type != effective.kv_value_type {
        return Err(turned_down("kv_value_type"));
    }
    if named.threads.is_some() && named.threads != effective.threads {
        return Err(turned_down("threads"));
    }
    Ok(())
}

/// The engine puts layers where they fit, and says nothing when they do not go to a device.
fn require_on_device(buffers: &[BufferItem]) -> Result<(), EngineError> {
    let mut weights = buffers.iter().filter(|item| item.kind == BufferKind::Weights).peekable();
    if weights.peek().is_none() || weights.any(|item| item.device != "CPU") {
        return Ok(()); // or this source tree does not tell
    }
    Err(EngineError::Unsupported(
        "`gpu_layers` cannot be honoured: all weights lie in the memory of the CPU".to_owned(),
    ))
}

/// This thread and all that have come since `before`; empty where the platform does not tell.
fn computing_threads(before: &BTreeSet<u32>) -> Vec<ThreadPlacement> {
    let Some(own) = placement::own_thread() else { return Vec::new() };
    let new = placement::threads().into_iter().filter(|thread| !before.contains(thread));
    std::iter::once(own).chain(new).filter_map(placement::placement_of).collect()
}

/// Threads that surely come to life. With layers on a device what is left for the CPU may be single
/// operations of one thread, for which a runtime starts no others.
fn computing(complete: &Settings) -> usize {
    if complete.gpu_layers > Some(0) {
        return 1;
    }
    complete.threads.max(complete.batch_threads).unwrap_or(1) as usize
}

/// A runtime may hand out fewer threads than asked for (`OMP_THREAD_LIMIT`). More are no fault:
/// a device's driver has threads of its own.
fn require_threads(placements: &[ThreadPlacement], complete: &Settings) -> Result<(), EngineError> {
    let wanted = computing(complete);
    if placements.len() < wanted {
        return Err(EngineError::Unsupported(format!(
            "`threads` cannot be honoured: {} of {wanted} threads compute",
            placements.len()
        )));
    }
    Ok(())
}

fn require_placement(
    placements: &[ThreadPlacement],
    named: &Settings,
    complete: &Settings,
) -> Result<(), EngineError> {
    let wanted = computing(complete);
    if let Some(text) = named.cpu_mask.as_deref() {
        let mask =
            ProcessorMask::parse(text).map_err(|error| EngineError::Request(error.to_string()))?;
        let strict = complete.cpu_strict == Some(Toggle::On);
        let placed = placements
            .iter()
            .filter(|thread| {
                thread.allowed.without(&mask).is_empty() && (!strict || thread.allowed.len() == 1)
            })
            .count();
        if placed < wanted {
            return Err(EngineError::Unsupported(format!(
                "`cpu_mask` cannot be honoured: {placed} of {wanted} threads are bound to it"
            )));
        }
    }
    let schedule = named.priority.and_then(|priority: Priority| placement::schedule_for(priority));
    if let Some((policy, realtime_priority)) = schedule {
        let scheduled = placements
            .iter()
            .filter(|thread| {
                thread.policy == policy && thread.realtime_priority == realtime_priority
            })
            .count();
        if scheduled < wanted {
            return Err(EngineError::Unsupported(format!(
                "`priority` cannot be honoured: {scheduled} of {wanted} threads have it; real-time priorities need CAP_SYS_NICE or a higher `ulimit -r`"
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn with_layers_on_a_device_one_thread_is_enough() {
        let threads = Settings { threads: Some(8), batch_threads: Some(16), ..Settings::default() };
        assert_eq!(computing(&threads), 16);
        assert_eq!(computing(&Settings { gpu_layers: Some(0), ..threads.clone() }), 16);
        assert_eq!(computing(&Settings { gpu_layers: Some(99), ..threads }), 1);
    }

    #[test]
    fn layers_on_a_device_have_their_weights_there() {
        let item = |device: &str, kind| BufferItem {
            buffer_type: device.to_owned(),
            device: device.to_owned(),
            kind,
            bytes: 1,
        };
        let weights = |device| item(device, BufferKind::Weights);
        let elsewhere = [weights("CPU"), item("CUDA0", BufferKind::Compute)];
        assert!(require_on_device(&elsewhere).is_err());
        assert!(require_on_device(&[weights("CPU"), weights("CUDA0")]).is_ok());
        assert!(require_on_device(&[]).is_ok());
    }
}
