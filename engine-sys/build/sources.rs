//! Which files make up each library of a llama.cpp tree.
//!
//! The files of a folder that the tree's own `CMakeLists.txt` names, in the order in which it
//! names them: so another version of the tree brings its own list, and files that belong to
//! something else (feature detection for loadable backends) stay out.

use std::path::{Path, PathBuf};

use super::fault::Fault;
use super::files;
use super::message::UNSUPPORTED;

const EXTENSIONS: [&str; 2] = ["c", "cpp"];

/// Files in `ggml/src` that belong to the library `ggml`, not to `ggml-base`.
const REGISTRY: [&str; 2] = ["ggml-backend-dl.cpp", "ggml-backend-reg.cpp"];

/// What CMake takes where `UNITY_BUILD_BATCH_SIZE` is not set.
const CMAKE_BATCH: usize = 8;

/// The sources of `ggml-base`.
pub fn ggml_base(root: &Path) -> Result<Vec<PathBuf>, Fault> {
    let folder = root.join("ggml/src");
    let named = named(&folder.join("CMakeLists.txt"))?;
    let mut listed = listed(&folder, "", &named);
    listed.retain(|path| !is_registry(path));
    some(listed, "ggml-base", &folder)
}

/// The sources of `ggml`: the registry of backends.
pub fn ggml(root: &Path) -> Result<Vec<PathBuf>, Fault> {
    let folder = root.join("ggml/src");
    let named = named(&folder.join("CMakeLists.txt"))?;
    let mut listed = listed(&folder, "", &named);
    listed.retain(|path| is_registry(path));
    some(listed, "ggml", &folder)
}

/// The sources of `ggml-cpu`, with the kernels of one architecture.
pub fn ggml_cpu(root: &Path, kernels: Option<&str>) -> Result<Vec<PathBuf>, Fault> {
    let folder = root.join("ggml/src/ggml-cpu");
    let named = named(&folder.join("CMakeLists.txt"))?;
    let mut found = Vec::new();
    for part in ["", "amx", "tiled", "llamafile"] {
        found.extend(places(&folder.join(part), &prefix("ggml-cpu", part), &named));
    }
    if let Some(kernels) = kernels {
        let part = format!("arch/{kernels}");
        found.extend(places(&folder.join(&part), &prefix("ggml-cpu", &part), &named));
    }
    let found = in_order(found);
    some(found, "ggml-cpu", &folder)
}

/// The sources of `ggml-blas`.
pub fn ggml_blas(root: &Path) -> Result<Vec<PathBuf>, Fault> {
    let folder = root.join("ggml/src/ggml-blas");
    let named = named(&folder.join("CMakeLists.txt"))?;
    some(listed(&folder, "", &named), "ggml-blas", &folder)
}

/// The sources of `llama`, without the models where those are compiled in batches.
pub fn llama(root: &Path) -> Result<Vec<PathBuf>, Fault> {
    let folder = root.join("src");
    let named = named(&folder.join("CMakeLists.txt"))?;
    let mut all = listed(&folder, "", &named);
    if batch_size(&named).is_none() {
        all.extend(models(root));
    }
    some(all, "llama", &folder)
}

/// The files of `src/models` in batches that are compiled as one file each, as upstream does:
/// the same batches, so that no two files meet that do not meet there. None in trees that compile
/// each by itself.
pub fn model_batches(root: &Path) -> Result<Vec<Vec<PathBuf>>, Fault> {
    let named = named(&root.join("src/CMakeLists.txt"))?;
    let Some(size) = batch_size(&named) else { return Ok(Vec::new()) };
    Ok(models(root).chunks(size).map(<[PathBuf]>::to_vec).collect())
}

fn models(root: &Path) -> Vec<PathBuf> {
    files::in_folder(&root.join("src/models"), &EXTENSIONS)
}

/// How many files CMake would put into a batch; none where it is not told to make any.
fn batch_size(named: &[String]) -> Option<usize> {
    let after = |name: &str| {
        let place = named.iter().position(|word| word == name)?;
        named.get(place.saturating_add(1)).map(String::as_str)
    };
    if after("UNITY_BUILD")? != "ON" {
        return None;
    }
    let size = after("UNITY_BUILD_BATCH_SIZE").and_then(|size| size.parse().ok());
    Some(size.filter(|size| *size > 0).unwrap_or(CMAKE_BATCH))
}

/// The files of a backend's folder that its `CMakeLists.txt` names.
#[cfg(any(feature = "metal", feature = "rpc"))]
pub fn named_in(folder: &Path, extensions: &[&str], library: &str) -> Result<Vec<PathBuf>, Fault> {
    let named = named(&folder.join("CMakeLists.txt"))?;
    some(in_order(places_of(folder, extensions, "", &named)), library, folder)
}

/// The same of a folder below it.
#[cfg(feature = "metal")]
pub fn named_below(
    folder: &Path,
    part: &str,
    extensions: &[&str],
    library: &str,
) -> Result<Vec<PathBuf>, Fault> {
    let named = named(&folder.join("CMakeLists.txt"))?;
    let below = folder.join(part);
    some(in_order(places_of(&below, extensions, &format!("{part}/"), &named)), library, &below)
}

fn is_registry(path: &Path) -> bool {
    path.file_name().is_some_and(|name| REGISTRY.iter().any(|registry| name == *registry))
}

fn prefix(above: &str, part: &str) -> String {
    if part.is_empty() { format!("{above}/") } else { format!("{above}/{part}/") }
}

/// The words of a CMake file.
fn named(cmake: &Path) -> Result<Vec<String>, Fault> {
    println!("cargo::rerun-if-changed={}", cmake.display());
    let text = files::read_text(cmake)?;
    let words = text.lines().filter(|line| !line.trim_start().starts_with('#')).flat_map(|line| {
        line.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"')).map(str::to_owned)
    });
    Ok(words.filter(|word| !word.is_empty()).collect())
}

fn listed(folder: &Path, prefix: &str, named: &[String]) -> Vec<PathBuf> {
    in_order(places(folder, prefix, named))
}

/// The files of a folder that are named, each with its place among the words.
fn places(folder: &Path, prefix: &str, named: &[String]) -> Vec<(usize, PathBuf)> {
    places_of(folder, &EXTENSIONS, prefix, named)
}

fn places_of(
    folder: &Path,
    extensions: &[&str],
    prefix: &str,
    named: &[String],
) -> Vec<(usize, PathBuf)> {
    let place = |path: PathBuf| {
        let name = format!("{prefix}{}", path.file_name()?.to_string_lossy());
        named.iter().position(|word| *word == name).map(|place| (place, path))
    };
    files::in_folder(folder, extensions).into_iter().filter_map(place).collect()
}

fn in_order(mut found: Vec<(usize, PathBuf)>) -> Vec<PathBuf> {
    found.sort();
    found.into_iter().map(|(_, path)| path).collect()
}

fn some(listed: Vec<PathBuf>, library: &str, folder: &Path) -> Result<Vec<PathBuf>, Fault> {
    if listed.is_empty() {
        return Err(Fault::new(format!(
            "{UNSUPPORTED}no source of {library} found in {}",
            folder.display()
        ))
        .hint("this tree is laid out in a way that engine-sys does not know"));
    }
    Ok(listed)
}
