//! Compiles what is ours about CUDA: functions that look for the driver's when they are called, and
//! one that says why there is no device.

use std::path::Path;

use super::engine::{Library, LibraryKind};
use super::fault::Fault;
use super::files;
use super::nvcc::Nvcc;
use super::objects;
use super::pool::{self, Owner, Unit, Workshop};
use super::roots::{self, Roots};
use super::settings::Settings;
use super::store;
use super::toolchain::Language;
use super::tree;
use super::units::Units;

/// The name of the library.
const LIBRARY: &str = "runner-cuda";

/// Compiles the files in `cuda/` with the backend's flags, or finds them compiled.
pub fn compile(
    nvcc: &Nvcc,
    flags: &[String],
    host: &str,
    settings: &Settings,
) -> Result<Library, Fault> {
    let folder = settings.package.join("cuda");
    let sources = files::in_folder(&folder, &["cpp", "cu"]);
    for source in &sources {
        println!("cargo::rerun-if-changed={}", source.display());
    }
    let named = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let listed: Vec<_> = sources.iter().map(|path| (named(path), path.clone())).collect();
    let content = tree::hash(&listed)?;
    let mut texts = vec!["runner cuda 1", &content, &nvcc.version, host];
    texts.extend(flags.iter().map(String::as_str));
    let key = format!("{LIBRARY}-{}", tree::hash_texts(texts));
    let kept = store::get(&settings.objects, &key, |partial| {
        let objects = partial.join(LIBRARY);
        files::make_folder(&objects)?;
        let units = sources.iter().map(|source| Unit {
            source: source.clone(),
            // nvcc tells languages by the file's extension.
            language: Language::Cxx,
            flags: flags.to_vec(),
            folders: Vec::new(),
            macros: host.to_owned(),
            object: objects.join(format!("{}.o", named(source))),
            weight: objects::size(source),
        });
        let named = Roots::default().with(roots::PACKAGE, &settings.package);
        let workshop = Workshop {
            toolchain: &nvcc.toolchain,
            units: &Units::new(&settings.objects, named),
            jobs: settings.jobs,
            owner: Owner::Engine,
        };
        pool::compile(units.collect(), &workshop)?;
        objects::archive(LIBRARY, partial, None)
    })?;
    Ok(Library { name: LIBRARY.to_owned(), folder: kept, kind: LibraryKind::Static })
}
