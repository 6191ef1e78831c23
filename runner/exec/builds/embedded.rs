//! The sources of the worker, as they were when this program was built.

use std::path::{Path, PathBuf};

use super::place::Place;
use crate::failure::Failure;

mod files {
    include!(concat!(env!("OUT_DIR"), "/worker_sources.rs"));
}

/// BLAKE3 over names and contents of the worker's sources, hexadecimal.
pub(super) const BLAKE3: &str = files::FILES_BLAKE3;

/// The members of the workspace that the worker needs; the others are left out.
const MEMBERS: &str = "members = [\"engine\", \"engine/protocol\", \"engine-sys\"]";

/// How the native engine in `runner` itself is compiled: see `[profile.release]` there.
const PROFILE: &str = "\n[profile.release]\nopt-level = 2\ndebug = false\nincremental = false\n";

/// The folder of the unpacked sources: written once, whole or not at all.
pub(super) fn unpack(place: &Place) -> Result<PathBuf, Failure> {
    let folder = place.sources(BLAKE3);
    if folder.is_dir() {
        return Ok(folder);
    }
    let partial = folder.with_extension("partial");
    let written = (|| -> std::io::Result<()> {
        if partial.exists() {
            std::fs::remove_dir_all(&partial)?;
        }
        for (name, content) in files::FILES {
            let path = partial.join(name);
            std::fs::create_dir_all(path.parent().unwrap_or(Path::new("")))?;
            std::fs::write(path, content)?;
        }
        let manifest = partial.join("Cargo.toml");
        let whole = std::fs::read_to_string(&manifest)?;
        std::fs::write(&manifest, workspace_of(&whole))?;
        std::fs::rename(&partial, &folder)
    })();
    written.map_err(|error| {
        Failure::failed(format!("the sources of the worker cannot be written: {error}"))
            .at(folder.display())
            .hint("make room, or name another folder in RUNNER_CACHE_DIR")
    })?;
    Ok(folder)
}

/// The workspace's part of this project's `Cargo.toml`, with the worker's members alone.
fn workspace_of(manifest: &str) -> String {
    let workspace = manifest.split("\n[package]").next().unwrap_or_default();
    let (before, rest) = workspace.split_once("members = [").unwrap_or((workspace, "]"));
    let after = rest.split_once(']').map_or("", |(_, after)| after);
    format!("{before}{MEMBERS}{after}\n{PROFILE}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workers_workspace_has_its_members_and_no_package() {
        let root = files::FILES.iter().find(|(name, _)| *name == "Cargo.toml").unwrap().1;
        let text = workspace_of(std::str::from_utf8(root).unwrap());
        let parsed: toml::Table = toml::from_str(&text).unwrap();
        assert_eq!(parsed["workspace"]["members"].as_array().unwrap().len(), 3);
        assert!(parsed["workspace"]["dependencies"].get("engine-sys").is_some());
        assert!(!parsed.contains_key("package"));
        for needed in ["engine/src/main.rs", "engine-sys/shim.cpp", "vendor/Cargo.toml"] {
            assert!(files::FILES.iter().any(|(name, _)| *name == needed), "{needed}");
        }
    }
}
