//! Backends for devices beside the processor, chosen by cargo features.

use std::path::{Path, PathBuf};

use super::engine::Library;
use super::fault::Fault;
#[cfg(any(feature = "cuda", feature = "metal", feature = "rpc"))]
use super::files;
use super::settings::Settings;
use super::toolchain::Toolchain;
#[cfg(any(feature = "cuda", feature = "metal", feature = "rpc"))]
use super::tree;

/// A compiled backend.
pub struct Device {
    /// Its libraries and those that it needs, in link order.
    pub libraries: Vec<Library>,
    /// Libraries that the linker finds itself.
    pub system_libraries: Vec<String>,
    /// Folders in which a binary looks for shared libraries when it starts.
    pub run_time_folders: Vec<PathBuf>,
    /// Its flags by component and language.
    pub flags: Vec<(String, Vec<String>)>,
    /// The version of the compiler of its kernels, where that is one of its own.
    pub compiler: Option<String>,
}

/// Folders of their sources below `ggml/src`: what belongs to the tree that is hashed.
pub const FOLDERS: &[&str] = &[
    #[cfg(feature = "cuda")]
    "ggml-cuda",
    #[cfg(feature = "metal")]
    "ggml-metal",
    #[cfg(feature = "rpc")]
    "ggml-rpc",
];

/// Definitions for what asks which backends there are.
pub const DEFINITIONS: &[&str] = &[
    #[cfg(feature = "cuda")]
    "-DGGML_USE_CUDA",
    #[cfg(feature = "metal")]
    "-DGGML_USE_METAL",
];

/// The same for the registry alone: upstream defines them for llama too, but no file there asks,
/// and so its objects are the same with and without these backends.
pub const REGISTRY_DEFINITIONS: &[&str] = &[
    #[cfg(feature = "rpc")]
    "-DGGML_USE_RPC",
];

/// Compiles the backends that were chosen.
pub fn compile(
    root: &Path,
    toolchain: &Toolchain,
    settings: &Settings,
) -> Result<Vec<Device>, Fault> {
    let _ = (root, toolchain, settings);
    Ok(vec![
        #[cfg(feature = "cuda")]
        super::cuda::compile(root, toolchain, settings)?,
        #[cfg(feature = "metal")]
        super::metal::compile(root, toolchain, settings)?,
        #[cfg(feature = "rpc")]
        super::rpc::compile(root, toolchain, settings)?,
    ])
}

/// Whether only some files of a backend are tried: then the rest of the engine is left out.
pub fn only_tried() -> bool {
    #[cfg(feature = "cuda")]
    return !super::cuda::trial().is_empty();
    #[cfg(not(feature = "cuda"))]
    false
}

/// The hash of what a backend is compiled from: its folder, and the headers of ggml.
#[cfg(any(feature = "cuda", feature = "metal", feature = "rpc"))]
pub fn sources_hash(root: &Path, backend: &str) -> Result<String, Fault> {
    let mut listed = files::below(&root.join("ggml/src").join(backend))?;
    for folder in ["ggml/src", "ggml/include"] {
        for path in files::in_folder(&root.join(folder), &["h"]) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            listed.push((format!("{folder}/{name}"), path));
        }
    }
    tree::hash(&listed)
}

/// Prebuilt libraries bring no backend for a device: what was asked for would not be there.
pub fn refuse_prebuilt() -> Result<(), Fault> {
    let Some(folder) = FOLDERS.first() else { return Ok(()) };
    Err(Fault::new(format!(
        "ENGINE_LIB_DIR is set, and a feature asks for {folder}, which is compiled from sources"
    ))
    .hint("leave the feature out, or unset ENGINE_LIB_DIR"))
}

/// The engine's libraries with those of the devices after `ggml`, which calls them, and before
/// `ggml-base`, which they call.
pub fn linked(mut libraries: Vec<Library>, devices: &[Device]) -> Vec<Library> {
    let place = libraries.iter().position(|library| library.name == "ggml-cpu");
    let place = place.unwrap_or(libraries.len());
    let more: Vec<Library> = devices.iter().flat_map(|d| d.libraries.iter().cloned()).collect();
    libraries.splice(place..place, more);
    libraries
}

/// The engine's flags, and those of the devices.
pub fn with_flags(
    mut flags: Vec<(String, Vec<String>)>,
    devices: &[Device],
) -> Vec<(String, Vec<String>)> {
    flags.extend(devices.iter().flat_map(|device| device.flags.iter().cloned()));
    flags
}

/// Prints what the devices' libraries need. Cargo hands arguments for the linker to this package's
/// own tests only, so the folders go to the build script of `engine` as well.
pub fn tell_cargo(devices: &[Device]) {
    for library in devices.iter().flat_map(|device| &device.system_libraries) {
        println!("cargo::rustc-link-lib={library}");
    }
    let folders: Vec<_> = devices.iter().flat_map(|device| &device.run_time_folders).collect();
    for folder in &folders {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{}", folder.display());
    }
    if let Ok(joined) = std::env::join_paths(folders) {
        println!("cargo::metadata=run_time_folders={}", joined.display());
    }
}
