//! Compiles the shim: kept apart from the engine, so that a change to it compiles one file.

use super::engine::{Headers, Library, LibraryKind};
use super::fault::Fault;
use super::files;
use super::objects;
use super::pool::{self, Owner, Workshop};
use super::recipe;
use super::roots::{self, Roots};
use super::settings::Settings;
use super::store;
use super::toolchain::{Language, Toolchain};
use super::tree;
use super::units::Units;

/// The name of the shim's library.
const LIBRARY: &str = "runner-shim";

/// The compiled shim.
pub struct Shim {
    /// Its archive.
    pub library: Library,
    /// Its flags.
    pub flags: Vec<(String, Vec<String>)>,
}

/// Compiles `shim*.cpp` beside this package's manifest, and `shim/*.cpp`, against the headers of
/// the engine that is linked.
pub fn compile(
    headers: &Headers,
    toolchain: &Toolchain,
    settings: &Settings,
) -> Result<Shim, Fault> {
    let folder = &settings.package;
    let mut own = files::in_folder(folder, &["h", "hpp", "cpp"]);
    own.extend(files::in_folder(&folder.join("shim"), &["h", "hpp", "cpp"]));
    let mut listed = Vec::new();
    for path in &own {
        println!("cargo::rerun-if-changed={}", path.display());
        let name = path.strip_prefix(folder).unwrap_or(path).to_string_lossy().into_owned();
        listed.push((name, path.clone()));
    }
    own.retain(|path| path.extension().is_some_and(|extension| extension == "cpp"));
    let component = recipe::shim(own, headers.folders.clone(), folder, toolchain);
    let flags = objects::all_flags(std::slice::from_ref(&component), toolchain);
    let sources = tree::hash(&listed)?;
    let mut texts =
        vec!["shim 2", &sources, &headers.blake3, &toolchain.compiler(Language::Cxx).version];
    texts.extend(flags.iter().flat_map(|(_, flags)| flags).map(String::as_str));
    let key = format!("shim-{}", tree::hash_texts(texts));
    let kept = store::get(&settings.objects, &key, |partial| {
        let target = partial.join(LIBRARY);
        files::make_folder(&target)?;
        let units = component.sources.iter().enumerate().map(|(index, source)| {
            let weight = objects::size(source);
            objects::unit(&component, source.clone(), weight, index, &target, toolchain)
        });
        let units = units.collect::<Result<Vec<_>, Fault>>()?;
        let mut named = Roots::default();
        if let Some(root) = &headers.tree {
            named = named.with(roots::TREE, root);
        }
        let cache = Units::new(&settings.objects, named.with(roots::PACKAGE, folder));
        let workshop =
            Workshop { toolchain, units: &cache, jobs: settings.jobs, owner: Owner::Shim };
        pool::compile(units, &workshop)?;
        objects::archive(LIBRARY, partial, None)
    })?;
    let library = Library { name: LIBRARY.to_owned(), folder: kept, kind: LibraryKind::Static };
    Ok(Shim { library, flags })
}
