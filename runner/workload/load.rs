//! From a manifest's word to a set.

use std::path::Path;

use super::buffers::buffers;
use super::embedded::{EMBEDDED_NAMES, embedded_text};
use super::format::parse;
use super::set::InputSet;
use crate::failure::Failure;
use crate::manifest::BUFFERS;
use crate::project::Project;

/// Relative to a project's root.
pub(super) const FOLDER: &str = "experiments/workloads";
/// A text file larger than this is some other file.
const MOST_BYTES: u64 = 64 << 20;
/// What to do about a file that is no set.
pub(super) const FORMAT: &str = "docs/workloads.md shows the format of a set";

/// Loads a set by name or by path. What holds a slash or ends in `.toml` is a path, absolute or
/// relative to the project's root. A name is looked up in the project's `experiments/workloads/`,
/// then in the program. A file there that has the name of a built-in set must have its content:
/// the same word must not mean two things in two projects.
///
/// # Errors
/// Usage, without a place, when there is no such set; with one when its file cannot be used.
pub fn load(inputs: &str, project: &Project) -> Result<InputSet, Failure> {
    if inputs.contains('/') || Path::new(inputs).extension().is_some_and(|end| end == "toml") {
        let path = project.resolve(inputs);
        let text = read(&path)?.ok_or_else(|| {
            Failure::usage(format!("there is no such set of inputs: {}", path.display()))
                .hint("a path starts at the project's root")
        })?;
        return parse(&text, inputs, inputs);
    }
    let built_in = built_in(inputs)?;
    let relative = format!("{FOLDER}/{inputs}.toml");
    let own = match read(&project.root.join(&relative))? {
        Some(text) => Some(parse(&text, inputs, &relative)?),
        None => None,
    };
    match (own, built_in) {
        (Some(own), Some(built_in)) if own.blake3 != built_in.blake3 => {
            let what = format!("`{inputs}` is built in, with another content");
            Err(Failure::usage(what).at(relative).hint("give your file another name"))
        }
        (Some(set), _) | (None, Some(set)) => Ok(set),
        (None, None) => {
            let what = format!("no set of inputs is called `{inputs}`");
            let hint = format!(
                "built in are {}; a set of your own lies in {FOLDER}/, or is named by its path",
                EMBEDDED_NAMES.join(", ")
            );
            Err(Failure::usage(what).hint(hint))
        }
    }
}

/// A set that is part of the program; `None` when there is none of that name.
///
/// # Errors
/// When the program's own text of it is no set.
pub fn built_in(name: &str) -> Result<Option<InputSet>, Failure> {
    if name == BUFFERS {
        return Ok(Some(buffers()));
    }
    embedded_text(name)
        .map(|text| parse(text, name, &format!("the built-in set {name}")))
        .transpose()
}

fn read(path: &Path) -> Result<Option<String>, Failure> {
    let broken = |what: String| Failure::usage(what).at(path.display()).hint(FORMAT);
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.is_file() && metadata.len() > MOST_BYTES => {
            return Err(broken(format!("{} bytes are too many for a set", metadata.len())));
        }
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(broken(format!("cannot be read: {error}"))),
    }
    let bytes = std::fs::read(path).map_err(|error| broken(format!("cannot be read: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        broken(format!("is not UTF-8 text (byte {at})"))
    })?;
    Ok(Some(text))
}

#[cfg(test)]
#[path = "load_tests.rs"]
mod tests;
