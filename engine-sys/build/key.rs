//! The key under which all objects of an engine are kept.

use std::path::Path;

use super::fault::Fault;
use super::instruction_set::InstructionSet;
use super::origin::SourceTree;
use super::recipe::Component;
use super::sources;
use super::toolchain::{Language, Toolchain};
use super::tree;

/// Raised when the same key would come to mean other objects.
const STORE_VERSION: &str = "engine objects 2";

/// The names of the files to compile, in order and by component, and then those of each batch.
pub fn files(root: &Path, components: &[Component]) -> Result<Vec<String>, Fault> {
    let mut names = Vec::new();
    let name = |file: &Path| file.strip_prefix(root).unwrap_or(file).display().to_string();
    for component in components {
        names.push(component.name.to_owned());
        names.extend(component.sources.iter().map(|file| name(file)));
    }
    for batch in sources::model_batches(root)? {
        names.push("batch".to_owned());
        names.extend(batch.iter().map(|file| name(file)));
    }
    Ok(names)
}

/// The key of all that decides the objects of a tree and their order.
pub fn of(
    tree: &SourceTree,
    label: &str,
    flags: &[(String, Vec<String>)],
    files: &[String],
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
    texts.extend(files.iter().map(String::as_str));
    tree::hash_texts(texts)
}
