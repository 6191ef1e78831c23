//! An engine that is ready to be linked.

use std::path::PathBuf;

use super::blas::FoundBlas;
use super::devices::Device;
use super::openmp::OpenMp;

/// Libraries, and what is known of how they were made.
pub struct Engine {
    /// In the order in which a linker wants them.
    pub libraries: Vec<Library>,
    /// BLAKE3 over the sources, or over the libraries.
    pub blake3: String,
    /// The version of ggml, where it is known.
    pub version: Option<String>,
    /// The flags of each component and language, where they are known.
    pub flags: Vec<(String, Vec<String>)>,
    /// The instruction set extensions that were compiled in, where they are known.
    pub features: Option<Vec<String>>,
    /// Who runs the threads.
    pub threading: Threading,
    /// The name of the objects in the cache, for compiled ones.
    pub objects: Option<String>,
    /// The library for matrix products, where one was asked for.
    pub blas: Option<FoundBlas>,
    /// Backends for devices that were compiled; their libraries are among the others.
    pub devices: Vec<Device>,
}

/// The headers of an engine, which the shim is compiled against.
pub struct Headers {
    /// The tree that they lie in; none for those of prebuilt libraries.
    pub tree: Option<PathBuf>,
    /// Their folders.
    pub folders: Vec<PathBuf>,
    /// BLAKE3 over them, or over a tree that contains them.
    pub blake3: String,
}

/// A library file.
#[derive(Debug, Clone)]
pub struct Library {
    /// Its name without prefix and suffix.
    pub name: String,
    /// Its folder.
    pub folder: PathBuf,
    /// How it is linked.
    pub kind: LibraryKind,
}

/// Static or shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LibraryKind {
    /// An archive.
    Static,
    /// A shared object.
    Shared,
}

/// Who runs an engine's threads.
pub enum Threading {
    /// OpenMP, with its run-time library.
    OpenMp(OpenMp),
    /// The engine itself.
    Own,
    /// A prebuilt shared library does not say, and brings what it needs.
    Unknown,
}
