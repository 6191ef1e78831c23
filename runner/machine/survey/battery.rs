//! Whether the machine runs on its battery: firmware then lowers clocks as it sees fit.

use super::finding::Finding;
use crate::machine::facts::Facts;
use crate::machine::reading::Reading;
use crate::machine::root::MachineRoot;

const SUPPLIES: &str = "sys/class/power_supply";

pub(super) fn finding(root: &MachineRoot, facts: &Facts) -> Finding {
    Finding::judged("battery", source(root, facts), "no battery in use", |source| {
        (source == "in use").then(|| "plug it in: on its battery the clock is lowered".to_owned())
    })
}

/// `none`, `not in use` or `in use`.
fn source(root: &MachineRoot, facts: &Facts) -> Reading<String> {
    if !root.path(SUPPLIES).is_dir() {
        return Reading::unknown(format!("/{SUPPLIES}: not there"));
    }
    let mut found = "none";
    for name in root.names(SUPPLIES) {
        let read = |file: &str| root.text(&format!("{SUPPLIES}/{name}/{file}")).known().cloned();
        // the batteries of mice and the like say `Device`
        let of_the_machine = read("scope").is_none_or(|scope| scope != "Device");
        if read("type").is_none_or(|kind| kind != "Battery") || !of_the_machine {
            continue;
        }
        let Some(status) = read("status") else {
            return Reading::unknown(format!("/{SUPPLIES}/{name}/status cannot be read"));
        };
        match status.as_str() {
            "Discharging" => return Reading::Known("in use".to_owned()),
            "Unknown" => return Reading::unknown("the battery does not say whether it is in use"),
            // `Charging`, `Full`, `Not charging`
            _ => found = "not in use",
        }
    }
    if found == "none" && facts.hypervisor.known().is_none_or(|name| name != "none") {
        return Reading::unknown("a virtual machine is not told of its host's battery");
    }
    Reading::Known(found.to_owned())
}
