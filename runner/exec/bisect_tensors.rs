//! Tensors by name, one in memory at a time: out of a worker's scratch file, or out of a dump.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use engine_protocol::{Observed, ObservedTensor, TensorLayout};

use super::executable::hash_file;
use crate::bisect::{Arrangement, Rows};
use crate::failure::Failure;
use crate::golden::Dump;

/// One side's tensors.
pub(super) trait Tensors {
    /// By the engine's names, in order of execution.
    fn names(&self) -> Vec<String>;

    /// The engine's name of the operation, where it is known.
    fn operation(&self, name: &str) -> Option<&str>;

    /// A tensor in the engine's layout; `None` when there is none of that name.
    fn read(&self, name: &str) -> Result<Option<Rows>, Failure>;

    /// From the engine's layout to this side's own, where that is another.
    fn own_layout(&self, name: &str) -> Option<Arrangement>;
}

/// What a worker wrote.
#[derive(Debug)]
pub(super) struct ObservedFile {
    path: PathBuf,
    tensors: Vec<ObservedTensor>,
    by_name: BTreeMap<String, usize>,
}

impl ObservedFile {
    /// Opens a file after its length, its hash and every place in it were checked against what the
    /// worker said.
    ///
    /// # Errors
    /// Refused when it is not what the worker said it is, or holds nothing.
    pub(super) fn open(path: &Path, observed: Observed) -> Result<ObservedFile, Failure> {
        let fault = |what: String| Failure::refused(what).at(path.display());
        let cannot = |error: std::io::Error| fault(format!("tensors cannot be read: {error}"));
        if observed.tensors.is_empty() {
            return Err(fault(
                "the worker observed no tensors: nothing could be compared".to_owned(),
            ));
        }
        let mut by_name = BTreeMap::new();
        let mut values = 0_u64;
        for (index, tensor) in observed.tensors.iter().enumerate() {
            let count = tensor.rows.checked_mul(tensor.width).filter(|count| *count > 0);
            let end =
                count.and_then(|count| tensor.offset.checked_add(count)).ok_or_else(|| {
                    fault(format!(
                        "the worker says impossible sizes of the tensor `{}`",
                        tensor.name
                    ))
                })?;
            if tensor.offset != values {
                return Err(fault(format!(
                    "the worker places the tensor `{}` at value {}, {values} come before it",
                    tensor.name, tensor.offset
                )));
            }
            values = end;
            if by_name.insert(tensor.name.clone(), index).is_some() {
                return Err(fault(format!("the worker names the tensor `{}` twice", tensor.name)));
            }
        }
        let expected = values.saturating_mul(size_of::<f32>() as u64);
        let found = std::fs::metadata(path).map_err(cannot)?.len();
        if found != expected {
            return Err(fault(format!(
                "the file of tensors has {found} bytes, its {} tensors would have {expected}",
                observed.tensors.len()
            )));
        }
        let hash = hash_file(path).map_err(cannot)?;
        if hash != observed.blake3 {
            return Err(fault(format!(
                "the file of tensors has blake3 {hash}, the worker said {}",
                observed.blake3
            )));
        }
        Ok(ObservedFile { path: path.to_path_buf(), tensors: observed.tensors, by_name })
    }

    fn tensor(&self, name: &str) -> Option<&ObservedTensor> {
        self.by_name.get(name).and_then(|index| self.tensors.get(*index))
    }

    /// Whether a tensor has a row for each position.
    pub(super) fn is_by_position(&self, name: &str) -> bool {
        self.tensor(name).is_some_and(|tensor| tensor.layout == TensorLayout::ByPosition)
    }
}

impl Tensors for ObservedFile {
    fn names(&self) -> Vec<String> {
        self.tensors.iter().map(|tensor| tensor.name.clone()).collect()
    }

    fn operation(&self, name: &str) -> Option<&str> {
        self.tensor(name).map(|tensor| tensor.operation.as_str())
    }

    fn read(&self, name: &str) -> Result<Option<Rows>, Failure> {
        let Some(tensor) = self.tensor(name) else { return Ok(None) };
        let failed = |what: String| Failure::refused(what).at(self.path.display());
        let sizes = usize::try_from(tensor.rows * tensor.width).ok();
        let sizes = sizes.zip(usize::try_from(tensor.width).ok());
        let Some((count, width)) = sizes else {
            return Err(failed(format!("the tensor `{name}` does not fit into memory")));
        };
        let mut bytes = vec![0; count * size_of::<f32>()];
        File::open(&self.path)
            .and_then(|mut file| {
                file.seek(SeekFrom::Start(tensor.offset * size_of::<f32>() as u64))?;
                file.read_exact(&mut bytes)
            })
            .map_err(|error| failed(format!("the tensor `{name}` cannot be read: {error}")))?;
        let values = bytes.chunks_exact(4).map(|chunk| {
            let mut four = [0; 4];
            four.copy_from_slice(chunk);
            f32::from_le_bytes(four)
        });
        Ok(Rows::new(width, values.collect()))
    }

    fn own_layout(&self, _name: &str) -> Option<Arrangement> {
        None
    }
}

/// The name of the embeddings in dumps, and the engine's.
const EMBEDDINGS: (&str, &str) = ("inp_embd", "embd");

/// What the reference computed.
#[derive(Debug)]
pub(super) struct DumpTensors<'dump> {
    dump: &'dump Dump,
    /// Values of a head, where the model says.
    head: Option<usize>,
}

impl<'dump> DumpTensors<'dump> {
    pub(super) fn new(dump: &'dump Dump, head: Option<usize>) -> DumpTensors<'dump> {
        DumpTensors { dump, head }
    }

    /// The name in the dump of an engine's name.
    fn own_name<'name>(&self, name: &'name str) -> Option<&'name str> {
        let has = |wanted: &str| self.dump.order.iter().any(|own| own == wanted);
        if has(name) {
            return Some(name);
        }
        (name == EMBEDDINGS.1 && has(EMBEDDINGS.0)).then_some(EMBEDDINGS.0)
    }
}

impl Tensors for DumpTensors<'_> {
    fn names(&self) -> Vec<String> {
        let engine = |name: &String| match name.as_str() {
            own if own == EMBEDDINGS.0 => EMBEDDINGS.1.to_owned(),
            own => own.to_owned(),
        };
        self.dump.order.iter().map(engine).collect()
    }

    fn operation(&self, _name: &str) -> Option<&str> {
        None
    }

    fn read(&self, name: &str) -> Result<Option<Rows>, Failure> {
        let Some(own) = self.own_name(name) else { return Ok(None) };
        let tensor = self.dump.tensor(own)?;
        let Some(rows) = Rows::new(tensor.width, tensor.values) else { return Ok(None) };
        let layout = self.dump.permuted.get(own).map(String::as_str);
        match (layout, self.head) {
            (None, _) => Ok(Some(rows)),
            (Some("rope_halves"), Some(head)) if rows.width().is_multiple_of(head) => {
                Ok(Some(Arrangement::Interleaved { head }.apply(&rows)))
            }
            (Some(layout), _) => Err(Failure::refused(format!(
                "the layout {layout:?} of `{own}` cannot be turned into the engine's"
            ))
            .at(self.dump.path().display())
            .hint("known is \"rope_halves\", where the model file says how wide a head is")),
        }
    }

    fn own_layout(&self, name: &str) -> Option<Arrangement> {
        let own = self.own_name(name)?;
        self.dump.permuted.get(own)?;
        self.head.map(|head| Arrangement::HalfSplit { head })
    }
}
