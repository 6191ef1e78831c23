//! How much memory the arms may take.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Most bytes that workers may hold, computed from their allocations; resident memory is no budget.
/// A megabyte is a million bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// Of all arms together, which are resident at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_megabytes: Option<u64>,
    /// Of any one arm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arm_megabytes: Option<u64>,
    /// Of all arms together in buffers of a type, by the engine's name of it (`CUDA0`).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub buffer_megabytes: BTreeMap<String, u64>,
}

/// A megabyte, bytes.
pub const MEGABYTE: u64 = 1_000_000;
