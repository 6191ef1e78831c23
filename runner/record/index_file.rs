//! Writes the overview.

use super::store;
use super::verify::INDEX_FILE;
use crate::failure::Failure;
use crate::project::Project;

/// Writes results/INDEX.md, whole or not at all.
///
/// # Errors
/// When it cannot be written.
pub fn write_index(project: &Project, text: &str) -> Result<(), Failure> {
    store::make_folder(&project.results)?;
    store::write_whole(&project.results.join(INDEX_FILE), text.as_bytes())
}
