//! A golden as a whole.

use std::path::{Path, PathBuf};

use super::container::Container;
use super::facts::{FailedChecks, GoldenFacts, json, names};
use super::prompt::GoldenPrompt;
use crate::failure::Failure;

/// The format that is read here.
const FORMAT: &str = "runner-golden 1";
/// A golden is read whole; a larger file is some other file.
const MOST_BYTES: u64 = 512 << 20;

/// What a reference computed for some prompts, checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Golden {
    /// The file.
    pub path: PathBuf,
    /// What it says of itself.
    pub facts: GoldenFacts,
    /// At least one, in order.
    pub prompts: Vec<GoldenPrompt>,
}

impl Golden {
    /// Reads and checks a golden.
    ///
    /// # Errors
    /// Refused, with the file and the tensor, when it is truncated or of another format, lacks
    /// something, contradicts itself, holds a number that is none, has no prompts, or when its
    /// reference failed one of its own checks.
    pub fn read(path: &Path) -> Result<Golden, Failure> {
        let container = Container::open(path)?;
        let bytes = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
        if bytes > MOST_BYTES {
            return Err(container.refused(format!("{bytes} bytes are too many for a golden")));
        }
        let facts = GoldenFacts::read(&container, FORMAT, FailedChecks::Refused)?;
        let listed = names(&container, "prompts")?;
        if listed.is_empty() {
            return Err(container.refused("it has no prompts: nothing could be compared"));
        }
        let classes = match container.text("prompt_classes") {
            Some(_) => json(&container, "prompt_classes")?,
            None => serde_json::Value::Null,
        };
        let mut prompts: Vec<GoldenPrompt> = Vec::new();
        for (index, name) in listed.iter().enumerate() {
            if prompts.iter().any(|earlier| earlier.name == *name) {
                return Err(container.refused(format!("it lists the prompt `{name}` twice")));
            }
            // a list beside the names, or a table by name
            let class = classes.get(index).or_else(|| classes.get(name));
            let class = class.and_then(serde_json::Value::as_str).map(str::to_owned);
            prompts.push(GoldenPrompt::read(&container, &facts, name, class)?);
        }
        let compared =
            prompts.iter().any(|prompt| !prompt.rows.is_empty() || !prompt.tops.is_empty());
        if !compared {
            return Err(container.refused("it has no logits: nothing could be compared"));
        }
        Ok(Golden { path: path.to_path_buf(), facts, prompts })
    }

    /// Tokens of the longest prompt, with its continuation.
    #[must_use]
    pub fn longest(&self) -> usize {
        let lengths = self.prompts.iter().map(|prompt| prompt.tokens.len() + prompt.greedy.len());
        lengths.max().unwrap_or(0)
    }
}
