//! Which tokenizer a model file holds.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::gguf::Document;
use crate::failure::Failure;

/// Templates of chats say how a conversation is written down, not how a text is cut into tokens.
const NO_PART: &str = "tokenizer.chat_template";

/// BLAKE3 of a tokenizer, 64 lower-case hexadecimal digits. `docs/workloads.md` defines it. Models
/// that share it cut every text into the same tokens.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TokenizerHash(String);

impl TokenizerHash {
    /// Of the tokenizer in a model file: `tokenizer 1` and a line feed, then of each key below
    /// `tokenizer.` but chat templates, in the order of their names, the name, its type's number
    /// and the bytes of its value, each written as its length (decimal), a colon, the bytes and a
    /// comma.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn of(document: &Document) -> Result<TokenizerHash, Failure> {
        let mut parts = document.raw_values("tokenizer.")?;
        parts.retain(|(name, _, _)| !name.starts_with(NO_PART));
        parts.sort();
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"tokenizer 1\n");
        for (name, kind, value) in &parts {
            for part in [name.as_bytes(), kind.to_string().as_bytes(), value.as_slice()] {
                hasher.update(format!("{}:", part.len()).as_bytes());
                hasher.update(part);
                hasher.update(b",");
            }
        }
        Ok(TokenizerHash(hasher.finalize().to_hex().to_string()))
    }

    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TokenizerHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
