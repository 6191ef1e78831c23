//! Overviews are generated files: of all that is written, they alone are written over.

use std::path::Path;

use super::store;
use crate::failure::Failure;

/// Writes `results/INDEX.md` or another overview, whole or not at all.
///
/// # Errors
/// When it cannot be written.
pub fn write_overview(path: &Path, text: &str) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        store::make_folder(folder)?;
    }
    store::write_whole(path, text.as_bytes())
}
