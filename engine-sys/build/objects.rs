//! Compiles a llama.cpp tree into static libraries, once for all profiles.

use std::fs;
use std::path::{Path, PathBuf};

use super::devices;
use super::engine::{Engine, Library, LibraryKind, Threading};
use super::fault::Fault;
use super::files;
use super::instruction_set::InstructionSet;
use super::openmp;
use super::origin::SourceTree;
use super::pool::{self, Unit};
use super::recipe::{self, Component, Kitchen};
use super::settings::Settings;
use super::sources;
use super::store;
use super::toolchain::{self, Language, Toolchain};
use super::tree;
use super::version_headers;

/// Raised when the same key would come to mean other objects.
const STORE_VERSION: &str = "engine objects 1";

/// Libraries that need others come before them.
const LINK_ORDER: [&str; 4] = ["llama", "ggml", "ggml-cpu", "ggml-base"];

/// Compiles the tree, or finds it compiled.
pub fn compile_engine(
    tree: &SourceTree,
    label: String,
    toolchain: &Toolchain,
    settings: &Settings,
) -> Result<Engine, Fault> {
    let instruction_set = InstructionSet::resolve(toolchain, settings)?;
    let openmp = openmp::find(toolchain, settings);
    let root = tree.root.as_path();
    let devices = devices::compile(root, toolchain, settings)?;
    let kitchen = |generated: &Path, versions: &[String]| {
        recipe::engine(
            root,
            &Kitchen {
                toolchain,
                settings,
                instruction_set: &instruction_set,
                openmp: openmp.is_some(),
                generated,
                versions,
            },
        )
    };
    // For the key, before it is known where the filled headers will lie.
    let flags = all_flags(&kitchen(Path::new(""), &[])?, toolchain);
    let key = key(tree, &label, &flags, &instruction_set, toolchain);
    let folder = store::get(&settings.objects, &key, |partial| {
        let versions = version_headers::write(root, &label, partial)?;
        let components = kitchen(partial, &versions)?;
        let batches = write_batches(root, partial)?;
        compile(&components, &batches, partial, toolchain, settings.jobs)?;
        components.iter().try_for_each(|component| archive(component.name, partial))
    })?;
    let library = |name: &str| Library {
        name: name.to_owned(),
        folder: folder.clone(),
        kind: LibraryKind::Static,
    };
    Ok(Engine {
        libraries: devices::linked(LINK_ORDER.map(library).into(), &devices),
        includes: ["include", "ggml/include", "src", "ggml/src"].map(|p| root.join(p)).into(),
        headers: tree.blake3.clone(),
        blake3: tree.blake3.clone(),
        version: Some(version_headers::ggml_version(root)?),
        flags: devices::with_flags(flags, &devices),
        features: Some(instruction_set.features),
        threading: openmp.map_or(Threading::Own, Threading::OpenMp),
        objects: Some(key),
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

fn key(
    tree: &SourceTree,
    label: &str,
    flags: &[(String, Vec<String>)],
    instruction_set: &InstructionSet,
    toolchain: &Toolchain,
) -> String {
    let mut texts = vec![STORE_VERSION, &tree.blake3, label, &instruction_set.macros];
    texts.push(&toolchain.compiler(Language::C).version);
    texts.push(&toolchain.compiler(Language::Cxx).version);
    for (component, flags) in flags {
        texts.push(component);
        texts.extend(flags.iter().map(String::as_str));
    }
    tree::hash_texts(texts)
}

/// Writes a file for each batch of models that includes them all.
fn write_batches(root: &Path, folder: &Path) -> Result<Vec<(PathBuf, u64)>, Fault> {
    let mut written = Vec::new();
    for (index, batch) in sources::model_batches(root).iter().enumerate() {
        let path = folder.join(format!("models_{index}.cpp"));
        let includes: String =
            batch.iter().map(|file| format!("#include \"{}\"\n", file.display())).collect();
        files::write(&path, &includes)?;
        written.push((path, batch.iter().map(|file| size(file)).sum()));
    }
    Ok(written)
}

fn compile(
    components: &[Component],
    batches: &[(PathBuf, u64)],
    folder: &Path,
    toolchain: &Toolchain,
    jobs: usize,
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
            units.push(unit(component, source, weight, index, &objects, toolchain));
        }
    }
    pool::compile(units, toolchain, jobs)
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
) -> Unit {
    let language = language_of(&source);
    let mut arguments = component.flags_for(language, toolchain);
    for include in &component.includes {
        arguments.push(format!("-I{}", include.display()));
    }
    let stem = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let object = objects.join(format!("{index:03}-{stem}.o"));
    Unit { source, language, arguments, object, weight }
}

/// Makes `lib<name>.a` of the objects in `<folder>/<name>`, and removes them.
pub fn archive(name: &str, folder: &Path) -> Result<(), Fault> {
    let objects = folder.join(name);
    let listed = files::in_folder(&objects, &["o"]);
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
