//! Rows of logits out of a scratch file, one at a time.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use engine_protocol::LogitsFile;

use super::executable::hash_file;
use crate::failure::Failure;

/// Reads a file row by row; holds one row.
#[derive(Debug)]
pub(super) struct RowReader {
    file: BufReader<File>,
    path: PathBuf,
    rows_left: u32,
    bytes: Vec<u8>,
    row: Vec<f32>,
}

impl RowReader {
    /// Opens a file after its length and hash were checked against what the worker said.
    ///
    /// # Errors
    /// When it is not what the worker said it is.
    pub(super) fn open(path: &Path, file: &LogitsFile) -> Result<RowReader, Failure> {
        let fault = |what: String| Failure::failed(what).at(path.display());
        let cannot = |error: std::io::Error| fault(format!("logits cannot be read: {error}"));
        let row_bytes = file.vocabulary as usize * size_of::<f32>();
        let expected = row_bytes as u64 * u64::from(file.positions);
        let found = std::fs::metadata(path).map_err(cannot)?.len();
        if found != expected || expected == 0 {
            return Err(fault(format!(
                "the file of logits has {found} bytes, {} rows of {} would have {expected}",
                file.positions, file.vocabulary
            )));
        }
        let hash = hash_file(path).map_err(cannot)?;
        if hash != file.blake3 {
            return Err(fault(format!(
                "the file of logits has blake3 {hash}, the worker said {}",
                file.blake3
            )));
        }
        Ok(RowReader {
            file: BufReader::new(File::open(path).map_err(cannot)?),
            path: path.to_path_buf(),
            rows_left: file.positions,
            bytes: vec![0; row_bytes],
            row: vec![0.0; file.vocabulary as usize],
        })
    }

    /// The next row.
    pub(super) fn next_row(&mut self) -> Result<Option<&[f32]>, Failure> {
        if self.rows_left == 0 {
            return Ok(None);
        }
        self.rows_left -= 1;
        self.file.read_exact(&mut self.bytes).map_err(|error| {
            Failure::failed(format!("logits cannot be read: {error}")).at(self.path.display())
        })?;
        for (value, bytes) in self.row.iter_mut().zip(self.bytes.chunks_exact(4)) {
            let mut four = [0; 4];
            four.copy_from_slice(bytes);
            *value = f32::from_le_bytes(four);
        }
        Ok(Some(&self.row))
    }
}
