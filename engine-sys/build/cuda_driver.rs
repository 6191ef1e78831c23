//! Compiles the stand-in for the driver library: a few functions that look for the real ones.

use std::path::Path;

use super::engine::{Library, LibraryKind};
use super::fault::Fault;
use super::files;
use super::objects;
use super::pool::{self, Unit};
use super::recipe;
use super::settings::Settings;
use super::store;
use super::toolchain::{Language, Toolchain};
use super::tree;

/// The name of its library.
const LIBRARY: &str = "runner-cuda-driver";

/// Compiles `cuda/driver.cpp` against the headers of a toolkit.
pub fn compile(
    toolkit: &Path,
    toolchain: &Toolchain,
    settings: &Settings,
) -> Result<Library, Fault> {
    let source = settings.package.join("cuda/driver.cpp");
    println!("cargo::rerun-if-changed={}", source.display());
    let header = toolkit.join("include/cuda.h");
    let mut flags: Vec<String> = recipe::RELEASE.map(str::to_owned).into();
    flags.push("-std=gnu++17".to_owned());
    flags.extend(toolchain.position_independence(Language::Cxx).map(str::to_owned));
    let content =
        tree::hash(&[("driver".to_owned(), source.clone()), ("cuda".to_owned(), header)])?;
    let mut texts = vec!["cuda driver 1", &content, &toolchain.compiler(Language::Cxx).version];
    texts.extend(flags.iter().map(String::as_str));
    let key = format!("cuda-driver-{}", tree::hash_texts(texts));
    let folder = store::get(&settings.objects, &key, |partial| {
        let target = partial.join(LIBRARY);
        files::make_folder(&target)?;
        flags.push(format!("-I{}", toolkit.join("include").display()));
        let unit = Unit {
            weight: objects::size(&source),
            source: source.clone(),
            language: Language::Cxx,
            arguments: flags.clone(),
            object: target.join("000-driver.o"),
        };
        pool::compile(vec![unit], toolchain, settings.jobs)?;
        objects::archive(LIBRARY, partial)
    })?;
    Ok(Library { name: LIBRARY.to_owned(), folder, kind: LibraryKind::Static })
}
