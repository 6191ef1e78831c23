//! The sets that can be named.

use super::embedded::EMBEDDED_NAMES;
use super::load::FOLDER;
use crate::failure::Failure;
use crate::project::Project;

/// Beside a set `NAME.toml` lies what was measured of it.
const NO_SET: &str = ".calibration";

/// Names of all sets: those in the program, then those of the project's folder, sorted.
///
/// # Errors
/// When the folder is there and cannot be read.
pub fn set_names(project: &Project) -> Result<Vec<String>, Failure> {
    let folder = project.root.join(FOLDER);
    let mut own: Vec<String> = Vec::new();
    match std::fs::read_dir(&folder) {
        Ok(entries) => {
            for entry in entries.flatten() {
                let path = entry.path();
                let is_toml = path.extension().is_some_and(|end| end == "toml");
                let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
                own.extend(name.filter(|name| is_toml && !name.ends_with(NO_SET)));
            }
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => {
            let what = format!("the folder of sets cannot be read: {error}");
            return Err(Failure::failed(what).at(folder.display()));
        }
    }
    own.retain(|name| !EMBEDDED_NAMES.contains(&name.as_str()));
    own.sort();
    let built_in = EMBEDDED_NAMES.iter().map(|name| (*name).to_owned());
    Ok(built_in.chain(own).collect())
}
