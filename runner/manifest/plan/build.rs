//! A declared build of the engine: what it is compiled from, and how.

use engine_protocol::Toggle;
use serde::{Deserialize, Serialize};

use crate::manifest::names::BuildName;

/// A build with the name that manifests and catalogues know it by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Build {
    /// Its name.
    pub name: BuildName,
    /// What it is made of. Two builds are the same when this is.
    pub spec: BuildSpec,
}

/// What a build is made of. What is absent is as in upstream's own Release build for this machine.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BuildSpec {
    /// Where the engine comes from.
    #[serde(default, skip_serializing_if = "is_default")]
    pub source: BuildSource,
    /// What computes.
    #[serde(default, skip_serializing_if = "is_default")]
    pub backend: BuildBackend,
    /// The compiler's name of an instruction set (`-march`); `None`: this machine's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instruction_set: Option<String>,
    /// Whether llamafile's matrix kernels are compiled in; `None`: they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub llamafile_kernels: Option<Toggle>,
    /// Whether weights can be laid out anew for the processor's kernels; `None`: they can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight_repack: Option<Toggle>,
    /// Who runs the threads; `None`: OpenMP where it is found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threading: Option<BuildThreading>,
    /// A BLAS library for products of large matrices; `None`: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blas: Option<BlasLibrary>,
    /// C compiler; `None`: the one that is found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub c_compiler: Option<String>,
    /// C++ compiler; `None`: the one that is found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cxx_compiler: Option<String>,
    /// Further flags of the compilers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// The same objects laid out in another order, by this seed; `None`: upstream's order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link_order_seed: Option<u64>,
    /// The GPU architectures that CUDA's kernels are compiled for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cuda_architectures: Vec<String>,
}

/// Where a build's engine comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum BuildSource {
    /// The package that this program pins.
    #[default]
    Pinned,
    /// Another version of that package.
    Package {
        /// Its exact version.
        version: String,
        /// BLAKE3 over its sorted files, hexadecimal.
        blake3: String,
    },
    /// A commit of a git repository of llama.cpp.
    Revision {
        /// The repository's folder, relative to the project's root or absolute.
        checkout: String,
        /// Whatever git resolves to a commit; registration freezes the commit and the sources.
        revision: String,
    },
    /// A checkout of llama.cpp as it stands, changes included.
    WorkingTree {
        /// Its folder, relative to the project's root or absolute.
        checkout: String,
    },
    /// Libraries that were built elsewhere.
    Libraries {
        /// The folder below which they lie, relative to the project's root or absolute.
        folder: String,
        /// Folders of the headers that they were compiled with.
        headers: Vec<String>,
    },
}

/// What computes.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum BuildBackend {
    /// The processor.
    #[default]
    Cpu,
    /// NVIDIA's devices, beside the processor.
    Cuda,
    /// Apple's devices, beside the processor.
    Metal,
    /// Servers of other machines, beside the processor.
    Rpc,
}

/// Who runs a build's threads.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum BuildThreading {
    /// OpenMP.
    Openmp,
    /// The engine itself.
    Own,
}

/// A BLAS library.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum BlasLibrary {
    /// OpenBLAS.
    Openblas,
}

impl BuildSpec {
    /// The same objects, whatever the order in which they are linked.
    #[must_use]
    pub fn without_link_order(&self) -> BuildSpec {
        BuildSpec { link_order_seed: None, ..self.clone() }
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
