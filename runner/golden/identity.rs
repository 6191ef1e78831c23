//! Whether a golden speaks of the model at hand.

use super::facts::GoldenFacts;
use crate::failure::Failure;
use crate::model::{Document, Sha256Hex};

/// The list of tokens in a model file.
const TOKENS_KEY: &str = "tokenizer.ggml.tokens";

/// SHA-256 over a model's tokens, each token's bytes followed by a zero byte; `None` where the
/// model has no tokens.
///
/// # Errors
/// When the file cannot be read.
pub fn tokenizer_sha256(document: &Document) -> Result<Option<Sha256Hex>, Failure> {
    let Some(tokens) = document.texts(TOKENS_KEY)? else { return Ok(None) };
    let mut bytes = Vec::new();
    for token in tokens {
        bytes.extend(token);
        bytes.push(0);
    }
    Ok(Some(Sha256Hex::of(&bytes)))
}

/// Refuses a model file that is not the golden's: by the hash of the file, by its tokens, by the
/// length of its vocabulary.
///
/// # Errors
/// Refused when they differ; or as [`tokenizer_sha256`].
pub fn check_model(
    facts: &GoldenFacts,
    golden: &std::path::Path,
    document: &Document,
    model_sha256: &Sha256Hex,
) -> Result<(), Failure> {
    let refused = |what: String| {
        Failure::refused(what)
            .at(golden.display())
            .hint("a golden holds for one model file: name that file, or make the golden again")
    };
    let place = document.path().display();
    let tokens = tokenizer_sha256(document)?;
    let shown = |hash: &Option<Sha256Hex>| {
        hash.as_ref().map_or_else(|| "no tokens".to_owned(), |hash| format!("SHA-256 {hash}"))
    };
    if tokens != facts.tokenizer_sha256 {
        return Err(refused(format!(
            "the golden is of another tokenizer: it names {}, {place} has {}",
            shown(&facts.tokenizer_sha256),
            shown(&tokens)
        )));
    }
    if *model_sha256 != facts.model_sha256 {
        return Err(refused(format!(
            "the golden is of another model: it names SHA-256 {}, {place} has {model_sha256}",
            facts.model_sha256
        )));
    }
    match document.facts().vocabulary {
        Some(vocabulary) if vocabulary != facts.vocabulary as u64 => Err(refused(format!(
            "the golden has a vocabulary of {}, {place} one of {vocabulary}",
            facts.vocabulary
        ))),
        _ => Ok(()),
    }
}
