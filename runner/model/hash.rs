//! SHA-256 of model files, and a memory of what was hashed before.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::failure::Failure;
use crate::project::Project;

/// A SHA-256, as 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Sha256Hex(String);

impl Sha256Hex {
    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The hash of bytes in memory.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Sha256Hex {
        Sha256Hex::from_digest(&Sha256::digest(bytes))
    }

    pub(super) fn from_digest(digest: &[u8]) -> Sha256Hex {
        Sha256Hex(digest.iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

impl TryFrom<String> for Sha256Hex {
    type Error = String;

    fn try_from(text: String) -> Result<Sha256Hex, String> {
        if text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Ok(Sha256Hex(text.to_ascii_lowercase()));
        }
        Err(format!("a SHA-256 is 64 hexadecimal digits, not {text:?}"))
    }
}

impl From<Sha256Hex> for String {
    fn from(hash: Sha256Hex) -> String {
        hash.0
    }
}

impl fmt::Display for Sha256Hex {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// How sure the hash of a file must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verification {
    /// Read every byte: once a run.
    Full,
    /// A file whose length, time of change and inode are those of the last full reading is taken
    /// for the same.
    Remembered,
}

/// A hash together with what tells a changed file from an unchanged one without reading it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Remembered {
    bytes: u64,
    /// Times, and where there are any device and inode.
    identity: String,
    sha256: Sha256Hex,
}

impl Remembered {
    fn of(path: &Path, sha256: Sha256Hex) -> std::io::Result<Remembered> {
        let metadata = std::fs::metadata(path)?;
        Ok(Remembered { bytes: metadata.len(), identity: identity(&metadata)?, sha256 })
    }
}

/// The time of change (not of modification alone, which can be set back) and the inode.
#[cfg(unix)]
fn identity(metadata: &std::fs::Metadata) -> std::io::Result<String> {
    use std::os::unix::fs::MetadataExt;
    Ok(format!(
        "modified {}.{:09} changed {}.{:09} device {} inode {}",
        metadata.mtime(),
        metadata.mtime_nsec(),
        metadata.ctime(),
        metadata.ctime_nsec(),
        metadata.dev(),
        metadata.ino(),
    ))
}

#[cfg(not(unix))]
fn identity(metadata: &std::fs::Metadata) -> std::io::Result<String> {
    let since = metadata.modified()?.duration_since(std::time::UNIX_EPOCH);
    let since = since.map_err(std::io::Error::other)?;
    Ok(format!("modified {}.{:09}", since.as_secs(), since.subsec_nanos()))
}

/// The SHA-256 of a file, read in full or remembered.
pub(super) fn file_hash(
    path: &Path,
    verification: Verification,
    project: &Project,
) -> Result<Sha256Hex, Failure> {
    let broken = |error: std::io::Error| {
        Failure::failed(format!("cannot be read: {error}")).at(path.display())
    };
    let full = path.canonicalize().map_err(broken)?;
    let name = blake3::hash(full.as_os_str().as_encoded_bytes()).to_hex();
    let note = project.cache.join("models/hashed").join(format!("{name}.json"));

    if verification == Verification::Remembered
        && let Ok(text) = std::fs::read_to_string(&note)
        && let Ok(remembered) = serde_json::from_str::<Remembered>(&text)
        && Remembered::of(&full, remembered.sha256.clone()).is_ok_and(|now| now == remembered)
    {
        return Ok(remembered.sha256);
    }
    let before = Remembered::of(&full, Sha256Hex::of(b"")).map_err(broken)?;
    let sha256 = read_hash(&full).map_err(broken)?;
    let after = Remembered::of(&full, before.sha256.clone()).map_err(broken)?;
    if before != after {
        return Err(Failure::failed("changed while it was being read").at(path.display()));
    }
    // The memory is a convenience: where it cannot be kept, the file is read again next time.
    let remembered = Remembered { sha256: sha256.clone(), ..after };
    if let Ok(text) = serde_json::to_string(&remembered)
        && let Some(folder) = note.parent()
        && std::fs::create_dir_all(folder).is_ok()
    {
        let written = tempfile::NamedTempFile::new_in(folder).and_then(|mut file| {
            std::io::Write::write_all(&mut file, text.as_bytes())?;
            file.persist(&note).map_err(std::io::Error::from)
        });
        drop(written);
    }
    Ok(sha256)
}

fn read_hash(path: &Path) -> std::io::Result<Sha256Hex> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        let count = file.read(&mut buffer)?;
        if count == 0 {
            return Ok(Sha256Hex::from_digest(&hasher.finalize()));
        }
        hasher.update(&buffer[..count]);
    }
}
