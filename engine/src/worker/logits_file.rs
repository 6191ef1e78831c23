//! Logits as a scratch file: rows of values.

use engine_protocol::{LogitsFile, LogitsRequest};

use super::values_file::ValuesFile;
use crate::{EngineError, Session};

/// Evaluates the text and writes the rows; a failure leaves no file.
pub(super) fn write(
    session: &mut Session,
    request: &LogitsRequest,
) -> Result<LogitsFile, EngineError> {
    let mut file = ValuesFile::create(&request.path)?;
    let rows = session.logits(request, &mut |row| file.write(row))?;
    let positions = u32::try_from(rows).map_err(|_| {
        EngineError::Context(format!("{rows} rows are more than the protocol can say"))
    })?;
    Ok(LogitsFile {
        path: request.path.clone(),
        positions,
        vocabulary: session.model().facts().vocabulary,
        blake3: file.finish()?,
    })
}
