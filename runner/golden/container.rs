//! A safetensors file whose header was checked; tensors are read one at a time.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use safetensors::tensor::{Dtype, Metadata, TensorInfo};

use crate::failure::Failure;

/// Longest header that is read: some ten thousand tensors with their names and places.
const MOST_HEADER_BYTES: u64 = 16 << 20;
/// Bytes before the header: its length.
const LENGTH_BYTES: u64 = 8;

/// What to do about a file that is not what it should be.
pub(super) const REGENERATE: &str =
    "restore the committed file, or make it again with the oracle in reference/";

/// A safetensors file that is as long as its header says, with every tensor within it.
#[derive(Debug, Clone)]
pub struct Container {
    path: PathBuf,
    data_start: u64,
    metadata: BTreeMap<String, String>,
    tensors: BTreeMap<String, TensorInfo>,
    order: Vec<String>,
}

impl Container {
    /// Reads and checks the header; no tensor is read.
    ///
    /// # Errors
    /// Refused when the file is missing, is no safetensors file, contradicts itself, or is shorter
    /// or longer than its header says.
    pub fn open(path: &Path) -> Result<Container, Failure> {
        let refused = |what: String| refusal(path, what);
        let length = match std::fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => metadata.len(),
            Ok(_) => return Err(refused("is not a file".into())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(refused("is not there".into()));
            }
            Err(error) => return Err(refused(format!("cannot be examined: {error}"))),
        };
        if length == 0 {
            return Err(refused("is empty: nothing could be compared".into()));
        }
        let cannot = |error: std::io::Error| refused(format!("cannot be read: {error}"));
        let mut file = File::open(path).map_err(cannot)?;
        if length < LENGTH_BYTES {
            return Err(refused(format!("is truncated: {length} bytes are no header")));
        }
        let mut eight = [0; 8];
        file.read_exact(&mut eight).map_err(cannot)?;
        let header_bytes = u64::from_le_bytes(eight);
        if header_bytes > MOST_HEADER_BYTES {
            return Err(refused(format!(
                "is no safetensors file: its header claims {header_bytes} bytes (at most {MOST_HEADER_BYTES})"
            )));
        }
        let data_start = LENGTH_BYTES + header_bytes;
        if data_start > length {
            return Err(refused(format!(
                "is truncated: its header needs {data_start} bytes, the file has {length}"
            )));
        }
        let mut header = vec![0; usize::try_from(header_bytes).unwrap_or(0)];
        file.read_exact(&mut header).map_err(cannot)?;
        let parsed: Metadata = serde_json::from_slice(&header)
            .map_err(|error| refused(format!("its header cannot be understood: {error}")))?;
        let wanted = data_start.saturating_add(parsed.data_len() as u64);
        if length < wanted {
            return Err(refused(format!(
                "is truncated: {} of {wanted} bytes are missing",
                wanted - length
            )));
        }
        if length > wanted {
            return Err(refused(format!("has {} bytes behind its last tensor", length - wanted)));
        }
        let order = parsed.offset_keys();
        let tensors = parsed.tensors().into_iter().map(|(name, info)| (name, info.clone()));
        Ok(Container {
            path: path.to_path_buf(),
            data_start,
            tensors: tensors.collect(),
            order,
            metadata: parsed.metadata().clone().unwrap_or_default().into_iter().collect(),
        })
    }

    /// Where it lies.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Names of the tensors in the order in which they lie in the file.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.order
    }

    /// Lengths of a tensor's dimensions, the slowest first.
    #[must_use]
    pub fn shape(&self, name: &str) -> Option<&[usize]> {
        self.tensors.get(name).map(|info| info.shape.as_slice())
    }

    /// A metadata text.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&str> {
        self.metadata.get(key).map(String::as_str)
    }

    /// The tensor's values as 32-bit floats: float32 as it is, float16 and bfloat16 without loss.
    ///
    /// # Errors
    /// Refused when there is no such tensor, it is of another type, or the file cannot be read.
    pub fn floats(&self, name: &str) -> Result<Vec<f32>, Failure> {
        let info = self.info(name)?;
        let widen: fn([u8; 2]) -> f32 = match info.dtype {
            Dtype::F32 => {
                let bytes = self.bytes(info)?;
                return Ok(fours(&bytes).map(f32::from_le_bytes).collect());
            }
            Dtype::BF16 => |two| f32::from_bits(u32::from(u16::from_le_bytes(two)) << 16),
            Dtype::F16 => |two| widened(u16::from_le_bytes(two)),
            other => return Err(self.other_type(name, other, "F32")),
        };
        let bytes = self.bytes(info)?;
        Ok(bytes.chunks_exact(2).map(|pair| widen([pair[0], pair[1]])).collect())
    }

    /// The tensor's values as 64-bit floats.
    ///
    /// # Errors
    /// As [`Container::floats`].
    pub fn doubles(&self, name: &str) -> Result<Vec<f64>, Failure> {
        let info = self.info(name)?;
        if info.dtype != Dtype::F64 {
            return Err(self.other_type(name, info.dtype, "F64"));
        }
        let bytes = self.bytes(info)?;
        let eights = bytes.chunks_exact(8).map(|chunk| {
            let mut eight = [0; 8];
            eight.copy_from_slice(chunk);
            f64::from_le_bytes(eight)
        });
        Ok(eights.collect())
    }

    /// The tensor's values as 32-bit whole numbers.
    ///
    /// # Errors
    /// As [`Container::floats`].
    pub fn integers(&self, name: &str) -> Result<Vec<i32>, Failure> {
        let info = self.info(name)?;
        if info.dtype != Dtype::I32 {
            return Err(self.other_type(name, info.dtype, "I32"));
        }
        let bytes = self.bytes(info)?;
        Ok(fours(&bytes).map(i32::from_le_bytes).collect())
    }

    /// A refusal about this file.
    pub(super) fn refused(&self, what: impl Into<String>) -> Failure {
        refusal(&self.path, what)
    }

    fn info(&self, name: &str) -> Result<&TensorInfo, Failure> {
        self.tensors
            .get(name)
            .ok_or_else(|| self.refused(format!("the tensor `{name}` is missing")))
    }

    fn other_type(&self, name: &str, is: Dtype, wanted: &str) -> Failure {
        self.refused(format!("the tensor `{name}` is of type {is:?}, not {wanted}"))
    }

    /// The bytes of a tensor. They lie within the file: its length was checked.
    fn bytes(&self, info: &TensorInfo) -> Result<Vec<u8>, Failure> {
        let (start, end) = info.data_offsets;
        let mut bytes = vec![0; end.saturating_sub(start)];
        let place = self.data_start + start as u64;
        File::open(&self.path)
            .and_then(|mut file| {
                file.seek(SeekFrom::Start(place))?;
                file.read_exact(&mut bytes)
            })
            .map_err(|error| self.refused(format!("cannot be read: {error}")))?;
        Ok(bytes)
    }
}

fn refusal(path: &Path, what: impl Into<String>) -> Failure {
    Failure::refused(what).at(path.display()).hint(REGENERATE)
}

fn fours(bytes: &[u8]) -> impl Iterator<Item = [u8; 4]> {
    bytes.chunks_exact(4).map(|chunk| {
        let mut four = [0; 4];
        four.copy_from_slice(chunk);
        four
    })
}

/// An IEEE half-precision number, widened without loss.
fn widened(half: u16) -> f32 {
    let sign = u32::from(half >> 15) << 31;
    let (exponent, fraction) = (u32::from(half >> 10) & 0x1f, u32::from(half) & 0x3ff);
    match exponent {
        0 => {
            // subnormal: the fraction counts steps of 2^-24
            let magnitude = fraction as f32 / 16_777_216.0;
            f32::from_bits(magnitude.to_bits() | sign)
        }
        0x1f => f32::from_bits(sign | 0x7f80_0000 | (fraction << 13)),
        _ => f32::from_bits(sign | ((exponent + 112) << 23) | (fraction << 13)),
    }
}
