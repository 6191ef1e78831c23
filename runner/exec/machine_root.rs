//! Which machine is read: this one, or one that files describe.

use std::path::PathBuf;
use std::time::Duration;

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

/// What a described machine plays of its clocks: they are this machine's, and these are added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PlayedClocks {
    /// File `slept_milliseconds` in its root: how long it has slept since it was started.
    pub(super) slept: Duration,
    /// File `clock_stepped_milliseconds`: by how much its wall clock was set; negative is back.
    stepped_milliseconds: i64,
}

impl PlayedClocks {
    /// Nothing for the real machine, or where a file is not there.
    pub(super) fn read() -> PlayedClocks {
        let root = machine_root();
        let number = |file: &str| {
            let text = (!root.is_live()).then(|| root.text(file))?;
            text.known()?.parse::<i64>().ok()
        };
        let slept = number("slept_milliseconds").and_then(|slept| u64::try_from(slept).ok());
        PlayedClocks {
            slept: Duration::from_millis(slept.unwrap_or(0)),
            stepped_milliseconds: number("clock_stepped_milliseconds").unwrap_or(0),
        }
    }

    pub(super) fn stepped_nanoseconds(self) -> i64 {
        self.stepped_milliseconds.saturating_mul(1_000_000)
    }
}
