//! Whether a model is a mixture of experts.

use serde::{Deserialize, Serialize};

use super::gguf::{GgufFacts, MetadataValue};

/// The experts of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Experts {
    /// How many there are.
    pub count: u32,
    /// How many of them work on a token.
    pub used: u32,
}

impl Experts {
    /// As a model file says it (`<architecture>.expert_count`, `<architecture>.expert_used_count`);
    /// `None` for a model without experts.
    #[must_use]
    pub fn of(facts: &GgufFacts) -> Option<Experts> {
        let architecture = facts.architecture.as_ref()?;
        let number = |key: &str| match facts.metadata.get(&format!("{architecture}.{key}")) {
            Some(MetadataValue::Unsigned(value)) => u32::try_from(*value).ok(),
            _ => None,
        };
        let count = number("expert_count").filter(|count| *count > 1)?;
        let used = number("expert_used_count").filter(|used| (1..=count).contains(used))?;
        Some(Experts { count, used })
    }
}
