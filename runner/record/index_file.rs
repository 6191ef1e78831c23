//! Files that are made from records, such as overviews: of all that is written, they alone are written
//! over.

use std::path::Path;

use super::store;
use crate::failure::Failure;

/// Writes a file, whole or not at all, in a folder that is there.
///
/// # Errors
/// When it cannot be written.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    store::write_whole(path, bytes)
}
