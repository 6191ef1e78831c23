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
