//! Other forms of a model file.

use std::fs::{self, File};
use std::io;

use engine_protocol::{RequantiseRequest, Requantised};

use crate::native::Library;
use crate::{Engine, EngineError};

impl Engine {
    /// Writes a model file with the same tensors in another type, by the engine's own quantiser.
    /// Every matrix gets the type, the token embeddings and the output included, where the length
    /// of its rows allows it; what the new file really holds is in the answer. Vectors stay as they
    /// are. The file is written under another name in the same folder and renamed when it is whole.
    ///
    /// # Errors
    /// [`EngineError::Model`] when the source cannot be read or the quantiser fails,
    /// [`EngineError::Scratch`] when the target cannot be written, [`EngineError::Request`] for
    /// a number of threads that the engine does not take. No error leaves a file.
    pub fn requantise(&self, request: &RequantiseRequest) -> Result<Requantised, EngineError> {
        let partial = format!("{}.{}.partial", request.target_path, std::process::id());
        let failed = |error: io::Error| {
            EngineError::Scratch(format!("{} cannot be written: {error}", request.target_path))
        };
        // The quantiser opens it again; a folder that cannot be written is told from here.
        let file = File::create(&partial).map_err(failed)?;
        let written = write(self.library(), request, &partial).and_then(|requantised| {
            file.sync_all().map_err(failed)?;
            fs::rename(&partial, &request.target_path).map_err(failed)?;
            Ok(requantised)
        });
        if written.is_err() {
            // The first failure is the one to tell.
            let _ = fs::remove_file(&partial);
        }
        written
    }
}

fn write(
    library: &Library,
    request: &RequantiseRequest,
    partial: &str,
) -> Result<Requantised, EngineError> {
    let source = &request.source_path;
    library.requantise(source, partial, request.form, request.threads).map_err(
        |error| match error {
            EngineError::Model(reason) => {
                EngineError::Model(format!("{source} cannot be written in another form: {reason}"))
            }
            other => other,
        },
    )?;
    let tensor_types = library.tensor_types(partial)?;
    let bytes = fs::metadata(partial)
        .map_err(|error| EngineError::Scratch(format!("{partial} cannot be read: {error}")))?
        .len();
    Ok(Requantised { bytes, tensor_types })
}
