//! `/proc/cpuinfo`, for x86 and Arm.

use std::collections::BTreeMap;

use crate::machine::reading::Reading;
use crate::machine::root::MachineRoot;

/// What the first processor says of itself.
pub(super) struct Processor {
    pub(super) model: Reading<String>,
    pub(super) vendor: Reading<String>,
    pub(super) revision: Reading<String>,
    pub(super) microcode: Reading<String>,
    /// Names of its capabilities.
    pub(super) flags: Reading<Vec<String>>,
}

impl Processor {
    pub(super) fn read(root: &MachineRoot) -> Processor {
        let keys = root.text("proc/cpuinfo").map(|text| first_processor(&text));
        let one = |names: &[&str]| {
            keys.clone().and_then(|keys| {
                let found = names.iter().find_map(|name| keys.get(*name).cloned());
                Reading::from_option(found, format!("/proc/cpuinfo has no `{}`", names[0]))
            })
        };
        let three = |names: [&str; 3]| {
            let parts: Option<Vec<String>> =
                names.iter().map(|name| one(&[*name]).known().cloned()).collect();
            parts.map(|parts| parts.join("/"))
        };
        let revision = three(["cpu family", "model", "stepping"])
            .or_else(|| three(["CPU part", "CPU variant", "CPU revision"]));
        let flags = one(&["flags", "Features"])
            .map(|text| text.split_whitespace().map(str::to_owned).collect());
        Processor {
            model: one(&["model name", "Processor", "cpu model"]),
            vendor: one(&["vendor_id", "CPU implementer"]),
            revision: Reading::from_option(revision, "/proc/cpuinfo does not say"),
            microcode: one(&["microcode"]),
            flags,
        }
    }
}

/// `key : value` lines up to the first empty line; empty values are left out.
fn first_processor(text: &str) -> BTreeMap<String, String> {
    text.lines()
        .take_while(|line| !line.trim().is_empty())
        .filter_map(|line| line.split_once(':'))
        .map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned()))
        .filter(|(_, value)| !value.is_empty() && value != "unknown")
        .collect()
}
