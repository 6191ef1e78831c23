//! `[audit]` of `runner.toml`.

use serde::Deserialize;

use crate::failure::Failure;
use crate::project::{MARKER, Project};

/// What a project asks of its audit.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Patterns, as in `.gitignore`, of files whose figures must have a source.
    pub documents: Vec<String>,
    /// Folders outside the project, relative to its root.
    pub outside: Vec<String>,
    /// Patterns, as in `.gitignore`, of what is left out.
    pub skip: Vec<String>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { documents: vec!["*.md".to_owned()], outside: Vec::new(), skip: Vec::new() }
    }
}

/// What stands in `runner.toml` beside it is not the audit's.
#[derive(Debug, Deserialize)]
struct Marker {
    #[serde(default)]
    audit: Settings,
}

/// Reads them; the default without a table.
///
/// # Errors
/// A usage failure when the file cannot be understood, or `[audit]` has an unknown key.
pub fn settings(project: &Project) -> Result<Settings, Failure> {
    let path = project.root.join(MARKER);
    let text = std::fs::read_to_string(&path)
        .map_err(|error| Failure::failed(format!("cannot be read: {error}")).at(path.display()))?;
    let marker: Marker = toml::from_str(&text).map_err(|error| {
        let line = error.span().map_or(0, |span| {
            text.get(..span.start).map_or(0, |before| before.matches('\n').count() + 1)
        });
        Failure::usage(error.message().to_owned())
            .at(format!("{MARKER}:{line}"))
            .hint("docs/audit.md has the keys of `[audit]`: documents, outside, skip")
    })?;
    Ok(marker.audit)
}
