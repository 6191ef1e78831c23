//! A build that this processor cannot run is refused before it could be killed by an illegal
//! instruction.

use std::path::Path;
use std::time::Duration;

use crate::exec::machine_root::machine_root;
use crate::exec::tool;
use crate::failure::Failure;
use crate::machine::{Reading, extensions_of, missing_extensions};
use crate::manifest::{Build, BuildSource};

/// A compiler that only lists its macros answers in a moment.
const LIMIT: Duration = Duration::from_secs(30);

/// The extensions that a build will be compiled for, asked of its compiler; `None` where that
/// cannot be told beforehand.
pub(super) fn of(build: &Build, compiler: &str) -> Option<Vec<String>> {
    if matches!(build.spec.source, BuildSource::Libraries { .. }) {
        return None;
    }
    let requested = build.spec.instruction_set.as_deref()?;
    let flag = format!("-march={requested}");
    let arguments = [flag.as_str(), "-dM", "-E", "-x", "c", "/dev/null"];
    let output = tool::run(compiler, &arguments, Path::new("/"), LIMIT).ok()?;
    output.succeeded.then(|| extensions_of(&output.stdout))
}

/// Refuses what was compiled for extensions that this processor does not offer.
///
/// # Errors
/// A refusal that names them.
pub(in crate::exec) fn require(place: &str, compiled: &[String]) -> Result<(), Failure> {
    match missing_extensions(&machine_root(), compiled) {
        Reading::Known(missing) if !missing.is_empty() => Err(Failure::refused(format!(
            "isa: it is compiled for {}, which this processor does not offer",
            missing.join(", ")
        ))
        .at(place)
        .hint("build it for an instruction set that this machine has, or run it on another one")),
        // where the system does not tell, the worker itself asks the processor before it computes
        Reading::Known(_) | Reading::Unknown(_) => Ok(()),
    }
}
