//! Where goldens lie: a folder for each.

use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// The golden within its folder.
const FILE: &str = "golden.safetensors";
/// The model of a synthetic one, beside it.
const MODEL: &str = "model.gguf";

/// A golden's folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoldenPlace {
    /// Name of the folder.
    pub name: String,
    /// The golden.
    pub file: PathBuf,
    /// The model file beside it, where there is one.
    pub model: Option<PathBuf>,
}

/// The goldens of a folder, by name; all of them when none is named.
///
/// # Errors
/// Usage (exit 2) for a name that is not there, with the names that are. Refused (exit 3) when the
/// folder holds none: nothing could be compared.
pub fn find_goldens(folder: &Path, named: &[String]) -> Result<Vec<GoldenPlace>, Failure> {
    let mut all = Vec::new();
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()).filter(|path| path.is_dir()) {
        let file = path.join(FILE);
        let model = Some(path.join(MODEL)).filter(|model| model.is_file());
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        if let Some(name) = name
            && (file.exists() || model.is_some())
        {
            all.push(GoldenPlace { name, file, model });
        }
    }
    all.sort_by(|left, right| left.name.cmp(&right.name));
    if all.is_empty() {
        return Err(Failure::refused("there are no goldens here: nothing could be compared")
            .at(folder.display())
            .hint("a golden lies in experiments/goldens/NAME/golden.safetensors; the oracle in reference/ makes it"));
    }
    if named.is_empty() {
        return Ok(all);
    }
    let names: Vec<&str> = all.iter().map(|place| place.name.as_str()).collect();
    let names = names.join(", ");
    named
        .iter()
        .map(|wanted| {
            all.iter().find(|place| place.name == *wanted).cloned().ok_or_else(|| {
                Failure::usage(format!("no golden is called `{wanted}`"))
                    .at(folder.display())
                    .hint(format!("there are {names}"))
            })
        })
        .collect()
}
