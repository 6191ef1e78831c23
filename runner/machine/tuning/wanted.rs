//! What is changed: the governor of every processor, and turbo.

use crate::machine::processors::{CPUS, processor_folder, processors};
use crate::machine::root::MachineRoot;

/// A file below the root, and what it should hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) path: String,
    pub(super) value: &'static str,
}

/// Files that are there. Those that are not are no refusal: a virtual machine has none of them.
pub(super) fn wanted(root: &MachineRoot) -> Vec<Wanted> {
    let governors = processors(root).into_iter().map(|number| Wanted {
        path: format!("{}/cpufreq/scaling_governor", processor_folder(number)),
        value: "performance",
    });
    // the two places where drivers put the switch, with opposite meanings
    let turbo = [
        Wanted { path: format!("{CPUS}/intel_pstate/no_turbo"), value: "1" },
        Wanted { path: format!("{CPUS}/cpufreq/boost"), value: "0" },
    ];
    governors.chain(turbo).filter(|wanted| root.path(&wanted.path).exists()).collect()
}
