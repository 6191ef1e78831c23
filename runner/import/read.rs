//! A file of another tool, read.

use super::format::Format;
use super::{batched_bench, criterion, hyperfine, llama_bench};
use crate::failure::Failure;
use crate::record::NewImport;

/// A file with what lies beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportFile {
    /// As messages name it.
    pub name: String,
    /// Its text.
    pub text: String,
    /// What its tool says of the benchmark in another file beside it (criterion's
    /// `benchmark.json`).
    pub beside: Option<String>,
}

/// Reads all tests of a file.
///
/// # Errors
/// When the file is not of that tool, is cut off, or states a number that cannot be: with its
/// place.
pub fn read(file: &ImportFile, format: Format) -> Result<NewImport, Failure> {
    if file.text.trim().is_empty() {
        return Err(Failure::failed("the file is empty").at(&file.name));
    }
    let new = match format {
        Format::LlamaBench => llama_bench::read(file),
        Format::LlamaBatchedBench => batched_bench::read(file),
        Format::Hyperfine => hyperfine::read(file),
        Format::Criterion => criterion::read(file),
    }?;
    if new.series.is_empty() {
        return Err(Failure::failed(format!("there is no test of {} in it", format.name()))
            .at(&file.name)
            .hint("name the tool with `--format` if another one wrote it"));
    }
    Ok(new)
}
