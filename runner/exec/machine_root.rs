//! Which machine is read: this one, or one that files describe.

use std::path::PathBuf;

use crate::machine::{Facts, MachineRoot};

/// Names a folder with `proc` and `sys` of some machine, which is read instead of this one. For
/// tests of the gate: whatever is measured so says `described by files` wherever it is shown.
const VARIABLE: &str = "RUNNER_MACHINE_ROOT";

/// The fact that marks such a run in its provenance.
pub(super) const DESCRIBED_BY: (&str, &str) = ("described_by", "files");

/// The root to read sensors and facts below.
pub(super) fn machine_root() -> MachineRoot {
    let folder = std::env::var_os(VARIABLE).filter(|folder| !folder.is_empty());
    folder.map_or_else(MachineRoot::live, |folder| MachineRoot::below(&PathBuf::from(folder)))
}

/// The machine's name; one that files describe can never have the name of a real one.
pub(super) fn machine_name(facts: &Facts) -> String {
    if machine_root().is_live() { facts.name() } else { format!("described-{}", facts.name()) }
}
