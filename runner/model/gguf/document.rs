//! A GGUF file as a whole, part by part, so that a changed copy of it can be written.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::facts::{GgufFacts, inspect};
use super::header::TensorInfo;
use super::source::{ReadFault, Source};
use crate::failure::Failure;

/// Longest list of texts that is read: vocabularies have some hundred thousand tokens.
const MOST_TEXTS: u64 = 1 << 24;

/// Where everything lies in a GGUF file that was found whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    path: PathBuf,
    facts: GgufFacts,
    keys: Vec<KeyPlace>,
    data_start: u64,
}

/// One metadata key as it lies in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KeyPlace {
    pub(super) name: String,
    /// Of `enum gguf_type`.
    pub(super) kind: u32,
    /// Bytes of the value, without its kind.
    pub(super) value: Range<u64>,
}

impl Document {
    /// Reads the header and finds the parts.
    ///
    /// # Errors
    /// As [`inspect`], for a file that is missing, malformed or truncated.
    pub fn read(path: &Path) -> Result<Document, Failure> {
        let facts = inspect(path)?;
        let failed = |why: &str| Failure::failed(why).at(path.display());
        let file =
            File::open(path).map_err(|error| failed(&format!("cannot be opened: {error}")))?;
        let mut source = Source::new(BufReader::new(file), facts.file_bytes);
        let (keys, data_start) =
            places(&mut source, facts.alignment).map_err(|fault| match fault {
                ReadFault::Ended => failed("it ends within its header"),
                ReadFault::Malformed(why) => failed(&why),
                ReadFault::Io(error) => failed(&format!("cannot be read: {error}")),
            })?;
        Ok(Document { path: path.to_path_buf(), facts, keys, data_start })
    }

    /// What the file says of itself.
    #[must_use]
    pub fn facts(&self) -> &GgufFacts {
        &self.facts
    }

    /// Where it lies.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A tensor by its name.
    #[must_use]
    pub fn tensor(&self, name: &str) -> Option<&TensorInfo> {
        self.facts.tensors.iter().find(|tensor| tensor.name == name)
    }

    /// The bytes of a tensor as they lie in the file.
    ///
    /// # Errors
    /// When there is no such tensor, its type is unknown here, or the file cannot be read.
    pub fn tensor_bytes(&self, name: &str) -> Result<Vec<u8>, Failure> {
        let tensor =
            self.tensor(name).ok_or_else(|| self.failed(format!("it has no tensor `{name}`")))?;
        let range = self.data_range(tensor)?;
        self.bytes(range)
    }

    /// A list of texts, such as `tokenizer.ggml.tokens`; `None` where the key is missing or is no
    /// list of texts. Texts are bytes: tokens need not be UTF-8.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn texts(&self, key: &str) -> Result<Option<Vec<Vec<u8>>>, Failure> {
        let Some(place) = self.keys.iter().find(|place| place.name == key && place.kind == 9)
        else {
            return Ok(None);
        };
        let bytes = self.bytes(place.value.clone())?;
        let mut rest = bytes.as_slice();
        let (Some(8), Some(count)) = (take_u32(&mut rest), take_u64(&mut rest)) else {
            return Ok(None);
        };
        if count > MOST_TEXTS {
            return Err(self.failed(format!("`{key}` claims {count} texts")));
        }
        let mut texts = Vec::new();
        for _ in 0..count {
            let text = take_u64(&mut rest)
                .and_then(|length| usize::try_from(length).ok())
                .and_then(|length| rest.split_at_checked(length));
            let Some((text, left)) = text else {
                return Err(self.failed(format!("`{key}` ends within a text")));
            };
            texts.push(text.to_vec());
            rest = left;
        }
        Ok(Some(texts))
    }

    /// Keys with this beginning, in the order of the file: name, number of the type, and the bytes
    /// of the value as they lie there.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(in crate::model) fn raw_values(
        &self,
        beginning: &str,
    ) -> Result<Vec<(String, u32, Vec<u8>)>, Failure> {
        let wanted = self.keys.iter().filter(|place| place.name.starts_with(beginning));
        wanted
            .map(|place| Ok((place.name.clone(), place.kind, self.bytes(place.value.clone())?)))
            .collect()
    }

    /// Keys in the order of the file.
    pub(super) fn keys(&self) -> &[KeyPlace] {
        &self.keys
    }

    /// Where a tensor's bytes lie, from the start of the file.
    pub(super) fn data_range(&self, tensor: &TensorInfo) -> Result<Range<u64>, Failure> {
        let bytes = tensor.bytes.ok_or_else(|| {
            let why = format!("tensor `{}` is of a type that is unknown here", tensor.name);
            self.failed(why)
        })?;
        let start = self.data_start + tensor.offset;
        Ok(start..start + bytes)
    }

    /// Bytes of the file; the range lies within it.
    pub(super) fn bytes(&self, range: Range<u64>) -> Result<Vec<u8>, Failure> {
        let cannot = |error: std::io::Error| self.failed(format!("cannot be read: {error}"));
        if range.end > self.facts.file_bytes || range.start > range.end {
            return Err(self.failed("it ends within a part of it"));
        }
        let length = usize::try_from(range.end - range.start)
            .map_err(|_| self.failed("a part of it does not fit into memory"))?;
        let mut file = File::open(&self.path).map_err(cannot)?;
        file.seek(SeekFrom::Start(range.start)).map_err(cannot)?;
        let mut bytes = vec![0; length];
        file.read_exact(&mut bytes).map_err(cannot)?;
        Ok(bytes)
    }

    pub(super) fn failed(&self, what: impl Into<String>) -> Failure {
        Failure::failed(what.into()).at(self.path.display())
    }
}

fn take_u32(rest: &mut &[u8]) -> Option<u32> {
    let (first, left) = rest.split_first_chunk::<4>()?;
    *rest = left;
    Some(u32::from_le_bytes(*first))
}

fn take_u64(rest: &mut &[u8]) -> Option<u64> {
    let (first, left) = rest.split_first_chunk::<8>()?;
    *rest = left;
    Some(u64::from_le_bytes(*first))
}

/// The places of all keys, and where the data start. The header is known to be well formed.
fn places<R: Read + Seek>(
    source: &mut Source<R>,
    alignment: u64,
) -> Result<(Vec<KeyPlace>, u64), ReadFault> {
    source.skip(8)?; // magic number and version
    let tensors = source.u64()?;
    let count = source.u64()?;
    let mut keys = Vec::new();
    for _ in 0..count {
        let length = source.u64()?;
        let name = source.text(length)?;
        let kind = source.u32()?;
        let start = source.position();
        skip_value(source, kind)?;
        keys.push(KeyPlace { name, kind, value: start..source.position() });
    }
    for _ in 0..tensors {
        let length = source.u64()?;
        source.skip(length)?;
        let dimensions = u64::from(source.u32()?);
        source.skip(dimensions * 8 + 4 + 8)?; // lengths, type, offset
    }
    Ok((keys, source.position().next_multiple_of(alignment)))
}

fn skip_value<R: Read + Seek>(source: &mut Source<R>, kind: u32) -> Result<(), ReadFault> {
    match kind {
        0 | 1 | 7 => source.skip(1),
        2 | 3 => source.skip(2),
        4..=6 => source.skip(4),
        10..=12 => source.skip(8),
        8 => {
            let length = source.u64()?;
            source.skip(length)
        }
        9 => {
            let kind = source.u32()?;
            let count = source.u64()?;
            (0..count).try_for_each(|_| skip_value(source, kind))
        }
        other => Err(ReadFault::Malformed(format!("metadata of the unknown type {other}"))),
    }
}
