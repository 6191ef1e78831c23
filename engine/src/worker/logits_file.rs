//! Logits as a scratch file: rows of little-endian f32, hashed while they are written.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use engine_protocol::{LogitsFile, LogitsRequest};

use crate::{EngineError, Session};

/// Evaluates the text and writes the rows. What was written is removed again when anything fails,
/// so that no half of a file is ever taken for a whole one.
pub(super) fn write(
    session: &mut Session,
    request: &LogitsRequest,
) -> Result<LogitsFile, EngineError> {
    let path = Path::new(&request.path);
    let failed = |error: io::Error| {
        EngineError::Scratch(format!("{} cannot be written: {error}", request.path))
    };
    let file = File::create(path).map_err(failed)?;
    let written = write_rows(session, request, file, failed);
    if written.is_err() {
        // The first failure is the one to tell.
        let _ = fs::remove_file(path);
    }
    written
}

fn write_rows(
    session: &mut Session,
    request: &LogitsRequest,
    file: File,
    failed: impl Fn(io::Error) -> EngineError,
) -> Result<LogitsFile, EngineError> {
    let vocabulary = session.model().facts().vocabulary;
    let mut writer = BufWriter::new(file);
    let mut hasher = blake3::Hasher::new();
    let mut bytes = Vec::with_capacity(vocabulary as usize * size_of::<f32>());
    let rows = session.logits(&request.tokens, request.from_position as usize, |row| {
        bytes.clear();
        bytes.extend(row.iter().flat_map(|logit| logit.to_le_bytes()));
        hasher.update(&bytes);
        writer.write_all(&bytes).map_err(&failed)
    })?;
    writer.flush().map_err(&failed)?;
    let positions = u32::try_from(rows).map_err(|_| {
        EngineError::Context(format!("{rows} rows are more than the protocol can say"))
    })?;
    Ok(LogitsFile {
        path: request.path.clone(),
        positions,
        vocabulary,
        blake3: hasher.finalize().to_hex().to_string(),
    })
}
