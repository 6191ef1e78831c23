//! The build, from top to bottom.

mod arm;
mod bindings;
mod blas;
mod choices;
#[cfg(feature = "cuda")]
mod cuda;
#[cfg(feature = "cuda")]
mod cuda_architectures;
#[cfg(feature = "cuda")]
mod cuda_attention;
#[cfg(feature = "cuda")]
mod cuda_driver;
mod depfile;
mod devices;
mod engine;
mod facts;
mod fault;
mod files;
mod git;
mod instruction_set;
mod key;
mod link;
mod memo;
mod message;
#[cfg(feature = "metal")]
mod metal;
#[cfg(feature = "metal")]
mod metal_embed;
#[cfg(feature = "cuda")]
mod nvcc;
mod objects;
mod openmp;
mod order;
mod origin;
mod package;
mod pool;
mod prebuilt;
mod probe;
mod recipe;
mod roots;
#[cfg(feature = "rpc")]
mod rpc;
mod settings;
mod shim;
mod sources;
mod store;
mod toolchain;
mod tree;
mod units;
mod version_headers;

use fault::Fault;
use origin::Origin;
use settings::Settings;
use toolchain::Toolchain;

/// Builds or finds the engine, compiles the shim, and tells cargo and the library about it.
pub fn run() -> Result<(), Fault> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    let settings = Settings::read()?;
    bindings::regenerate_if_asked(&settings)?;
    let toolchain = Toolchain::find()?;
    let origin = Origin::find(&settings)?;
    let label = origin.label();
    // First, since it tells in seconds whether it fits a tree.
    let headers = match &origin {
        Origin::Pinned { tree, .. } | Origin::SourceTree { tree, .. } => objects::headers_of(tree),
        Origin::Libraries { libraries, .. } => prebuilt::headers_of(libraries),
    };
    let shim = shim::compile(&headers, &toolchain, &settings)?;
    let engine = match &origin {
        Origin::Pinned { tree, .. } | Origin::SourceTree { tree, .. } => {
            objects::compile_engine(tree, label, &toolchain, &settings)?
        }
        Origin::Libraries { libraries, .. } => {
            devices::refuse_prebuilt()?;
            prebuilt::engine(libraries, &toolchain)
        }
    };
    link::tell_cargo(&engine, &shim, &settings);
    facts::write(&origin, &engine, &shim, &toolchain, &settings)
}
