//! The RPC backend: ggml-rpc over TCP, which is a client of servers on other machines and a server
//! itself.
//!
//! Reviewed against `ggml/src/ggml-rpc/CMakeLists.txt` of the pinned package. Upstream adds RDMA
//! where it finds a library for it; here it is left out, so that two builds of the same sources
//! speak alike whatever is installed.

use std::path::{Path, PathBuf};

use super::devices::{self, Device};
use super::engine::{Library, LibraryKind};
use super::fault::Fault;
use super::files;
use super::objects;
use super::pool::{self, Owner, Workshop};
use super::recipe::{self, Component};
use super::roots::{self, Roots};
use super::settings::Settings;
use super::sources;
use super::store;
use super::toolchain::{Language, Toolchain};
use super::tree;
use super::units::Units;

/// Raised when the same key would come to mean other objects.
const STORE_VERSION: &str = "rpc 1";

/// The name of the library.
const LIBRARY: &str = "ggml-rpc";

/// Sources that only RDMA needs.
const RDMA_ONLY: &str = "transport-apple.cpp";

/// Compiles the backend, or finds it compiled.
pub fn compile(root: &Path, toolchain: &Toolchain, settings: &Settings) -> Result<Device, Fault> {
    let component = component(root, settings)?;
    let flags = objects::all_flags(std::slice::from_ref(&component), toolchain);
    let key = key(root, &flags, toolchain, settings)?;
    let kept = store::get(&settings.objects, &key, |partial| {
        let objects = partial.join(LIBRARY);
        files::make_folder(&objects)?;
        let units = component.sources.iter().enumerate().map(|(index, source)| {
            let weight = objects::size(source);
            objects::unit(&component, source.clone(), weight, index, &objects, toolchain)
        });
        let units = units.collect::<Result<Vec<_>, Fault>>()?;
        let named = Roots::default().with(roots::GENERATED, partial).with(roots::TREE, root);
        let workshop = Workshop {
            toolchain,
            units: &Units::new(&settings.objects, named),
            jobs: settings.jobs,
            owner: Owner::Engine,
        };
        pool::compile(units, &workshop)?;
        objects::archive(LIBRARY, partial, settings.choices.link_order_seed)
    })?;
    Ok(Device {
        libraries: vec![Library {
            name: LIBRARY.to_owned(),
            folder: kept,
            kind: LibraryKind::Static,
        }],
        system_libraries: Vec::new(),
        run_time_folders: Vec::new(),
        flags,
        compiler: None,
    })
}

fn component(root: &Path, settings: &Settings) -> Result<Component, Fault> {
    let folder = root.join("ggml/src/ggml-rpc");
    let is_wanted = |path: &PathBuf| path.file_name().is_none_or(|name| name != RDMA_ONLY);
    let named = sources::named_in(&folder, &["cpp"], LIBRARY)?;
    Ok(Component {
        name: LIBRARY,
        sources: named.into_iter().filter(is_wanted).collect(),
        definitions: recipe::shared_definitions(settings),
        includes: vec![root.join("ggml/src"), root.join("ggml/include")],
        flags: settings.choices.extra_flags.clone(),
        standards: recipe::GGML_STANDARDS,
    })
}

fn key(
    root: &Path,
    flags: &[(String, Vec<String>)],
    toolchain: &Toolchain,
    settings: &Settings,
) -> Result<String, Fault> {
    let sources = devices::sources_hash(root, LIBRARY)?;
    let mut texts = vec![STORE_VERSION, &sources];
    texts.push(&toolchain.compiler(Language::Cxx).version);
    for (component, flags) in flags {
        texts.push(component);
        texts.extend(flags.iter().map(String::as_str));
    }
    let order = settings.choices.link_order_seed.map(|seed| format!("order-seed={seed}"));
    texts.extend(order.as_deref());
    Ok(format!("rpc-{}", tree::hash_texts(texts)))
}
