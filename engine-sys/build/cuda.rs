//! The CUDA backend: all of ggml-cuda by nvcc, and what is linked with it.
//!
//! Reviewed against `ggml/src/ggml-cuda/CMakeLists.txt` and `ggml/CMakeLists.txt` of the pinned
//! package: its default options, as llama.cpp sets them. Two choices are ours. The run-time
//! library is linked statically and cuBLAS is shared. And the driver library is looked for when it
//! is needed (`cuda/driver.cpp`) instead of being linked, so that the binary starts without one.

use std::path::{Path, PathBuf};

use super::cuda_architectures;
use super::cuda_attention;
use super::cuda_driver;
use super::devices::{self, Device};
use super::engine::{Library, LibraryKind};
use super::fault::Fault;
use super::files;
use super::message::UNSUPPORTED;
use super::nvcc::Nvcc;
use super::objects;
use super::pool::{self, Owner, Unit, Workshop};
use super::recipe;
use super::roots::{self, Roots};
use super::settings::{self, Settings};
use super::store;
use super::toolchain::{Language, Toolchain};
use super::tree;
use super::units::Units;

/// Raised when the same key would come to mean other objects.
const STORE_VERSION: &str = "cuda 1";

/// The name of the library.
const LIBRARY: &str = "ggml-cuda";

/// Instances of kernels that are always compiled; those of the vector kernel are chosen.
const INSTANCES: [&str; 4] = ["fattn-tile", "fattn-mma", "mmq", "mmf"];

/// The release that came with `-compress-mode`.
const COMPRESSION_SINCE: (u32, u32) = (12, 8);

/// Compiles the backend, or finds it compiled.
pub fn compile(root: &Path, toolchain: &Toolchain, settings: &Settings) -> Result<Device, Fault> {
    let host = toolchain.compiler(Language::Cxx);
    let nvcc = Nvcc::find(host)?;
    let attention = cuda_attention::choose(root)?;
    let sources = sources(root, &attention.instances)?;
    let flags = flags(&nvcc, &attention.definitions, toolchain, settings)?;
    nvcc.try_out(&flags, settings)?;
    let key = key(root, &flags, &nvcc, &host.version, settings)?;
    let folder = store::get(&settings.objects, &key, |partial| {
        let objects = partial.join(LIBRARY);
        files::make_folder(&objects)?;
        let units = sources.iter().enumerate().map(|(index, source)| {
            let stem = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            Unit {
                source: source.clone(),
                // nvcc tells kernels by the file's extension.
                language: Language::Cxx,
                flags: flags.clone(),
                folders: ["ggml/src", "ggml/include"].map(|folder| root.join(folder)).into(),
                // Beside nvcc, the host compiler decides.
                macros: host.version.clone(),
                object: objects.join(format!("{index:03}-{stem}.o")),
                weight: weight(source),
            }
        });
        let cache = Units::new(&settings.objects, Roots::default().with(roots::TREE, root));
        let workshop = Workshop {
            toolchain: &nvcc.toolchain,
            units: &cache,
            jobs: settings.jobs,
            owner: Owner::Engine,
        };
        pool::compile(units.collect(), &workshop)?;
        objects::archive(LIBRARY, partial, settings.choices.link_order_seed)
    })?;
    let driver = cuda_driver::compile(&nvcc, &flags, &host.version, settings)?;
    let toolkit =
        |name: &str, kind| Library { name: name.to_owned(), folder: nvcc.libraries.clone(), kind };
    Ok(Device {
        libraries: vec![
            Library { name: LIBRARY.to_owned(), folder, kind: LibraryKind::Static },
            driver,
            toolkit("cublas", LibraryKind::Shared),
            toolkit("cudart_static", LibraryKind::Static),
        ],
        system_libraries: vec!["rt".to_owned()],
        run_time_folders: vec![nvcc.libraries.clone()],
        flags: vec![(format!("{LIBRARY}/cuda"), flags)],
        compiler: Some(format!("{}, cuBLAS {}", nvcc.version, nvcc.cublas)),
    })
}

/// The sources in the order of upstream's globs.
fn sources(root: &Path, attention: &[PathBuf]) -> Result<Vec<PathBuf>, Fault> {
    let folder = root.join("ggml/src/ggml-cuda");
    let mut sources = files::in_folder(&folder, &["cu"]);
    if sources.is_empty() {
        return Err(Fault::new(format!("{UNSUPPORTED}no CUDA sources in {}", folder.display()))
            .hint("this tree has no CUDA backend: leave the feature cuda out"));
    }
    if let Some(missing) = attention.iter().find(|path| !path.is_file()) {
        return Err(Fault::new(format!("{UNSUPPORTED}no {}", missing.display()))
            .hint("this tree is laid out in a way that engine-sys does not know"));
    }
    let instances = files::in_folder(&folder.join("template-instances"), &["cu"]);
    for prefix in INSTANCES {
        let chosen = instances.iter().filter(|path| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix))
        });
        sources.extend(chosen.cloned());
    }
    sources.extend(attention.iter().cloned());
    let trial = trial();
    if !trial.is_empty() {
        sources.retain(|path| {
            path.file_name().is_some_and(|own| trial.iter().any(|t| own == t.as_str()))
        });
    }
    Ok(sources)
}

/// `ENGINE_CUDA_TRIAL`: the only files to compile, by commas. For checks of the toolkit and of this
/// build script: what comes out cannot be linked.
pub fn trial() -> Vec<String> {
    let text = settings::text("ENGINE_CUDA_TRIAL").unwrap_or_default();
    text.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Everything that decides what comes out, but for folders of headers.
fn flags(
    nvcc: &Nvcc,
    attention: &[String],
    toolchain: &Toolchain,
    settings: &Settings,
) -> Result<Vec<String>, Fault> {
    let asked = settings::text("ENGINE_CUDA_ARCHITECTURES");
    let mut flags = recipe::shared_definitions(settings);
    // Root CMakeLists.txt: GGML_CUDA_GRAPHS_DEFAULT is ON for llama.cpp.
    flags.push("-DGGML_CUDA_USE_GRAPHS".to_owned());
    flags.extend(attention.iter().cloned());
    flags.extend(recipe::RELEASE.map(str::to_owned));
    flags.push("-std=c++17".to_owned());
    flags.extend(cuda_architectures::flags(asked.as_deref())?);
    let position = toolchain.position_independence(Language::Cxx);
    flags.extend(position.map(|flag| format!("-Xcompiler={flag}")));
    flags.extend(["-use_fast_math", "-extended-lambda"].map(str::to_owned));
    if nvcc.release >= COMPRESSION_SINCE {
        flags.push("-compress-mode=size".to_owned());
    }
    Ok(flags)
}

/// A key of its own: only what is compiled or included here, with the compilers.
fn key(
    root: &Path,
    flags: &[String],
    nvcc: &Nvcc,
    host: &str,
    settings: &Settings,
) -> Result<String, Fault> {
    let sources = devices::sources_hash(root, LIBRARY)?;
    let mut texts = vec![STORE_VERSION, &sources, &nvcc.version, host];
    texts.extend(flags.iter().map(String::as_str));
    let order = settings.choices.link_order_seed.map(|seed| format!("order-seed={seed}"));
    texts.extend(order.as_deref());
    let trial = trial();
    texts.extend(trial.iter().map(String::as_str));
    Ok(format!("cuda-{}", tree::hash_texts(texts)))
}

/// Instances of templates are small files that take long.
fn weight(source: &Path) -> u64 {
    let instance = source.parent().is_some_and(|folder| folder.ends_with("template-instances"));
    objects::size(source) + if instance { 1 << 20 } else { 0 }
}
