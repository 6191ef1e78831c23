//! What a golden says of itself: where it comes from, and that its reference checked itself.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

use super::container::Container;
use crate::failure::Failure;
use crate::model::Sha256Hex;

/// Most tokens, blocks and width that are believed: far above any model there is.
const MOST: usize = 1 << 24;

/// Whether the weights are those of a published checkpoint. One is never read as the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// A published checkpoint.
    Real,
    /// A small model of random numbers, made to have the architecture.
    Synthetic,
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Origin::Real => "real",
            Origin::Synthetic => "synthetic",
        })
    }
}

/// One check that the reference made of itself before it spoke.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SelfCheck {
    /// `two_loads_agree`, …
    pub name: String,
    /// What it found, as the oracle wrote it.
    pub figure: Value,
    /// The same in words, where the oracle wrote them.
    pub finding: Option<String>,
}

/// What becomes of a file whose reference failed one of its own checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FailedChecks {
    /// It is refused: nothing is to be held against it.
    Refused,
    /// It is read: whoever looks for the fault of a reference wants to see it.
    Kept,
}

/// Metadata common to goldens and dumps.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GoldenFacts {
    /// Name of the golden.
    pub name: String,
    /// The engine's word: `llama`, `qwen2`, …
    pub architecture: String,
    /// Real or synthetic.
    pub origin: Origin,
    /// The model's name in the catalogue, for a real one.
    pub model: Option<String>,
    /// Of the GGUF file that both sides read.
    pub model_sha256: Sha256Hex,
    /// Of the model's list of tokens; `None` where it has no tokenizer.
    pub tokenizer_sha256: Option<Sha256Hex>,
    /// Length of a row of logits.
    pub vocabulary: usize,
    /// Number of blocks.
    pub blocks: usize,
    /// Length of a hidden state.
    pub width: usize,
    /// Packages and versions.
    pub reference: String,
    /// The reference's arithmetic.
    pub dtype: String,
    /// The reference's attention.
    pub attention: String,
    /// Day on which it was made.
    pub made_on: String,
    /// Those that passed.
    pub self_checks: Vec<SelfCheck>,
    /// Those that did not; none in a golden.
    pub failed_checks: Vec<SelfCheck>,
}

impl GoldenFacts {
    /// Reads and checks the metadata of a file of a format.
    ///
    /// # Errors
    /// Refused when the format is another, a key is missing or malformed, or the reference's checks
    /// of itself are absent or did not all pass.
    pub(super) fn read(
        container: &Container,
        format: &str,
        failed: FailedChecks,
    ) -> Result<GoldenFacts, Failure> {
        match container.text("format") {
            Some(is) if is == format => {}
            Some(is) => {
                return Err(container.refused(format!("its format is {is:?}, not {format:?}")));
            }
            None => return Err(container.refused(format!("it does not say that it is {format:?}"))),
        }
        let (self_checks, failed_checks) = self_checks(container, failed)?;
        let text = |key: &str| required(container, key).map(str::to_owned);
        let count = |key: &str| {
            let text = required(container, key)?;
            text.parse::<usize>().ok().filter(|count| (1..=MOST).contains(count)).ok_or_else(|| {
                container.refused(format!("its `{key}` is {text:?}, not a number from 1 to {MOST}"))
            })
        };
        let origin = match required(container, "origin")? {
            "real" => Origin::Real,
            "synthetic" => Origin::Synthetic,
            other => {
                let what = format!("its `origin` is {other:?}, not \"real\" or \"synthetic\"");
                return Err(container.refused(what));
            }
        };
        let hash = |key: &str| {
            Sha256Hex::try_from(text(key)?)
                .map_err(|why| container.refused(format!("its `{key}`: {why}")))
        };
        let tokenizer_sha256 = match required(container, "tokenizer_sha256")? {
            "none" => None,
            _ => Some(hash("tokenizer_sha256")?),
        };
        Ok(GoldenFacts {
            name: text("name")?,
            architecture: text("architecture")?,
            origin,
            // a synthetic one has its model beside it
            model: container
                .text("model")
                .filter(|name| !name.is_empty() && *name != "none")
                .map(str::to_owned),
            model_sha256: hash("model_sha256")?,
            tokenizer_sha256,
            vocabulary: count("vocabulary")?,
            blocks: count("blocks")?,
            width: count("width")?,
            reference: text("reference")?,
            dtype: text("dtype")?,
            attention: text("attention")?,
            made_on: text("made_on")?,
            self_checks,
            failed_checks,
        })
    }
}

/// A metadata text that must be there.
pub(super) fn required<'file>(
    container: &'file Container,
    key: &str,
) -> Result<&'file str, Failure> {
    container.text(key).ok_or_else(|| container.refused(format!("its metadata lack `{key}`")))
}

/// A metadata text that holds JSON.
pub(super) fn json(container: &Container, key: &str) -> Result<Value, Failure> {
    serde_json::from_str(required(container, key)?)
        .map_err(|error| container.refused(format!("its `{key}` is no JSON: {error}")))
}

/// A metadata list of names.
pub(super) fn names(container: &Container, key: &str) -> Result<Vec<String>, Failure> {
    serde_json::from_value(json(container, key)?)
        .map_err(|_| container.refused(format!("its `{key}` is no list of names")))
}

fn self_checks(
    container: &Container,
    failed: FailedChecks,
) -> Result<(Vec<SelfCheck>, Vec<SelfCheck>), Failure> {
    if container.text("self_check").is_none() {
        return Err(
            container.refused("the reference did not check itself: there is no `self_check`")
        );
    }
    let Value::Object(checks) = json(container, "self_check")? else {
        return Err(container.refused("its `self_check` is no table of checks"));
    };
    if checks.is_empty() {
        return Err(container.refused("the reference did not check itself: `self_check` is empty"));
    }
    let (mut passed, mut not_passed) = (Vec::new(), Vec::new());
    for (name, check) in checks {
        let figure = check.get("figure").cloned().unwrap_or(Value::Null);
        let finding = check.get("finding").and_then(Value::as_str).map(str::to_owned);
        let has_passed = check.get("passed") == Some(&Value::Bool(true));
        if !has_passed && failed == FailedChecks::Refused {
            let what = format!("the reference failed its own check: {name} (figure {figure})");
            return Err(container.refused(what).hint(
                "the reference is wrong, not the engine: find out why before a golden is made",
            ));
        }
        let list = if has_passed { &mut passed } else { &mut not_passed };
        list.push(SelfCheck { name, figure, finding });
    }
    Ok((passed, not_passed))
}
