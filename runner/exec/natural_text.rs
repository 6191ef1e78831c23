//! Prose and code that contracts are tested on beside the experiment's own inputs: what is timed
//! may be filler, on which a wrong kernel can look right.

use engine_protocol::Token;

use super::run::Run;
use super::texts::TextError;
use super::worker::{Call, Worker};
use crate::failure::Failure;
use crate::workload::{self, JOINT};

/// Natural texts that are built into the program.
const SETS: &[&str] = &["prose-48", "code-48"];

/// The text of a whole set as tokens.
#[derive(Debug, Clone)]
pub(super) struct NaturalText {
    /// Name of the set.
    pub(super) set: String,
    /// What the tokenizer puts before every text.
    opening: Vec<Token>,
    /// All items, one after the other.
    body: Vec<Token>,
}

impl NaturalText {
    /// So many tokens from a place of the text on, the opening before them; after the last item
    /// comes the first.
    pub(super) fn take(&self, from: usize, tokens: usize) -> Vec<Token> {
        let opening = self.opening.iter().copied();
        opening.chain(self.body(from, tokens)).take(tokens).collect()
    }

    /// The same without the opening: what follows other tokens.
    pub(super) fn body(&self, from: usize, tokens: usize) -> Vec<Token> {
        let from = from % self.body.len().max(1);
        self.body.iter().copied().cycle().skip(from).take(tokens).collect()
    }

    /// Tokens of the set, the opening left out.
    pub(super) fn len(&self) -> usize {
        self.body.len()
    }
}

/// The natural texts that the experiment does not work on already, made by off's tokenizer.
pub(super) fn others(
    run: &Run<'_, '_>,
    off: &mut Worker,
    call: Call<'_>,
) -> Result<Vec<NaturalText>, TextError> {
    let own = run.job.plan.workload.inputs.as_str();
    let opening = off.tokenize(String::new(), call)?;
    let mut texts = Vec::new();
    for name in SETS.iter().filter(|name| **name != own) {
        let set = workload::built_in(name).map_err(TextError::Failure)?;
        let Some(set) = set else { continue };
        let parts: Vec<&str> = set.items.iter().map(|item| item.text.as_str()).collect();
        let mut body = off.tokenize(parts.join(JOINT), call)?;
        if body.starts_with(&opening) {
            body.drain(..opening.len());
        }
        if body.is_empty() {
            return Err(TextError::Failure(
                Failure::refused(format!("the set `{name}` has no tokens in this tokenizer"))
                    .hint("contracts are tested on it; name a model with a text tokenizer"),
            ));
        }
        texts.push(NaturalText { set: (*name).to_owned(), opening: opening.clone(), body });
    }
    Ok(texts)
}
