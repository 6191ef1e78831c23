//! The headers in which the engine's libraries name their version.

use std::path::Path;

use super::fault::Fault;
use super::files;

/// Fills a tree's header templates into a folder. Where a tree has none (older ones), the same
/// facts are given as definitions, which this returns.
pub fn write(root: &Path, label: &str, folder: &Path) -> Result<Vec<String>, Fault> {
    let ggml = version(&root.join("ggml/CMakeLists.txt"), "GGML")?;
    let llama = version(&root.join("CMakeLists.txt"), "LLAMA")?;
    let templates = [
        ("ggml/src/ggml-version.h.in", "ggml-version.h", "GGML", &ggml),
        ("src/llama-version.h.in", "llama-version.h", "LLAMA", &llama),
    ];
    let mut definitions = Vec::new();
    for (template, header, prefix, version) in templates {
        let template = root.join(template);
        if template.is_file() {
            let filled = files::read_text(&template)?
                .replace(&format!("@{prefix}_VERSION@"), version)
                .replace(&format!("@{prefix}_BUILD_COMMIT@"), label);
            files::write(&folder.join(header), &filled)?;
        } else {
            definitions.push(format!("-D{prefix}_VERSION=\"{version}\""));
            definitions.push(format!("-D{prefix}_COMMIT=\"{label}\""));
        }
    }
    Ok(definitions)
}

/// The version of ggml in a tree, as its CMake files state it.
pub fn ggml_version(root: &Path) -> Result<String, Fault> {
    version(&root.join("ggml/CMakeLists.txt"), "GGML")
}

/// `set(GGML_VERSION_MAJOR 0)` and so on; `unknown` where a tree does not say.
fn version(cmake: &Path, prefix: &str) -> Result<String, Fault> {
    let text = files::read_text(cmake)?;
    let part = |part: &str| {
        let opening = format!("set({prefix}_VERSION_{part} ");
        let value = text.lines().find_map(|line| line.trim().strip_prefix(&opening))?;
        value.strip_suffix(')').map(str::trim).map(str::to_owned)
    };
    Ok(match (part("MAJOR"), part("MINOR"), part("PATCH")) {
        (Some(major), Some(minor), Some(patch)) => format!("{major}.{minor}.{patch}"),
        _ => "unknown".to_owned(),
    })
}
