//! The settings that an arm may vary. The same names stand in the manifest, on the wire, in
//! records and in messages.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{DraftAcceptance, DraftSource, RpcServers};

/// Engine settings. `None` is the worker's documented default.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Threads that compute single tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1024))]
    pub threads: Option<u32>,
    /// Threads that compute batches; by default as many as `threads`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1024))]
    pub batch_threads: Option<u32>,
    /// Length of the KV cache, in tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub context_tokens: Option<u32>,
    /// Most tokens handed to the engine at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub batch_tokens: Option<u32>,
    /// Most tokens of one graph evaluation.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub micro_batch_tokens: Option<u32>,
    /// Fused attention.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flash_attention: Option<Toggle>,
    /// Type of the cached keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kv_key_type: Option<KvType>,
    /// Type of the cached values; a quantised one needs flash attention.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kv_value_type: Option<KvType>,
    /// Whether the KV cache lies on the device.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kv_offload: Option<Toggle>,
    /// Layers on the device.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gpu_layers: Option<u32>,
    /// Map the model file instead of reading it (mmap).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_map: Option<Toggle>,
    /// Lock the model in memory (mlock).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_lock: Option<Toggle>,
    /// How hard idle threads of the pool poll for work, 0 to 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 100))]
    pub poll_percent: Option<u32>,
    /// Scheduling priority of the pool's threads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    /// Processors that the pool may use, hexadecimal, lowest bit is processor 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = "^0x[0-9a-fA-F]{1,128}$"))]
    pub cpu_mask: Option<String>,
    /// One processor a thread, instead of all for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_strict: Option<Toggle>,
    /// Placement on machines with several memory nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub numa: Option<Numa>,
    /// Sequences that the KV cache is made for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 256))]
    pub parallel_sequences: Option<u32>,
    /// Sequences that are decoded side by side, as a server's slots: each step evaluates one token of
    /// every one, and all hold the same text. Each has a KV cache of `context_tokens`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 256))]
    pub slots: Option<u32>,
    /// Where drafted tokens come from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draft_source: Option<DraftSource>,
    /// Longest draft; each is verified in one batch, one token wider.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 64))]
    pub draft_tokens: Option<u32>,
    /// Prompt lookup: most tokens that must match for what followed to be drafted; fewer are tried
    /// when none is found.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 16))]
    pub draft_lookup_tokens: Option<u32>,
    /// A draft model's name in the catalogue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draft_model: Option<String>,
    /// Self-drafting: how many of the model's first layers draft.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1024))]
    pub draft_layers: Option<u32>,
    /// Which drafted tokens may be kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draft_acceptance: Option<DraftAcceptance>,
    /// Servers of other machines that layers on devices are spread over, each `host:port` (docs/rpc.md);
    /// `gpu_layers` says how many layers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rpc_servers: Option<RpcServers>,
}

/// On or off.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Toggle {
    On,
    Off,
}

/// Types of the KV cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "names of ggml's tensor types")]
pub enum KvType {
    F32,
    F16,
    Bf16,
    Q8_0,
    Q5_1,
    Q5_0,
    Q4_1,
    Q4_0,
    Iq4Nl,
}

/// Scheduling priority, as ggml names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "names of ggml's priorities")]
pub enum Priority {
    Low,
    Normal,
    Medium,
    High,
    Realtime,
}

/// NUMA strategy, as ggml names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "names of ggml's strategies")]
pub enum Numa {
    Disabled,
    Distribute,
    Isolate,
    Numactl,
}

macro_rules! settings_fields {
    ($($field:ident),* $(,)?) => {
        /// Every setting's key, in the order of the reference.
        pub const SETTING_KEYS: &[&str] = &[$(stringify!($field)),*];

        impl Settings {
            /// These settings, with those that `over` names replaced.
            #[must_use]
            pub fn overlaid(&self, over: &Settings) -> Settings {
                Settings {
                    $($field: over.$field.clone().or_else(|| self.$field.clone()),)*
                }
            }

            /// Keys that are set, in the order of the reference.
            #[must_use]
            pub fn named(&self) -> Vec<&'static str> {
                let mut keys = Vec::new();
                $(if self.$field.is_some() { keys.push(stringify!($field)); })*
                keys
            }
        }
    };
}

settings_fields!(
    threads,
    batch_threads,
    context_tokens,
    batch_tokens,
    micro_batch_tokens,
    flash_attention,
    kv_key_type,
    kv_value_type,
    kv_offload,
    gpu_layers,
    memory_map,
    memory_lock,
    poll_percent,
    priority,
    cpu_mask,
    cpu_strict,
    numa,
    parallel_sequences,
    slots,
    draft_source,
    draft_tokens,
    draft_lookup_tokens,
    draft_model,
    draft_layers,
    draft_acceptance,
    rpc_servers,
);

/// A key that names no setting.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no setting is called `{key}`")]
pub struct UnknownSetting {
    /// The key.
    pub key: String,
}

/// A value that a setting cannot take.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{key}` cannot be {value}: {why}")]
pub struct SettingsConflict {
    /// The key.
    pub key: String,
    /// The value as written.
    pub value: String,
    /// The reader's words.
    pub why: String,
}

impl Settings {
    /// One setting from its key and a JSON value: how ladders and `--vary` name settings.
    ///
    /// # Errors
    /// [`SettingsConflict`] when the value is not one of that key's, or the key is unknown.
    pub fn single(key: &str, value: &serde_json::Value) -> Result<Settings, SettingsConflict> {
        let mut object = serde_json::Map::new();
        object.insert(key.to_owned(), value.clone());
        serde_json::from_value(serde_json::Value::Object(object)).map_err(|error| {
            SettingsConflict {
                key: key.to_owned(),
                value: value.to_string(),
                why: error.to_string(),
            }
        })
    }
}
