//! The bytes that a set's hash is taken of.

use super::set::{Item, SetHash};

/// BLAKE3 of `workload 1` and a line feed, then of id and text of each item in order, each written
/// as its length in bytes (decimal), a colon, the bytes and a comma. The set's name, licence and
/// classes do not enter: a renamed copy is the same set.
pub(super) fn hash(items: &[Item]) -> SetHash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"workload 1\n");
    for part in items.iter().flat_map(|item| [&item.id, &item.text]) {
        hasher.update(format!("{}:", part.len()).as_bytes());
        hasher.update(part.as_bytes());
        hasher.update(b",");
    }
    SetHash(hasher.finalize().to_hex().to_string())
}
