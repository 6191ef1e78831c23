//! Makes one text of each Metal shader and what it includes, and assembly that embeds it: steps 1 to
//! 5 of `ggml/src/ggml-metal/CMakeLists.txt`, which has `cat`, `sed` and `echo` do them.

use std::path::{Path, PathBuf};

use super::fault::Fault;
use super::files;
use super::sources;

/// Included by shaders of this folder, in the order in which they are put before them; the first
/// one always.
const HEADERS: [&str; 5] =
    ["common.h", "dequantize.h", "quantize.h", "fa_common.metal", "fa_vec_common.metal"];

/// Stands where `ggml-common.h` goes.
const COMMON_MARK: &str = "__embed_ggml-common.h__";

/// The shaders that are compiled by themselves, as the tree's `CMakeLists.txt` names them.
pub fn kernels(folder: &Path) -> Result<Vec<PathBuf>, Fault> {
    sources::named_below(folder, "kernels", &["metal"], "ggml-metal's shaders")
}

/// Writes a shader's text and the assembly file that embeds it.
pub fn assembly(folder: &Path, kernel: &Path, target: &Path) -> Result<PathBuf, Fault> {
    let kind = kernel.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    // Names of symbols are those of C.
    let symbol = format!("_ggml_metallib_{}", kind.replace('-', "_"));
    let text_path = target.join(format!("ggml-metal-embed-{kind}.metal"));
    files::write(&text_path, &text(folder, kernel)?)?;
    let assembly_path = target.join(format!("ggml-metal-embed-{kind}.s"));
    let lines = format!(
        ".section __DATA,__ggml_metallib\n\
         .globl {symbol}_start\n\
         {symbol}_start:\n\
         .incbin \"{}\"\n\
         .globl {symbol}_end\n\
         {symbol}_end:\n",
        text_path.display()
    );
    files::write(&assembly_path, &lines)?;
    Ok(assembly_path)
}

/// A shader with everything that it includes.
pub fn text(folder: &Path, kernel: &Path) -> Result<String, Fault> {
    let common = files::read_text(&folder.join("../ggml-common.h"))?;
    let implementation = files::read_text(&folder.join("ggml-metal-impl.h"))?;
    let own = files::read_text(kernel)?;
    let mut parts = String::new();
    for (index, header) in HEADERS.iter().enumerate() {
        if index == 0 || own.contains(&include_of(header)) {
            parts.push_str(&files::read_text(&folder.join("kernels").join(header))?);
        }
    }
    parts.push_str(&own);
    let embedded = |line: &str| {
        line.contains("#pragma once") || HEADERS.iter().any(|h| line.contains(&include_of(h)))
    };
    let kept = parts.split_inclusive('\n').filter(|line| !embedded(line));
    // One after the other, since the first may bring what the second replaces.
    let with_common = replace_lines(kept, COMMON_MARK, &common);
    let lines = with_common.split_inclusive('\n');
    Ok(replace_lines(lines, &include_of("ggml-metal-impl.h"), &implementation))
}

fn include_of(header: &str) -> String {
    format!("#include \"{header}\"")
}

/// Puts a text in the place of every line that contains a mark.
fn replace_lines<'a>(lines: impl Iterator<Item = &'a str>, mark: &str, text: &str) -> String {
    lines.map(|line| if line.contains(mark) { text } else { line }).collect()
}
