//! Metadata and tensor infos, in the order in which they lie in the file.

use std::collections::BTreeMap;
use std::io::{Read, Seek};

use super::source::{ReadFault, Source};
use super::tensor_type::tensor_type;

/// Real files have some dozens of keys and up to some ten thousand tensors.
const MOST_KEYS: u64 = 65_536;
const MOST_TENSORS: u64 = 1 << 20;
/// As ggml's `GGML_MAX_DIMS`.
const MOST_DIMENSIONS: u32 = 4;
/// Names are short; ggml itself keeps 64 bytes of a tensor's name.
const MOST_NAME_BYTES: u64 = 65_535;
/// Strings longer than this (chat templates are some kB) are passed over.
const MOST_KEPT_TEXT_BYTES: u64 = 65_536;
/// All kept strings together.
const MOST_KEPT_BYTES: u64 = 16 << 20;
/// Arrays within arrays.
const MOST_NESTING: u32 = 4;
/// `GGUF_DEFAULT_ALIGNMENT`.
const DEFAULT_ALIGNMENT: u64 = 32;

/// The value of a metadata key.
#[derive(Debug, Clone, PartialEq)]
pub enum MetadataValue {
    /// Any unsigned type, and signed ones that are not negative.
    Unsigned(u64),
    /// A negative value.
    Signed(i64),
    /// Either float type.
    Float(f64),
    /// A truth value.
    Bool(bool),
    /// A string of at most 64 KiB.
    Text(String),
    /// A longer string: its length in bytes.
    LongText(u64),
    /// An array: its number of elements, which are not kept.
    Array(u64),
}

/// One tensor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TensorInfo {
    /// As in the file.
    pub name: String,
    /// Elements by dimension, the innermost first.
    pub dimensions: Vec<u64>,
    /// ggml's name in lower case, or `type_<number>` for one that is unknown here.
    pub tensor_type: String,
    /// From the start of the data section, bytes.
    pub offset: u64,
    /// Bytes; `None` when the type is unknown here.
    pub bytes: Option<u64>,
}

impl TensorInfo {
    /// Number of elements. Cannot overflow: checked when read.
    #[must_use]
    pub fn elements(&self) -> u64 {
        self.dimensions.iter().product()
    }
}

/// What stands before the data section.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) version: u32,
    pub(super) metadata: BTreeMap<String, MetadataValue>,
    pub(super) tensors: Vec<TensorInfo>,
    pub(super) alignment: u64,
    /// Where the data section starts, bytes from the start of the file.
    pub(super) data_start: u64,
}

/// Reads the header; the source stands after the magic number.
pub(super) fn read_header<R: Read + Seek>(source: &mut Source<R>) -> Result<Header, ReadFault> {
    let version = source.u32()?;
    if version != 2 && version != 3 {
        let why = if version.swap_bytes() <= 3 {
            "it is a big-endian GGUF, which is not supported".to_owned()
        } else {
            format!("GGUF version {version} is not supported (2 and 3 are)")
        };
        return Err(ReadFault::Malformed(why));
    }
    let tensor_count = source.u64()?;
    let key_count = source.u64()?;
    limit("tensors", tensor_count, MOST_TENSORS)?;
    limit("metadata keys", key_count, MOST_KEYS)?;

    let mut metadata = BTreeMap::new();
    let mut kept = 0;
    for _ in 0..key_count {
        let key = name(source, "a metadata key")?;
        let kind = source.u32()?;
        let value = value(source, kind, 0, &mut kept)?;
        if metadata.insert(key.clone(), value).is_some() {
            return Err(ReadFault::Malformed(format!("the key {key:?} occurs twice")));
        }
    }
    let alignment = match metadata.get("general.alignment") {
        None => DEFAULT_ALIGNMENT,
        Some(MetadataValue::Unsigned(value)) if value.is_power_of_two() && *value <= 1 << 20 => {
            *value
        }
        Some(_) => {
            let why = "`general.alignment` is no power of two up to a megabyte";
            return Err(ReadFault::Malformed(why.into()));
        }
    };

    let mut tensors = Vec::new();
    for _ in 0..tensor_count {
        tensors.push(tensor(source, alignment)?);
    }
    let data_start = source.position().next_multiple_of(alignment);
    Ok(Header { version, metadata, tensors, alignment, data_start })
}

fn limit(what: &str, count: u64, most: u64) -> Result<(), ReadFault> {
    if count > most {
        return Err(ReadFault::Malformed(format!("it claims {count} {what} (at most {most})")));
    }
    Ok(())
}

fn name<R: Read + Seek>(source: &mut Source<R>, what: &str) -> Result<String, ReadFault> {
    let bytes = source.u64()?;
    if bytes > MOST_NAME_BYTES {
        return Err(ReadFault::Malformed(format!("{what} claims {bytes} bytes")));
    }
    source.text(bytes)
}

fn value<R: Read + Seek>(
    source: &mut Source<R>,
    kind: u32,
    nesting: u32,
    kept: &mut u64,
) -> Result<MetadataValue, ReadFault> {
    let signed = |value: i64| {
        u64::try_from(value).map_or(MetadataValue::Signed(value), MetadataValue::Unsigned)
    };
    Ok(match kind {
        0 => MetadataValue::Unsigned(source.u8()?.into()),
        1 => signed(source.u8()?.cast_signed().into()),
        2 => MetadataValue::Unsigned(source.u16()?.into()),
        3 => signed(source.u16()?.cast_signed().into()),
        4 => MetadataValue::Unsigned(source.u32()?.into()),
        5 => signed(source.u32()?.cast_signed().into()),
        6 => MetadataValue::Float(f32::from_bits(source.u32()?).into()),
        7 => MetadataValue::Bool(source.u8()? != 0),
        8 => {
            let bytes = source.u64()?;
            source.require(bytes)?;
            if bytes > MOST_KEPT_TEXT_BYTES || *kept + bytes > MOST_KEPT_BYTES {
                source.skip(bytes)?;
                MetadataValue::LongText(bytes)
            } else {
                *kept += bytes;
                MetadataValue::Text(source.text(bytes)?)
            }
        }
        9 => MetadataValue::Array(skip_array(source, nesting)?),
        10 => MetadataValue::Unsigned(source.u64()?),
        11 => signed(source.u64()?.cast_signed()),
        12 => MetadataValue::Float(f64::from_bits(source.u64()?)),
        other => {
            return Err(ReadFault::Malformed(format!("metadata of the unknown type {other}")));
        }
    })
}

/// Passes over an array and gives its number of elements.
fn skip_array<R: Read + Seek>(source: &mut Source<R>, nesting: u32) -> Result<u64, ReadFault> {
    if nesting >= MOST_NESTING {
        return Err(ReadFault::Malformed("arrays are nested too deeply".into()));
    }
    let kind = source.u32()?;
    let count = source.u64()?;
    let fixed: Option<u64> = match kind {
        0 | 1 | 7 => Some(1),
        2 | 3 => Some(2),
        4..=6 => Some(4),
        10..=12 => Some(8),
        8 | 9 => None,
        other => {
            return Err(ReadFault::Malformed(format!("an array of the unknown type {other}")));
        }
    };
    if let Some(size) = fixed {
        source.skip(count.saturating_mul(size))?;
        return Ok(count);
    }
    // Each string or array needs its 8 bytes of length, so a false count ends with the file.
    source.require(count.saturating_mul(8))?;
    for _ in 0..count {
        if kind == 8 {
            let bytes = source.u64()?;
            source.skip(bytes)?;
        } else {
            skip_array(source, nesting + 1)?;
        }
    }
    Ok(count)
}

fn tensor<R: Read + Seek>(source: &mut Source<R>, alignment: u64) -> Result<TensorInfo, ReadFault> {
    let name = name(source, "a tensor's name")?;
    let count = source.u32()?;
    if count > MOST_DIMENSIONS {
        let why = format!("tensor {name:?} claims {count} dimensions (at most {MOST_DIMENSIONS})");
        return Err(ReadFault::Malformed(why));
    }
    let mut dimensions = Vec::new();
    for _ in 0..count {
        dimensions.push(source.u64()?);
    }
    let number = source.u32()?;
    let offset = source.u64()?;
    let elements = dimensions
        .iter()
        .try_fold(1_u64, |product, dimension| product.checked_mul(*dimension))
        .ok_or_else(|| ReadFault::Malformed(format!("tensor {name:?} is impossibly large")))?;
    if !offset.is_multiple_of(alignment) {
        let why = format!("tensor {name:?} lies at {offset}, not a multiple of {alignment}");
        return Err(ReadFault::Malformed(why));
    }
    let Some(known) = tensor_type(number) else {
        let tensor_type = format!("type_{number}");
        return Ok(TensorInfo { name, dimensions, tensor_type, offset, bytes: None });
    };
    if !dimensions.first().copied().unwrap_or(1).is_multiple_of(known.block_elements) {
        let why = format!(
            "rows of tensor {name:?} are no multiple of {}, the block of {}",
            known.block_elements, known.name
        );
        return Err(ReadFault::Malformed(why));
    }
    let bytes = (elements / known.block_elements)
        .checked_mul(known.block_bytes)
        .ok_or_else(|| ReadFault::Malformed(format!("tensor {name:?} is impossibly large")))?;
    Ok(TensorInfo {
        name,
        dimensions,
        tensor_type: known.name.to_owned(),
        offset,
        bytes: Some(bytes),
    })
}
