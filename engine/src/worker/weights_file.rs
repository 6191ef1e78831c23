//! The loaded tensors as a scratch file.

use engine_protocol::{WeightsFile, WeightsRequest};

use super::values_file::ValuesFile;
use crate::{EngineError, Session};

/// Writes the tensors; a failure leaves no file.
pub(super) fn write(
    session: &Session,
    request: &WeightsRequest,
) -> Result<WeightsFile, EngineError> {
    let mut file = ValuesFile::create(&request.path)?;
    let tensors = session.weights(&request.tensors, &mut |values| file.write(values))?;
    Ok(WeightsFile { path: request.path.clone(), tensors, blake3: file.finish()? })
}
