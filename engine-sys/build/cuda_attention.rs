//! Which instances of the vector kernel for attention are compiled: pairs of types of K and V.
//!
//! Follows `ggml_cuda_fattn_vec_instances` in `ggml/cmake/common.cmake` with the default of
//! `GGML_CUDA_FA_QUANTS`; older trees have a fixed list and no definitions.

use std::path::{Path, PathBuf};

use super::fault::Fault;
use super::files;

/// All types, in upstream's order.
const TYPES: [&str; 7] = ["q4_0", "q4_1", "q5_0", "q5_1", "q8_0", "bf16", "f16"];

/// What trees without the option compile, by the ends of the files' names, where they have it.
const OLDER: [&str; 4] = ["-q4_0-q4_0.cu", "-q8_0-q8_0.cu", "-f16-f16.cu", "-bf16-bf16.cu"];

/// What was chosen.
pub struct Attention {
    /// Files to compile.
    pub instances: Vec<PathBuf>,
    /// Definitions for all files of the backend.
    pub definitions: Vec<String>,
}

/// Reads the tree's default. The files may be missing where a tree is laid out in another way.
pub fn choose(root: &Path) -> Result<Attention, Fault> {
    let folder = root.join("ggml/src/ggml-cuda/template-instances");
    let file = |pair: &str| folder.join(format!("fattn-vec-instance-{pair}.cu"));
    let Some(quants) = default_quants(&files::read_text(&root.join("ggml/CMakeLists.txt"))?) else {
        let mut instances = files::in_folder(&folder, &["cu"]);
        instances.retain(|path| is_older(&path.file_name().unwrap_or_default().to_string_lossy()));
        return Ok(Attention { instances, definitions: Vec::new() });
    };
    let mut pairs = vec!["f16-f16".to_owned()];
    for pair in quants.split(';').map(str::trim) {
        if !pairs.iter().any(|known| known == pair) {
            pairs.push(pair.to_owned());
        }
    }
    let mut definitions = vec![format!("-DGGML_CUDA_FA_QUANTS=\"{}\"", quants.replace(';', ","))];
    for value in TYPES {
        for key in TYPES {
            let compiled = u8::from(pairs.contains(&format!("{key}-{value}")));
            let name = format!("GGML_CUDA_FA_{key}_{value}").to_uppercase();
            definitions.push(format!("-D{name}={compiled}"));
        }
    }
    Ok(Attention { instances: pairs.iter().map(|pair| file(pair)).collect(), definitions })
}

fn is_older(name: &str) -> bool {
    name.starts_with("fattn-vec") && OLDER.iter().any(|end| name.ends_with(end))
}

/// The default of the option in `ggml/CMakeLists.txt`: pairs separated by `;`.
fn default_quants(cmake: &str) -> Option<String> {
    let line = cmake.lines().find(|line| {
        let mut words = line.split(['(', ' ', '\t']).filter(|word| !word.is_empty());
        words.next() == Some("set") && words.next() == Some("GGML_CUDA_FA_QUANTS")
    })?;
    line.split('"').nth(1).map(str::to_owned)
}
