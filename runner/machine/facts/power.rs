//! What may change the clock's speed: governor, turbo, hardware threads.

use std::collections::BTreeSet;

use crate::machine::processors::{CPUS, processor_folder, processors};
use crate::machine::reading::Reading;
use crate::machine::root::MachineRoot;

/// All governors in use; several, when processors differ.
pub(super) fn governor(root: &MachineRoot) -> Reading<String> {
    let mut governors = BTreeSet::new();
    for number in processors(root) {
        let folder = format!("{}/cpufreq", processor_folder(number));
        if !root.path(&folder).is_dir() {
            continue;
        }
        match root.text(&format!("{folder}/scaling_governor")) {
            Reading::Known(governor) => {
                governors.insert(governor);
            }
            // One that cannot be read could be any: what the others say is not enough.
            Reading::Unknown(reason) => return Reading::Unknown(reason),
        }
    }
    if governors.is_empty() {
        return Reading::unknown(format!(
            "/{CPUS} has no frequency control (usual in virtual machines)"
        ));
    }
    Reading::Known(governors.into_iter().collect::<Vec<_>>().join(","))
}

/// The two places where drivers put the switch.
pub(super) fn turbo(root: &MachineRoot) -> Reading<bool> {
    if let Some(text) = root.text(&format!("{CPUS}/intel_pstate/no_turbo")).known() {
        return switch(text).map(|no_turbo| !no_turbo);
    }
    match root.text(&format!("{CPUS}/cpufreq/boost")) {
        Reading::Known(text) => switch(&text),
        Reading::Unknown(_) => Reading::unknown("no driver has a switch for it"),
    }
}

/// Whether hardware threads are in use.
pub(super) fn smt(root: &MachineRoot) -> Reading<bool> {
    root.text(&format!("{CPUS}/smt/active")).and_then(|text| switch(&text))
}

fn switch(text: &str) -> Reading<bool> {
    match text {
        "0" => Reading::Known(false),
        "1" => Reading::Known(true),
        other => Reading::unknown(format!("neither 0 nor 1 but {other:?}")),
    }
}
