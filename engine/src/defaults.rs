//! What holds where a setting is not named. Nothing here is "automatic": the same build on the same
//! machine always gives the same values, and `Loaded.effective` states every one of them.
//!
//! | setting | default |
//! |---|---|
//! | `threads` | processors this process may use (affinity and quota) |
//! | `batch_threads` | as `threads` |
//! | `context_tokens` | 1024 (the engine pads to a multiple of 256) |
//! | `batch_tokens` | 2048 as upstream, but not more than the context |
//! | `micro_batch_tokens` | 512 as upstream, but not more than the batch |
//! | `flash_attention` | off |
//! | `kv_key_type`, `kv_value_type` | f16 |
//! | `gpu_layers` | 0: no device is opened |
//! | `kv_offload` | on where layers are on a device, else off |
//! | `memory_map` | on where the platform can |
//! | `memory_lock` | off |
//! | `poll_percent` | 50 as upstream; means nothing under OpenMP, which has its own |
//! | `priority` | normal |
//! | `cpu_mask` | the processors this process may use |
//! | `cpu_strict` | off |
//! | `numa` | disabled |
//! | `parallel_sequences` | 1 |
//! | `slots` | 1 |
//! | `draft_source` | nothing |
//! | `draft_lookup_tokens` | 3, with prompt lookup |
//! | `draft_acceptance` | greedy, where something is drafted |
//! | `rpc_servers` | none |

use engine_protocol::{DraftAcceptance, DraftSource, KvType, Numa, Priority, Settings, Toggle};

use crate::support::Ground;

/// Length of the KV cache, in tokens: room for the built-in workloads and their answers.
pub const CONTEXT_TOKENS: u32 = 1024;
/// Upstream's `n_batch`.
pub const BATCH_TOKENS: u32 = 2048;
/// Upstream's `n_ubatch`.
pub const MICRO_BATCH_TOKENS: u32 = 512;
/// Upstream's polling level of a thread pool.
pub const POLL_PERCENT: u32 = 50;
/// Most tokens that prompt lookup wants to match.
pub const DRAFT_LOOKUP_TOKENS: u32 = 3;
/// The engine rounds the length of the KV cache up to a multiple of this.
pub const CONTEXT_STEP: u32 = 256;

/// `settings` with a value for every key.
#[must_use]
pub fn complete(settings: &Settings, ground: &Ground) -> Settings {
    let threads = settings.threads.unwrap_or(ground.usable_processors);
    let context = settings.context_tokens.unwrap_or(CONTEXT_TOKENS);
    let batch = settings.batch_tokens.unwrap_or(BATCH_TOKENS.min(padded(context)));
    let gpu_layers = settings.gpu_layers.unwrap_or(0);
    let source = settings.draft_source.unwrap_or(DraftSource::Nothing);
    let defaults = Settings {
        threads: Some(threads),
        batch_threads: Some(threads),
        context_tokens: Some(context),
        batch_tokens: Some(batch),
        micro_batch_tokens: Some(MICRO_BATCH_TOKENS.min(batch)),
        flash_attention: Some(Toggle::Off),
        kv_key_type: Some(KvType::F16),
        kv_value_type: Some(KvType::F16),
        kv_offload: Some(toggle(gpu_layers > 0)),
        gpu_layers: Some(gpu_layers),
        memory_map: Some(toggle(ground.maps_files)),
        memory_lock: Some(Toggle::Off),
        poll_percent: Some(POLL_PERCENT),
        priority: Some(Priority::Normal),
        cpu_mask: Some(ground.processors.to_string()),
        cpu_strict: Some(Toggle::Off),
        numa: Some(Numa::Disabled),
        parallel_sequences: Some(1),
        slots: Some(1),
        draft_source: Some(source),
        draft_lookup_tokens: (source == DraftSource::PromptLookup).then_some(DRAFT_LOOKUP_TOKENS),
        draft_acceptance: (source != DraftSource::Nothing).then_some(DraftAcceptance::Greedy),
        ..Settings::default()
    };
    defaults.overlaid(settings)
}

/// The length that the engine makes of a requested KV cache.
#[must_use]
pub fn padded(context_tokens: u32) -> u32 {
    context_tokens.checked_next_multiple_of(CONTEXT_STEP).unwrap_or(context_tokens)
}

/// A condition as a setting's value.
pub(crate) fn toggle(on: bool) -> Toggle {
    if on { Toggle::On } else { Toggle::Off }
}

#[cfg(test)]
mod tests {
    use engine_protocol::SETTING_KEYS;

    use super::*;

    #[test]
    fn every_setting_has_a_value() {
        let complete = complete(&Settings::default(), &Ground::plain());
        // what only a drafter needs has no value without one, and no server is there by default
        let all: Vec<&str> = SETTING_KEYS
            .iter()
            .copied()
            .filter(|key| *key == "draft_source" || !key.starts_with("draft_"))
            .filter(|key| *key != "rpc_servers")
            .collect();
        assert_eq!(complete.named(), all);
    }

    #[test]
    fn batches_follow_the_context_and_threads_follow_threads() {
        let named = Settings { context_tokens: Some(200), threads: Some(1), ..Settings::default() };
        let complete = complete(&named, &Ground::plain());
        assert_eq!(complete.batch_tokens, Some(256));
        assert_eq!(complete.micro_batch_tokens, Some(256));
        assert_eq!(complete.batch_threads, Some(1));
    }

    #[test]
    fn what_is_named_stays() {
        let named = Settings {
            flash_attention: Some(Toggle::On),
            kv_value_type: Some(KvType::Q8_0),
            ..Settings::default()
        };
        let complete = complete(&named, &Ground::plain());
        assert_eq!(complete.flash_attention, Some(Toggle::On));
        assert_eq!(complete.kv_value_type, Some(KvType::Q8_0));
        assert_eq!(complete.kv_key_type, Some(KvType::F16));
    }
}
