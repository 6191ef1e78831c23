//! From a word on a command line to a model.

use super::catalogue::find;
use super::gguf::inspect;
use super::hash::{Verification, file_hash};
use crate::failure::{Failure, FailureKind};
use crate::manifest::ModelChoice;
use crate::project::Project;

/// A name of the catalogue, or a file; a file's hash is computed here, since nobody wrote one.
///
/// # Errors
/// Usage for a name that the catalogue does not have; refused for a file that is no GGUF.
pub fn choose(text: &str, project: &Project) -> Result<ModelChoice, Failure> {
    let path =
        std::path::absolute(text).map_err(|error| Failure::usage(error.to_string()).at(text))?;
    if !path.is_file() {
        find(text, project)?;
        return Ok(ModelChoice::Named(text.to_owned()));
    }
    let refused = |failure: Failure| Failure { kind: FailureKind::Refused, ..failure };
    inspect(&path).map_err(refused)?;
    let sha256 = file_hash(&path, Verification::Remembered, project).map_err(refused)?;
    Ok(ModelChoice::File { path: path.display().to_string(), sha256: sha256.as_str().to_owned() })
}
