//! Observed tensors as a scratch file.

use engine_protocol::{ObserveRequest, Observed};

use super::values_file::ValuesFile;
use crate::{EngineError, Session};

/// Evaluates the text and writes the tensors; a failure leaves no file.
pub(super) fn write(
    session: &mut Session,
    request: &ObserveRequest,
) -> Result<Observed, EngineError> {
    let mut file = ValuesFile::create(&request.path)?;
    let tensors = session.observe(request, &mut |values| file.write(values))?;
    Ok(Observed { path: request.path.clone(), tensors, blake3: file.finish()? })
}
