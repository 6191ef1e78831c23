//! The Metal backend: ggml-metal with its shaders embedded, for macOS.
//!
//! Reviewed against `ggml/src/ggml-metal/CMakeLists.txt` of the pinned package, whose default on
//! macOS is `GGML_METAL_EMBED_LIBRARY`. Not yet run: nobody has built it on a Mac.

use std::path::{Path, PathBuf};

use super::devices::{self, Device};
use super::engine::{Library, LibraryKind};
use super::fault::Fault;
use super::files;
use super::metal_embed;
use super::objects;
use super::pool::{self, Owner, Unit, Workshop};
use super::recipe::{self, Component};
use super::roots::{self, Roots};
use super::settings::Settings;
use super::sources;
use super::store;
use super::toolchain::{Language, Toolchain};
use super::tree;
use super::units::Units;

/// Raised when the same key would come to mean other objects.
const STORE_VERSION: &str = "metal 1";

/// The name of the library.
const LIBRARY: &str = "ggml-metal";

/// `target_link_libraries` of upstream.
const FRAMEWORKS: [&str; 3] = ["framework=Foundation", "framework=Metal", "framework=MetalKit"];

/// Compiles the backend, or finds it compiled.
pub fn compile(root: &Path, toolchain: &Toolchain, settings: &Settings) -> Result<Device, Fault> {
    if settings.operating_system() != "macos" {
        return Err(Fault::new(format!(
            "feature metal is for macOS only, and this build is for {}",
            settings.target
        ))
        .hint("leave the feature out"));
    }
    let folder = root.join("ggml/src/ggml-metal");
    let kernels = metal_embed::kernels(&folder)?;
    let component = component(root, &folder, settings)?;
    let flags: Vec<_> = [Language::C, Language::Cxx]
        .into_iter()
        .map(|language| {
            let mut flags = toolchain.compiler(language).environment_flags();
            flags.extend(component.flags_for(language, toolchain));
            (format!("{LIBRARY}/{}", language.name()), flags)
        })
        .collect();
    let key = key(root, &flags, toolchain, settings)?;
    let kept = store::get(&settings.objects, &key, |partial| {
        let mut sources = component.sources.clone();
        for kernel in &kernels {
            sources.push(metal_embed::assembly(&folder, kernel, partial)?);
        }
        let objects = partial.join(LIBRARY);
        files::make_folder(&objects)?;
        let units = sources.into_iter().enumerate();
        let units =
            units.map(|(index, source)| unit(&component, source, index, &objects, toolchain));
        let named = Roots::default().with(roots::GENERATED, partial).with(roots::TREE, root);
        let workshop = Workshop {
            toolchain,
            units: &Units::new(&settings.objects, named),
            jobs: settings.jobs,
            owner: Owner::Engine,
        };
        pool::compile(units.collect(), &workshop)?;
        objects::archive(LIBRARY, partial, settings.choices.link_order_seed)
    })?;
    Ok(Device {
        libraries: vec![Library {
            name: LIBRARY.to_owned(),
            folder: kept,
            kind: LibraryKind::Static,
        }],
        system_libraries: FRAMEWORKS.map(str::to_owned).into(),
        run_time_folders: Vec::new(),
        flags,
        // Shaders are compiled by the system when a device is opened.
        compiler: None,
    })
}

fn component(root: &Path, folder: &Path, settings: &Settings) -> Result<Component, Fault> {
    let mut definitions = recipe::shared_definitions(settings);
    definitions.push("-DGGML_METAL_EMBED_LIBRARY".to_owned());
    Ok(Component {
        name: LIBRARY,
        sources: sources::named_in(folder, &["m", "cpp"], LIBRARY)?,
        definitions,
        includes: vec![root.join("ggml/src"), root.join("ggml/include")],
        flags: Vec::new(),
        standards: recipe::GGML_STANDARDS,
    })
}

/// CMake compiles Objective-C as C where that language is not enabled by itself, and so do we: the
/// compiler tells it by the file's extension. Assembly takes no flags.
fn unit(
    component: &Component,
    source: PathBuf,
    index: usize,
    objects: &Path,
    toolchain: &Toolchain,
) -> Unit {
    let is = |extension: &str| source.extension().is_some_and(|own| own == extension);
    let language = if is("cpp") { Language::Cxx } else { Language::C };
    let flags = if is("s") { Vec::new() } else { component.flags_for(language, toolchain) };
    let stem = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Unit {
        weight: objects::size(&source),
        source,
        language,
        flags,
        folders: component.includes.clone(),
        macros: String::new(),
        object: objects.join(format!("{index:03}-{stem}.o")),
    }
}

fn key(
    root: &Path,
    flags: &[(String, Vec<String>)],
    toolchain: &Toolchain,
    settings: &Settings,
) -> Result<String, Fault> {
    let sources = devices::sources_hash(root, LIBRARY)?;
    let mut texts = vec![STORE_VERSION, &sources];
    texts.push(&toolchain.compiler(Language::C).version);
    texts.push(&toolchain.compiler(Language::Cxx).version);
    for (component, flags) in flags {
        texts.push(component);
        texts.extend(flags.iter().map(String::as_str));
    }
    let order = settings.choices.link_order_seed.map(|seed| format!("order-seed={seed}"));
    texts.extend(order.as_deref());
    Ok(format!("metal-{}", tree::hash_texts(texts)))
}
