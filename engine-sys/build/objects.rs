//! Compiles a llama.cpp tree into static libraries, once for all profiles.

use std::fs;
use std::path::{Path, PathBuf};

use super::blas::{self, FoundBlas};
use super::devices;
use super::engine::{Engine, Headers, Library, LibraryKind, Threading};
use super::fault::Fault;
use super::files;
use super::instruction_set::InstructionSet;
use super::key;
use super::openmp;
use super::order;
use super::origin::SourceTree;
use super::pool::{self, Owner, Unit, Workshop};
use super::recipe::{self, Component, Kitchen};
use super::roots::{self, Roots};
use super::settings::Settings;
use super::sources;
use super::store;
use super::toolchain::{self, Language, Toolchain};
use super::tree;
use super::units::Units;
use super::version_headers;

/// Libraries that need others come before them. That is what other linkers and readers expect;
/// rustc puts all into one archive, whose members may come in any order.
const LINK_ORDER: [&str; 5] = ["llama", "ggml", "ggml-cpu", "ggml-blas", "ggml-base"];

/// The headers of a tree.
pub fn headers_of(tree: &SourceTree) -> Headers {
    let folders = ["include", "ggml/include", "src", "ggml/src"];
    Headers {
        tree: Some(tree.root.clone()),
        folders: folders.map(|folder| tree.root.join(folder)).into(),
        blake3: tree.blake3.clone(),
    }
}

/// Compiles the tree, or finds it compiled.
pub fn compile_engine(
    tree: &SourceTree,
    label: String,
    toolchain: &Toolchain,
    settings: &Settings,
) -> Result<Engine, Fault> {
    let instruction_set = InstructionSet::resolve(toolchain, settings)?;
    let openmp = openmp::find(toolchain, settings)?;
    let blas = blas::find(toolchain, settings)?;
    let seed = settings.choices.link_order_seed;
    let root = tree.root.as_path();
    let devices = devices::compile(root, toolchain, settings)?;
    let tried = devices::only_tried();
    let kitchen = |generated: &Path, versions: &[String]| {
        if tried {
            return Ok(Vec::new());
        }
        recipe::engine(
            root,
            &Kitchen {
                toolchain,
                settings,
                instruction_set: &instruction_set,
                openmp: openmp.is_some(),
                blas: blas.as_ref(),
                generated,
                versions,
            },
        )
    };
    // For the key, before it is known where the filled headers will lie.
    let components = kitchen(Path::new(""), &[])?;
    let mut flags = all_flags(&components, toolchain);
    flags.extend(link_choices(blas.as_ref(), seed));
    let files = key::files(root, &components)?;
    let key = key::of(tree, &label, &flags, &files, &instruction_set, toolchain);
    let folder = store::get(&settings.objects, &key, |partial| {
        let versions = version_headers::write(root, &label, partial)?;
        let components = kitchen(partial, &versions)?;
        let batches = write_batches(root, partial)?;
        let named = Roots::default().with(roots::GENERATED, partial).with(roots::TREE, root);
        let units = Units::new(&settings.objects, named);
        let workshop =
            Workshop { toolchain, units: &units, jobs: settings.jobs, owner: Owner::Engine };
        compile(&components, &batches, &versions, partial, &workshop)?;
        components.iter().try_for_each(|component| archive(component.name, partial, seed))
    })?;
    let library = |name: &str| Library {
        name: name.to_owned(),
        folder: folder.clone(),
        kind: LibraryKind::Static,
    };
    let wanted = LINK_ORDER.into_iter().filter(|name| *name != "ggml-blas" || blas.is_some());
    let wanted = wanted.filter(|_| !tried);
    let wanted = order::arranged(wanted.collect(), seed, "archives");
    Ok(Engine {
        libraries: devices::linked(wanted.into_iter().map(library).collect(), &devices),
        blake3: tree.blake3.clone(),
        version: Some(version_headers::ggml_version(root)?),
        flags: devices::with_flags(flags, &devices),
        features: Some(instruction_set.features),
        threading: openmp.map_or(Threading::Own, Threading::OpenMp),
        objects: Some(key),
        blas,
        devices,
    })
}

/// The flags of each component and language that it has files of.
pub fn all_flags(components: &[Component], toolchain: &Toolchain) -> Vec<(String, Vec<String>)> {
    let mut flags = Vec::new();
    for component in components {
        for language in [Language::C, Language::Cxx] {
            if component.sources.iter().any(|source| language_of(source) == language) {
                let mut all = toolchain.compiler(language).environment_flags();
                all.extend(component.flags_for(language, toolchain));
                flags.push((format!("{}/{}", component.name, language.name()), all));
            }
        }
    }
    flags
}

/// What decides the binary, but not one object: listed with the flags where it is not the default.
fn link_choices(blas: Option<&FoundBlas>, seed: Option<u64>) -> Option<(String, Vec<String>)> {
    let blas = blas.map(|blas| format!("-l{}", blas.library));
    let seed = seed.map(|seed| format!("order-seed={seed}"));
    let all: Vec<String> = blas.into_iter().chain(seed).collect();
    (!all.is_empty()).then(|| ("link".to_owned(), all))
}

/// Writes a file for each batch of models that includes them all, by paths that are the same in
/// every tree.
fn write_batches(root: &Path, folder: &Path) -> Result<Vec<(PathBuf, u64)>, Fault> {
    let beside_models = root.join("src");
    let mut written = Vec::new();
    for (index, batch) in sources::model_batches(root)?.iter().enumerate() {
        let path = folder.join(format!("models_{index}.cpp"));
        let names = batch.iter().map(|file| file.strip_prefix(&beside_models).unwrap_or(file));
        let includes: String =
            names.map(|name| format!("#include \"{}\"\n", name.display())).collect();
        files::write(&path, &includes)?;
        written.push((path, batch.iter().map(|file| size(file)).sum()));
    }
    Ok(written)
}

fn compile(
    components: &[Component],
    batches: &[(PathBuf, u64)],
    versions: &[String],
    folder: &Path,
    workshop: &Workshop<'_>,
) -> Result<(), Fault> {
    let mut units = Vec::new();
    for component in components {
        let objects = folder.join(component.name);
        files::make_folder(&objects)?;
        let sources = component.sources.iter().map(|source| (source.clone(), size(source)));
        // CMake puts the batches first and the last one foremost: so the layout is the same too.
        let batches = batches.iter().rev().filter(|_| component.name == "llama").cloned();
        let all: Vec<(PathBuf, u64)> = batches.chain(sources).collect();
        for (index, (source, weight)) in all.into_iter().enumerate() {
            let mut unit = unit(component, source, weight, index, &objects, workshop.toolchain)?;
            // Else every file would differ from one commit to the next.
            unit.flags.retain(|flag| !versions.contains(flag) || mentions(&unit.source, flag));
            units.push(unit);
        }
    }
    pool::compile(units, workshop)
}

/// Whether a source has the name that a flag defines.
fn mentions(source: &Path, definition: &str) -> bool {
    let name = definition.trim_start_matches("-D").split('=').next().unwrap_or_default();
    fs::read_to_string(source).is_ok_and(|text| text.contains(name))
}

/// A file of a component. Objects are numbered, since two files may have one name, and archived
/// in that order.
pub fn unit(
    component: &Component,
    source: PathBuf,
    weight: u64,
    index: usize,
    objects: &Path,
    toolchain: &Toolchain,
) -> Result<Unit, Fault> {
    let language = language_of(&source);
    let flags = component.flags_for(language, toolchain);
    let stem = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Unit {
        macros: processor_macros(&flags, language, toolchain)?,
        folders: component.includes.clone(),
        object: objects.join(format!("{index:03}-{stem}.o")),
        source,
        language,
        flags,
        weight,
    })
}

/// What flags for a processor mean to this compiler on this machine (`-march=native`): a hash of
/// the macros that it predefines under them. Empty where there are none.
fn processor_macros(
    flags: &[String],
    language: Language,
    toolchain: &Toolchain,
) -> Result<String, Fault> {
    let compiler = toolchain.compiler(language);
    let is_for_processor = |flag: &String| flag.starts_with("-m");
    let own: Vec<String> = flags.iter().filter(|flag| is_for_processor(flag)).cloned().collect();
    if own.is_empty() && !compiler.environment_flags().iter().any(is_for_processor) {
        return Ok(String::new());
    }
    let macros = compiler.predefined(language, &own)?;
    Ok(tree::hash_texts(macros.iter().flat_map(|(name, value)| [name.as_str(), value.as_str()])))
}

/// Makes `lib<name>.a` of the objects in `<folder>/<name>`, and removes them. A seed permutes them.
pub fn archive(name: &str, folder: &Path, seed: Option<u64>) -> Result<(), Fault> {
    let objects = folder.join(name);
    let listed = order::arranged(files::in_folder(&objects, &["o"]), seed, name);
    let mut build = toolchain::build(Language::Cxx);
    build.out_dir(folder);
    build.try_create_archive(name, &listed).map_err(|error| {
        Fault::new(format!(
            "cannot make an archive of the objects in {}: {error}",
            objects.display()
        ))
    })?;
    fs::remove_dir_all(&objects).map_err(|error| Fault::file("remove", &objects, error))
}

fn language_of(source: &Path) -> Language {
    if source.extension().is_some_and(|extension| extension == "c") {
        Language::C
    } else {
        Language::Cxx
    }
}

/// The size of a file in bytes, as a guess at the time to compile it.
pub fn size(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |metadata| metadata.len())
}
