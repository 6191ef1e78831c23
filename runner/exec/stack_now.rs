//! What figures depend on, as it is on this machine now.

use super::greet::greet;
use super::prepare::executables;
use super::provenance::machine_now;
use crate::failure::Failure;
use crate::manifest::WorkerChoice;
use crate::project::Project;
use crate::record::StackNow;

/// Reads the machine's facts, and asks the built-in engine for its own where there is one.
///
/// # Errors
/// When the program's own executable cannot be found.
pub fn stack_now(project: &Project) -> Result<StackNow, Failure> {
    let greeting = greet(&WorkerChoice::Native, &executables(&project.root)?);
    Ok(StackNow { machine: machine_now(), engine: greeting.ok().map(|greeting| greeting.engine) })
}
