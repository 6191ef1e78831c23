//! Libraries that somebody else built.

use std::fs;
use std::path::{Path, PathBuf};

use super::engine::{Engine, Headers, Library, LibraryKind, Threading};
use super::fault::Fault;
use super::files;
use super::openmp;
use super::settings::PrebuiltPaths;
use super::toolchain::Toolchain;
use super::tree;

/// What is linked where it is found, in link order. Others (`ggml-cuda`, …) need libraries of
/// their own, which only a shared `ggml` brings.
const WANTED: [&str; 4] = ["llama", "ggml", "ggml-cpu", "ggml-base"];

/// Without these there is no engine.
const REQUIRED: [&str; 2] = ["llama", "ggml"];

/// How far below `ENGINE_LIB_DIR` libraries are looked for: CMake's build folder has them in
/// `ggml/src/ggml-<backend>`.
const DEPTH: usize = 4;

/// Found libraries and the headers for them.
pub struct Libraries {
    found: Vec<(Library, PathBuf)>,
    includes: Vec<PathBuf>,
    blake3: String,
    headers: String,
}

impl Libraries {
    /// Looks below the folder, shallow places first, and prefers an archive to a shared library.
    pub fn find(paths: &PrebuiltPaths) -> Result<Self, Fault> {
        let candidates = candidates(&paths.libraries)?;
        let found: Vec<_> = WANTED.iter().filter_map(|name| choose(name, &candidates)).collect();
        for name in REQUIRED {
            if !found.iter().any(|(library, _)| library.name == name) {
                return Err(Fault::new(format!(
                    "no lib{name}.a, .so or .dylib below ENGINE_LIB_DIR {}",
                    paths.libraries.display()
                ))
                .hint("set it to an install prefix's lib folder, or to a CMake build folder"));
            }
        }
        for header in ["llama.h", "ggml.h"] {
            if !paths.includes.iter().any(|folder| folder.join(header).is_file()) {
                return Err(Fault::new(format!("no {header} in any folder of ENGINE_INCLUDE_DIR"))
                    .hint(
                        "name all folders, separated by `:` (a llama.cpp tree has two: \
                           include and ggml/include)",
                    ));
            }
        }
        let listed: Vec<_> =
            found.iter().map(|(library, path)| (library.name.clone(), path.clone())).collect();
        for (_, path) in &listed {
            println!("cargo::rerun-if-changed={}", path.display());
        }
        Ok(Self {
            blake3: tree::hash(&listed)?,
            headers: headers(&paths.includes)?,
            includes: paths.includes.clone(),
            found,
        })
    }
}

/// The headers of prebuilt libraries.
pub fn headers_of(libraries: &Libraries) -> Headers {
    Headers { tree: None, folders: libraries.includes.clone(), blake3: libraries.headers.clone() }
}

/// The engine of prebuilt libraries: nothing is known of their flags.
pub fn engine(libraries: &Libraries, toolchain: &Toolchain) -> Engine {
    Engine {
        threading: threading(&libraries.found, toolchain),
        libraries: libraries.found.iter().map(|(library, _)| library.clone()).collect(),
        blake3: libraries.blake3.clone(),
        version: None,
        flags: Vec::new(),
        features: None,
        objects: None,
        blas: None,
        devices: Vec::new(),
    }
}

fn candidates(root: &Path) -> Result<Vec<PathBuf>, Fault> {
    if !root.is_dir() {
        return Err(Fault::new(format!("ENGINE_LIB_DIR {} is not a folder", root.display())));
    }
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    for _ in 0..=DEPTH {
        let mut next = Vec::new();
        for folder in folders {
            found.extend(files::in_folder(&folder, &["a", "so", "dylib"]));
            let entries =
                fs::read_dir(&folder).map_err(|error| Fault::file("list", &folder, error))?;
            next.extend(entries.filter_map(Result::ok).map(|e| e.path()).filter(|p| p.is_dir()));
        }
        next.sort();
        folders = next;
    }
    Ok(found)
}

fn choose(name: &str, candidates: &[PathBuf]) -> Option<(Library, PathBuf)> {
    [("a", LibraryKind::Static), ("so", LibraryKind::Shared), ("dylib", LibraryKind::Shared)]
        .into_iter()
        .find_map(|(suffix, kind)| {
            let file = format!("lib{name}.{suffix}");
            let path =
                candidates.iter().find(|path| path.file_name().is_some_and(|f| *f == *file))?;
            let folder = path.parent()?.to_owned();
            Some((Library { name: name.to_owned(), folder, kind }, path.clone()))
        })
}

fn headers(includes: &[PathBuf]) -> Result<String, Fault> {
    let mut listed = Vec::new();
    for (index, folder) in includes.iter().enumerate() {
        for path in files::in_folder(folder, &["h", "hpp"]) {
            println!("cargo::rerun-if-changed={}", path.display());
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            listed.push((format!("{index}/{name}"), path));
        }
    }
    tree::hash(&listed)
}

/// What archives refer to: GNU's run-time library, or LLVM's.
fn threading(found: &[(Library, PathBuf)], toolchain: &Toolchain) -> Threading {
    let archives: Vec<_> =
        found.iter().filter(|(library, _)| library.kind == LibraryKind::Static).collect();
    if archives.len() < found.len() {
        return Threading::Unknown;
    }
    for (symbol, library) in [("GOMP_parallel", "gomp"), ("__kmpc_fork_call", "omp")] {
        let mentions = |path: &PathBuf| {
            fs::read(path).is_ok_and(|content| contains(&content, symbol.as_bytes()))
        };
        if archives.iter().any(|(_, path)| mentions(path)) {
            return Threading::OpenMp(openmp::library(library, toolchain));
        }
    }
    Threading::Own
}

fn contains(content: &[u8], wanted: &[u8]) -> bool {
    content.windows(wanted.len()).any(|window| window == wanted)
}
