//! A scratch file of values: little-endian f32, hashed while they are written.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::EngineError;

/// A file that is being written. Unless it is finished it is removed again, so that no half of a
/// file is ever taken for a whole one.
#[derive(Debug)]
pub(super) struct ValuesFile<'path> {
    path: &'path str,
    writer: BufWriter<File>,
    hasher: blake3::Hasher,
    bytes: Vec<u8>,
    finished: bool,
}

impl<'path> ValuesFile<'path> {
    pub(super) fn create(path: &'path str) -> Result<Self, EngineError> {
        let file = File::create(Path::new(path)).map_err(|error| failed(path, &error))?;
        Ok(Self {
            path,
            writer: BufWriter::new(file),
            hasher: blake3::Hasher::new(),
            bytes: Vec::new(),
            finished: false,
        })
    }

    pub(super) fn write(&mut self, values: &[f32]) -> Result<(), EngineError> {
        self.bytes.resize(size_of_val(values), 0);
        let (places, _) = self.bytes.as_chunks_mut();
        for (place, value) in places.iter_mut().zip(values) {
            *place = value.to_le_bytes();
        }
        self.hasher.update(&self.bytes);
        self.writer.write_all(&self.bytes).map_err(|error| failed(self.path, &error))
    }

    /// Keeps the file and tells its BLAKE3, hexadecimal.
    pub(super) fn finish(mut self) -> Result<String, EngineError> {
        self.writer.flush().map_err(|error| failed(self.path, &error))?;
        self.finished = true;
        Ok(self.hasher.finalize().to_hex().to_string())
    }
}

impl Drop for ValuesFile<'_> {
    fn drop(&mut self) {
        if !self.finished {
            // The failure that came first is the one to tell.
            let _ = fs::remove_file(self.path);
        }
    }
}

fn failed(path: &str, error: &io::Error) -> EngineError {
    EngineError::Scratch(format!("{path} cannot be written: {error}"))
}
