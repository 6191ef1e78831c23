//! Where a project's files lie: found upwards from the working directory.

use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Name of the file that marks a project's root.
pub const MARKER: &str = "runner.toml";

/// Folder of a project's own results.
const RESULTS: &str = "results";

/// A project's folders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// Holds `runner.toml`; relative paths in manifests start here.
    pub root: PathBuf,
    /// `results/`, or what `--results` names.
    pub results: PathBuf,
    /// Models and copies of executables, outside the project.
    pub cache: PathBuf,
}

impl Project {
    /// Finds the project that holds `start`.
    ///
    /// # Errors
    /// A usage failure when no parent folder has a `runner.toml`, or no cache folder is known.
    pub fn find(start: &Path, results: Option<&Path>) -> Result<Project, Failure> {
        let root = start
            .ancestors()
            .find(|folder| folder.join(MARKER).is_file())
            .ok_or_else(|| {
                Failure::usage(format!("no `{MARKER}` here or in any folder above"))
                    .at(start.display())
                    .hint("run `runner init` at the root of your repository")
            })?
            .to_path_buf();
        Ok(Project {
            results: results.map_or_else(|| root.join(RESULTS), Path::to_path_buf),
            cache: cache_folder()?,
            root,
        })
    }

    /// The same project with the folder of results that is committed with it, whatever
    /// `--results` names.
    #[must_use]
    pub fn with_own_results(&self) -> Project {
        Project { results: self.root.join(RESULTS), ..self.clone() }
    }

    /// A path as a manifest writes it: absolute, or relative to the root.
    #[must_use]
    pub fn resolve(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }
}

/// `RUNNER_CACHE_DIR`, else `XDG_CACHE_HOME/runner`, else `~/.cache/runner`
/// (`~/Library/Caches/runner` on macOS).
///
/// # Errors
/// A usage failure when none of them is known.
pub fn cache_folder() -> Result<PathBuf, Failure> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    if let Some(folder) = variable("RUNNER_CACHE_DIR") {
        return Ok(PathBuf::from(folder));
    }
    if let Some(folder) = variable("XDG_CACHE_HOME") {
        return Ok(Path::new(&folder).join("runner"));
    }
    let home = variable("HOME").ok_or_else(|| {
        Failure::usage("no cache folder is known")
            .hint("set RUNNER_CACHE_DIR to a folder that may hold models")
    })?;
    let below = if cfg!(target_os = "macos") { "Library/Caches/runner" } else { ".cache/runner" };
    Ok(Path::new(&home).join(below))
}
