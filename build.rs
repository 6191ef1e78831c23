//! Stamps what the binary was built from: a content hash of the sources, and how they were
//! compiled. Commit and dirty state are asked of git at run time, since a commit alone does not
//! change a file and so would not run this again.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Folders and files whose content makes the program.
const SOURCES: &[&str] = &[
    "runner",
    "engine",
    "engine-sys",
    "vendor",
    "experiments",
    "askama.toml",
    "build.rs",
    "Cargo.toml",
    "Cargo.lock",
];

fn main() {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut hasher = blake3::Hasher::new();
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
        let mut files = Vec::new();
        collect(&root.join(source), &mut files);
        files.sort();
        for file in files {
            let name =
                file.strip_prefix(&root).unwrap_or(&file).to_string_lossy().replace('\\', "/");
            hasher.update(name.as_bytes());
            hasher.update(&[0]);
            if let Ok(content) = std::fs::read(&file) {
                hasher.update(blake3::hash(&content).as_bytes());
            }
        }
    }
    embed_worker_sources(&root);
    let features: Vec<String> = std::env::vars()
        .filter_map(|(name, _)| name.strip_prefix("CARGO_FEATURE_").map(str::to_lowercase))
        .filter(|feature| feature != "default")
        .collect();
    stamp("RUNNER_SOURCE_BLAKE3", hasher.finalize().to_hex().as_str());
    stamp("RUNNER_TARGET", &variable("TARGET"));
    stamp(
        "RUNNER_PROFILE",
        &format!("{} opt-level {}", variable("PROFILE"), variable("OPT_LEVEL")),
    );
    stamp("RUNNER_FEATURES", &features.join(","));
    stamp("RUNNER_RUSTC", &rustc_version());
}

/// What the worker is built from, as part of the program: so it can build others of it anywhere.
const WORKER_SOURCES: &[&str] = &["engine", "engine-sys", "vendor", "Cargo.toml", "Cargo.lock"];

/// Writes `worker_sources.rs`: the files by name, and a hash over all of them.
fn embed_worker_sources(root: &Path) {
    let mut files = Vec::new();
    for source in WORKER_SOURCES {
        collect(&root.join(source), &mut files);
    }
    files.sort();
    let mut text = String::from("pub(super) const FILES: &[(&str, &[u8])] = &[\n");
    let mut hasher = blake3::Hasher::new();
    for file in files {
        let name = file.strip_prefix(root).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        let content = std::fs::read(&file).unwrap_or_default();
        hasher.update(name.as_bytes());
        hasher.update(blake3::hash(&content).as_bytes());
        text.push_str(&format!("    ({name:?}, include_bytes!({:?})),\n", file.display()));
    }
    text.push_str("];\n");
    text.push_str(&format!(
        "pub(super) const FILES_BLAKE3: &str = {:?};\n",
        hasher.finalize().to_hex().as_str()
    ));
    let out = PathBuf::from(variable("OUT_DIR")).join("worker_sources.rs");
    if let Err(error) = std::fs::write(&out, text) {
        println!("cargo::error=cannot write {}: {error}", out.display());
    }
}

fn stamp(name: &str, value: &str) {
    println!("cargo::rustc-env={name}={value}");
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| "unknown".to_owned())
}

fn rustc_version() -> String {
    Command::new(variable("RUSTC"))
        .arg("--version")
        .output()
        .ok()
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .map_or_else(|| "unknown".to_owned(), |text| text.trim().to_owned())
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_file() {
        files.push(path.to_path_buf());
    } else if let Ok(entries) = std::fs::read_dir(path) {
        for entry in entries.flatten() {
            let name = entry.file_name();
            if name != "target" && !name.to_string_lossy().starts_with('.') {
                collect(&entry.path(), files);
            }
        }
    }
}
