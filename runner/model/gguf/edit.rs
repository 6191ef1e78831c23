//! A changed copy of a GGUF file: other metadata, other bytes in a tensor, or fewer tensors. What
//! is not named stays byte for byte.

use std::io::{BufWriter, Write};
use std::path::Path;

use super::document::Document;
use super::header::TensorInfo;
use super::tensor_type::tensor_type_number;
use crate::failure::Failure;

/// One change.
#[derive(Debug, Clone, PartialEq)]
pub enum Edit {
    /// A key gets this value, as a 32-bit float; it is added where it is missing.
    SetFloat {
        /// `llama.rope.freq_base`, …
        key: String,
        /// The value.
        value: f32,
    },
    /// A key gets this value, as a 32-bit unsigned number; it is added where it is missing.
    SetCount {
        /// `llama.block_count`, …
        key: String,
        /// The value.
        value: u32,
    },
    /// A tensor gets other bytes, of the same number.
    SetTensorBytes {
        /// The tensor.
        name: String,
        /// As its type lays them out.
        bytes: Vec<u8>,
    },
    /// A tensor is left out.
    DropTensor {
        /// The tensor.
        name: String,
    },
}

/// Writes a changed copy. It is written under a temporary name beside the target and renamed, so
/// that no half of a file is ever taken for a whole one.
///
/// # Errors
/// When a change names a tensor that is not there or has another number of bytes, when two changes
/// contradict each other, or when a file cannot be read or written.
pub fn write_edited(source: &Document, target: &Path, edits: &[Edit]) -> Result<(), Failure> {
    check(source, edits)?;
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let cannot = |error: std::io::Error| {
        Failure::failed(format!("cannot be written: {error}")).at(target.display())
    };
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(cannot)?;
    let mut writer = BufWriter::new(file.as_file_mut());
    let kept: Vec<&TensorInfo> =
        source.facts().tensors.iter().filter(|tensor| !is_dropped(edits, &tensor.name)).collect();
    let header = header(source, edits, &kept)?;
    writer.write_all(&header).map_err(cannot)?;
    for tensor in kept {
        let bytes = match replaced(edits, &tensor.name) {
            Some(bytes) => bytes.to_vec(),
            None => source.bytes(source.data_range(tensor)?)?,
        };
        writer.write_all(&bytes).map_err(cannot)?;
        writer.write_all(&padding(bytes.len() as u64, source)).map_err(cannot)?;
    }
    writer.flush().map_err(cannot)?;
    drop(writer);
    file.as_file().sync_all().map_err(cannot)?;
    file.persist(target).map_err(|error| cannot(error.error))?;
    Ok(())
}

fn check(source: &Document, edits: &[Edit]) -> Result<(), Failure> {
    for (index, edit) in edits.iter().enumerate() {
        let subject = subject(edit);
        if edits[..index].iter().any(|earlier| self::subject(earlier) == subject) {
            return Err(source.failed(format!("`{subject}` is to be changed twice")));
        }
        match edit {
            Edit::SetFloat { .. } | Edit::SetCount { .. } => {}
            Edit::DropTensor { name } | Edit::SetTensorBytes { name, .. } => {
                let tensor = source
                    .tensor(name)
                    .ok_or_else(|| source.failed(format!("it has no tensor `{name}`")))?;
                let range = source.data_range(tensor)?;
                if let Edit::SetTensorBytes { bytes, .. } = edit
                    && bytes.len() as u64 != range.end - range.start
                {
                    return Err(source.failed(format!(
                        "tensor `{name}` has {} bytes and cannot get {}",
                        range.end - range.start,
                        bytes.len()
                    )));
                }
            }
        }
    }
    Ok(())
}

fn subject(edit: &Edit) -> &str {
    match edit {
        Edit::SetFloat { key, .. } | Edit::SetCount { key, .. } => key,
        Edit::SetTensorBytes { name, .. } | Edit::DropTensor { name } => name,
    }
}

fn is_dropped(edits: &[Edit], tensor: &str) -> bool {
    edits.iter().any(|edit| matches!(edit, Edit::DropTensor { name } if name == tensor))
}

fn replaced<'edits>(edits: &'edits [Edit], tensor: &str) -> Option<&'edits [u8]> {
    edits.iter().find_map(|edit| match edit {
        Edit::SetTensorBytes { name, bytes } if name == tensor => Some(bytes.as_slice()),
        _ => None,
    })
}

/// The new value of a key: its kind in `enum gguf_type`, and its bytes.
fn set(edits: &[Edit], wanted: &str) -> Option<(u32, [u8; 4])> {
    edits.iter().find_map(|edit| match edit {
        Edit::SetFloat { key, value } if key == wanted => Some((6, value.to_le_bytes())),
        Edit::SetCount { key, value } if key == wanted => Some((4, value.to_le_bytes())),
        _ => None,
    })
}

fn header(source: &Document, edits: &[Edit], kept: &[&TensorInfo]) -> Result<Vec<u8>, Failure> {
    let added: Vec<&str> = edits
        .iter()
        .filter(|edit| matches!(edit, Edit::SetFloat { .. } | Edit::SetCount { .. }))
        .map(subject)
        .filter(|key| source.keys().iter().all(|place| place.name != **key))
        .collect();
    let mut header = Vec::from(*b"GGUF");
    header.extend(source.facts().version.to_le_bytes());
    header.extend((kept.len() as u64).to_le_bytes());
    header.extend(((source.keys().len() + added.len()) as u64).to_le_bytes());
    for place in source.keys() {
        push_text(&mut header, &place.name);
        match set(edits, &place.name) {
            Some((kind, bytes)) => {
                header.extend(kind.to_le_bytes());
                header.extend(bytes);
            }
            None => {
                header.extend(place.kind.to_le_bytes());
                header.extend(source.bytes(place.value.clone())?);
            }
        }
    }
    for key in added {
        if let Some((kind, bytes)) = set(edits, key) {
            push_text(&mut header, key);
            header.extend(kind.to_le_bytes());
            header.extend(bytes);
        }
    }
    let mut offset = 0_u64;
    for tensor in kept {
        push_text(&mut header, &tensor.name);
        header.extend((tensor.dimensions.len() as u32).to_le_bytes());
        for dimension in &tensor.dimensions {
            header.extend(dimension.to_le_bytes());
        }
        let range = source.data_range(tensor)?;
        let number = tensor_type_number(&tensor.tensor_type).ok_or_else(|| {
            source.failed(format!("tensor `{}` is of a type that is unknown here", tensor.name))
        })?;
        header.extend(number.to_le_bytes());
        header.extend(offset.to_le_bytes());
        offset += (range.end - range.start).next_multiple_of(source.facts().alignment);
    }
    let pad = padding(header.len() as u64, source);
    header.extend(pad);
    Ok(header)
}

fn push_text(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend((text.len() as u64).to_le_bytes());
    bytes.extend(text.as_bytes());
}

/// Zeros up to the next place where a tensor may start.
fn padding(length: u64, source: &Document) -> Vec<u8> {
    let missing = length.next_multiple_of(source.facts().alignment) - length;
    vec![0; usize::try_from(missing).unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::gguf::{MetadataValue, inspect};

    fn tiny() -> (tempfile::TempDir, Document) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tiny.gguf");
        std::fs::write(&path, crate::model::tiny::write_model(&crate::model::tiny::TINY)).unwrap();
        let document = Document::read(&path).unwrap();
        (folder, document)
    }

    #[test]
    fn a_copy_without_changes_is_the_file_byte_for_byte() {
        let (folder, document) = tiny();
        let copy = folder.path().join("copy.gguf");
        write_edited(&document, &copy, &[]).unwrap();
        assert_eq!(std::fs::read(&copy).unwrap(), std::fs::read(document.path()).unwrap());
    }

    #[test]
    fn what_is_named_changes_and_nothing_else() {
        let (folder, document) = tiny();
        let copy = folder.path().join("copy.gguf");
        let first = &document.facts().tensors[0];
        let dropped = &document.facts().tensors[1];
        let mut bytes = document.tensor_bytes(&first.name).unwrap();
        bytes[3] ^= 1;
        let edits = [
            Edit::SetFloat { key: "llama.rope.freq_base".into(), value: 5.0 },
            Edit::SetCount { key: "test.added".into(), value: 7 },
            Edit::SetTensorBytes { name: first.name.clone(), bytes: bytes.clone() },
            Edit::DropTensor { name: dropped.name.clone() },
        ];
        write_edited(&document, &copy, &edits).unwrap();
        let changed = Document::read(&copy).unwrap();
        let mut metadata = document.facts().metadata.clone();
        metadata.insert("llama.rope.freq_base".into(), MetadataValue::Float(5.0));
        metadata.insert("test.added".into(), MetadataValue::Unsigned(7));
        assert_eq!(changed.facts().metadata, metadata);
        assert_eq!(changed.tensor_bytes(&first.name).unwrap(), bytes);
        assert_eq!(changed.tensor(&dropped.name), None);
        for tensor in &document.facts().tensors[2..] {
            let (old, new) =
                (document.tensor_bytes(&tensor.name), changed.tensor_bytes(&tensor.name));
            assert_eq!(old.unwrap(), new.unwrap(), "{}", tensor.name);
        }
        assert!(inspect(&copy).is_ok());
    }

    #[test]
    fn impossible_changes_are_refused_and_nothing_is_written() {
        let (folder, document) = tiny();
        let copy = folder.path().join("copy.gguf");
        let name = document.facts().tensors[0].name.clone();
        for (edits, why) in [
            (vec![Edit::DropTensor { name: "none".into() }], "it has no tensor `none`"),
            (
                vec![Edit::SetTensorBytes { name: name.clone(), bytes: vec![0] }],
                "bytes and cannot get 1",
            ),
            (
                vec![
                    Edit::DropTensor { name: name.clone() },
                    Edit::SetTensorBytes { name, bytes: Vec::new() },
                ],
                "is to be changed twice",
            ),
        ] {
            let failure = write_edited(&document, &copy, &edits).unwrap_err();
            assert!(failure.what.contains(why), "{failure}");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn tokens_come_back_in_order() {
        let (_folder, document) = tiny();
        let tokens = document.texts("tokenizer.ggml.tokens").unwrap().unwrap();
        assert_eq!(Some(tokens.len() as u64), document.facts().vocabulary);
        assert_eq!(document.texts("llama.block_count").unwrap(), None);
        assert_eq!(document.texts("none").unwrap(), None);
    }
}
