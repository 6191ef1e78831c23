//! Broken copies of a model, each held against the golden as the sound one was.

use std::path::{Path, PathBuf};

use super::gates;
use super::run::Ground;
use super::session::Session;
use crate::failure::Failure;
use crate::golden::Golden;
use crate::model::{Document, write_edited};
use crate::parity::{ControlRow, ControlState, Fault, NotPossible};

/// Controls are tried on prompts up to this length: what they break shows in short texts too.
const MOST_TOKENS: usize = 256;

/// Tries each fault on the 32-bit floats.
pub(super) fn controls(ground: &Ground<'_>) -> Result<Vec<ControlRow>, Failure> {
    let document = Document::read(&ground.floats)?;
    let golden = short(ground.golden);
    Fault::OF_FLOATS.into_iter().map(|fault| one(ground, &golden, &document, fault)).collect()
}

/// The golden's prompts that are short; all of them when none is.
fn short(golden: &Golden) -> Golden {
    let prompts: Vec<_> = golden
        .prompts
        .iter()
        .filter(|prompt| prompt.tokens.len() <= MOST_TOKENS)
        .cloned()
        .collect();
    if prompts.is_empty() { golden.clone() } else { Golden { prompts, ..golden.clone() } }
}

fn one(
    ground: &Ground<'_>,
    golden: &Golden,
    document: &Document,
    fault: Fault,
) -> Result<ControlRow, Failure> {
    let copy = match broken_copy(document, fault, ground.scratch) {
        Ok(copy) => copy,
        Err(row) => return row,
    };
    let found = Session::load(ground.program, ground.scratch, &copy.path, &ground.settings)
        .and_then(|(mut session, _)| {
            let found = gates::gates(&mut session, golden, Some(fault));
            session.end();
            found
        });
    copy.discard();
    Ok(match found {
        Ok(found) => {
            ControlRow::judged(fault, copy.change, &found.checklist, found.logits.least_cosine())
        }
        Err(failure) => {
            let why = format!("{}; {}", copy.change, failure.what);
            ControlRow::without(fault, ControlState::NotRun, why)
        }
    })
}

/// A model file with a fault in it.
#[derive(Debug)]
pub(super) struct Copy {
    pub(super) path: PathBuf,
    pub(super) change: String,
    /// The sound file itself, where the fault lies in the evaluation.
    is_original: bool,
}

impl Copy {
    /// Takes the copy away.
    pub(super) fn discard(&self) {
        if !self.is_original {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Writes a broken copy, or says why there is none.
pub(super) fn broken_copy(
    document: &Document,
    fault: Fault,
    scratch: &Path,
) -> Result<Copy, Result<ControlRow, Failure>> {
    let planted = match fault.plant(document) {
        Ok(planted) => planted,
        Err(NotPossible::NotApplicable(why)) => {
            return Err(Ok(ControlRow::without(fault, ControlState::NotApplicable, why)));
        }
        Err(NotPossible::Failed(failure)) => return Err(Err(failure)),
    };
    if planted.edits.is_empty() {
        let path = document.path().to_path_buf();
        return Ok(Copy { path, change: planted.change, is_original: true });
    }
    let path = scratch.join("broken.gguf");
    match write_edited(document, &path, &planted.edits) {
        Ok(()) => Ok(Copy { path, change: planted.change, is_original: false }),
        Err(failure) => Err(Err(failure)),
    }
}
