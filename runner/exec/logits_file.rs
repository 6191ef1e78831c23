//! Rows of logits out of a scratch file, one at a time.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use engine_protocol::LogitsFile;

use super::executable::hash_file;
use crate::failure::Failure;
use crate::stats::floats_of_bytes;

/// Reads a file row by row; holds one row.
#[derive(Debug)]
pub(super) struct RowReader {
    file: File,
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
        let reader = RowReader::open_at(path, file, 0)?;
        let hash = hash_file(path).map_err(cannot)?;
        if hash != file.blake3 {
            return Err(fault(format!(
                "the file of logits has blake3 {hash}, the worker said {}",
                file.blake3
            )));
        }
        Ok(reader)
    }

    /// Opens a file whose hash was checked before, from a row on; its length is checked again.
    ///
    /// # Errors
    /// When it is not as long as the worker said.
    pub(super) fn open_at(
        path: &Path,
        file: &LogitsFile,
        from: usize,
    ) -> Result<RowReader, Failure> {
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
        let mut opened = File::open(path).map_err(cannot)?;
        opened.seek(SeekFrom::Start(row_bytes as u64 * from as u64)).map_err(cannot)?;
        Ok(RowReader {
            file: opened,
            path: path.to_path_buf(),
            rows_left: file.positions.saturating_sub(u32::try_from(from).unwrap_or(u32::MAX)),
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
        floats_of_bytes(&self.bytes, &mut self.row);
        Ok(Some(&self.row))
    }
}
