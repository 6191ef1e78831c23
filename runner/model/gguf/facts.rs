//! What a GGUF file says of itself, and whether all of it is there.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::Path;

use engine_protocol::TensorTypeBytes;

use super::header::{Header, MetadataValue, TensorInfo, read_header};
use super::source::{ReadFault, Source};
use crate::failure::Failure;

/// The facts of a GGUF file whose header was read in full and whose length was checked.
#[derive(Debug, Clone, PartialEq)]
pub struct GgufFacts {
    /// Version of the format.
    pub version: u32,
    /// `general.architecture`.
    pub architecture: Option<String>,
    /// `<architecture>.context_length`.
    pub context_tokens: Option<u64>,
    /// Number of the tokenizer's tokens, or `<architecture>.vocab_size`.
    pub vocabulary: Option<u64>,
    /// Elements of all tensors.
    pub parameters: u64,
    /// Every tensor starts at a multiple of this, bytes.
    pub alignment: u64,
    /// All keys, arrays without their elements.
    pub metadata: BTreeMap<String, MetadataValue>,
    /// In the order of the file.
    pub tensors: Vec<TensorInfo>,
    /// By type, most bytes first. Tensors of an unknown type count with 0 bytes.
    pub tensor_types: Vec<TensorTypeBytes>,
    /// Length of the file, bytes.
    pub file_bytes: u64,
}

/// Reads the header of a GGUF file and checks that the file is as long as its tensors need.
/// The weights themselves are not read.
///
/// # Errors
/// A failed check when the file is missing, no GGUF (its first bytes are named), of another
/// version, malformed, or truncated (the missing bytes are counted).
pub fn inspect(path: &Path) -> Result<GgufFacts, Failure> {
    let place = path.display();
    // Before it is opened: opening a pipe would wait for its other end.
    let metadata = std::fs::metadata(path)
        .map_err(|error| Failure::failed(format!("cannot be examined: {error}")).at(&place))?;
    if !metadata.is_file() {
        return Err(Failure::failed("is not a file").at(&place));
    }
    let file = File::open(path)
        .map_err(|error| Failure::failed(format!("cannot be opened: {error}")).at(&place))?;
    read_facts(BufReader::new(file), metadata.len()).map_err(|why| {
        let failure = Failure::failed(why.what).at(&place);
        match why.hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    })
}

/// Why a file was not accepted.
#[derive(Debug)]
struct Rejection {
    what: String,
    hint: Option<&'static str>,
}

const TRUNCATED_HINT: &str = "the file was not copied or downloaded in full; get it again";

fn read_facts<R: Read + Seek>(mut input: R, length: u64) -> Result<GgufFacts, Rejection> {
    let mut first = Vec::new();
    input
        .by_ref()
        .take(16)
        .read_to_end(&mut first)
        .map_err(|error| Rejection { what: format!("cannot be read: {error}"), hint: None })?;
    if !first.starts_with(b"GGUF") {
        return Err(Rejection { what: not_gguf(&first), hint: None });
    }
    input
        .rewind()
        .map_err(|error| Rejection { what: format!("cannot be read: {error}"), hint: None })?;

    let mut source = Source::new(input, length);
    let header = source.skip(4).and_then(|()| read_header(&mut source));
    let header = header.map_err(|fault| match fault {
        ReadFault::Ended => Rejection {
            what: format!("is truncated: its {length} bytes end within the GGUF header"),
            hint: Some(TRUNCATED_HINT),
        },
        ReadFault::Malformed(why) => {
            Rejection { what: format!("is not a GGUF that can be used: {why}"), hint: None }
        }
        ReadFault::Io(error) => Rejection { what: format!("cannot be read: {error}"), hint: None },
    })?;
    check_length(&header, length)?;
    Ok(summarise(header, length))
}

fn check_length(header: &Header, length: u64) -> Result<(), Rejection> {
    let mut needed = header.data_start;
    for tensor in &header.tensors {
        let end = header
            .data_start
            .checked_add(tensor.offset)
            .and_then(|start| start.checked_add(tensor.bytes.unwrap_or(0)));
        let Some(end) = end else {
            let what =
                format!("is not a GGUF that can be used: {:?} lies beyond 2^64", tensor.name);
            return Err(Rejection { what, hint: None });
        };
        needed = needed.max(end);
    }
    if !header.tensors.is_empty() && needed > length {
        return Err(Rejection {
            what: format!(
                "is truncated: {} bytes are missing (its tensors need {needed}, it has {length})",
                needed - length
            ),
            hint: Some(TRUNCATED_HINT),
        });
    }
    Ok(())
}

fn summarise(header: Header, file_bytes: u64) -> GgufFacts {
    let architecture = match header.metadata.get("general.architecture") {
        Some(MetadataValue::Text(name)) => Some(name.clone()),
        _ => None,
    };
    let number = |key: &str| match header.metadata.get(key) {
        Some(MetadataValue::Unsigned(value) | MetadataValue::Array(value)) => Some(*value),
        _ => None,
    };
    let of_architecture =
        |key: &str| architecture.as_ref().and_then(|name| number(&format!("{name}.{key}")));
    let context_tokens = of_architecture("context_length");
    let vocabulary = number("tokenizer.ggml.tokens").or_else(|| of_architecture("vocab_size"));

    let mut by_type: BTreeMap<&str, (u32, u64)> = BTreeMap::new();
    let mut parameters = 0_u64;
    for tensor in &header.tensors {
        let sum = by_type.entry(&tensor.tensor_type).or_default();
        sum.0 += 1;
        sum.1 = sum.1.saturating_add(tensor.bytes.unwrap_or(0));
        parameters = parameters.saturating_add(tensor.elements());
    }
    let mut tensor_types: Vec<TensorTypeBytes> = by_type
        .into_iter()
        .map(|(name, (tensors, bytes))| TensorTypeBytes {
            tensor_type: name.to_owned(),
            tensors,
            bytes,
        })
        .collect();
    // Stable: types with as many bytes stay in the order of their names.
    tensor_types.sort_by_key(|row| std::cmp::Reverse(row.bytes));
    GgufFacts {
        version: header.version,
        architecture,
        context_tokens,
        vocabulary,
        parameters,
        alignment: header.alignment,
        metadata: header.metadata,
        tensors: header.tensors,
        tensor_types,
        file_bytes,
    }
}

/// Says what the first bytes are, and what they look like.
fn not_gguf(first: &[u8]) -> String {
    if first.is_empty() {
        return "is empty".into();
    }
    let looks_like = if first.starts_with(b"PK\x03\x04") {
        "; it looks like a zip archive (PyTorch checkpoints and wheels are such)"
    } else if first.starts_with(b"version https:/") {
        "; it looks like a Git LFS pointer: the file itself was never fetched"
    } else if first.starts_with(b"<") {
        "; it looks like a web page: the download went wrong"
    } else if first.len() > 8 && first[8] == b'{' {
        "; it looks like safetensors: convert it to GGUF first"
    } else if [&b"tjgg"[..], b"lmgg", b"fmgg", b"algg"].iter().any(|old| first.starts_with(old)) {
        "; it looks like a format that came before GGUF"
    } else {
        ""
    };
    let shown = &first[..first.len().min(8)];
    let hex: Vec<String> = shown.iter().map(|byte| format!("{byte:02x}")).collect();
    format!(
        "is not a GGUF file: it starts with {} (\"{}\"), not with \"GGUF\"{looks_like}",
        hex.join(" "),
        shown.escape_ascii(),
    )
}

#[cfg(test)]
#[path = "facts_tests.rs"]
mod tests;
