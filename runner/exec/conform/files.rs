//! Files that a worker wrote, held against what it says of them.

use std::path::Path;

use crate::exec::executable::hash_file;

/// The file has this BLAKE3, and holds so many finite values.
pub(super) fn holds(path: &Path, blake3: &str, values: Option<u64>) -> Result<u64, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("the file cannot be read: {error}"))?;
    let (pieces, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        return Err(format!("the file has {} bytes, which are no whole f32", bytes.len()));
    }
    let found = pieces.len() as u64;
    if let Some(values) = values
        && values != found
    {
        return Err(format!("the file holds {found} values, {values} are due"));
    }
    if pieces.iter().any(|piece| !f32::from_le_bytes(*piece).is_finite()) {
        return Err("the file holds values that are no finite numbers".to_owned());
    }
    let hash = hash_file(path).map_err(|error| format!("the file cannot be read: {error}"))?;
    if hash != blake3 {
        return Err(format!("the file's BLAKE3 is {hash}, it reports {blake3}"));
    }
    Ok(found)
}
