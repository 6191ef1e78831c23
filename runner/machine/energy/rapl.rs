//! RAPL: the processor packages' own counters, Intel's and AMD's, as Linux's powercap shows them.
//! A package's zone holds all of its cores, caches and graphics; memory is a zone of its own, which
//! few machines have, and is left out so that figures mean the same on all of them.

use std::time::Duration;

use super::{MachineRoot, Reading};

const FOLDER: &str = "sys/class/powercap";

/// How often the counters move. Source: Intel 64 and IA-32 Architectures Software Developer's Manual,
/// volume 3, "RAPL Interfaces": about every millisecond.
pub(super) const UPDATE_PERIOD: Duration = Duration::from_millis(1);

/// A package's counter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Zone {
    /// `intel-rapl:0 package-0`. AMD's have the same names.
    pub(super) name: String,
    file: String,
    /// Where it begins again from zero.
    range: Reading<u64>,
}

/// The zones of all packages, each of which can be read.
pub(super) fn zones(root: &MachineRoot) -> Reading<Vec<Zone>> {
    let mut zones = Vec::new();
    for folder in root.names(FOLDER) {
        // `intel-rapl:0:1` is a part of `intel-rapl:0`
        let Some(number) = folder.strip_prefix("intel-rapl:") else { continue };
        if number.contains(':') {
            continue;
        }
        let path = format!("{FOLDER}/{folder}");
        let name = root.text(&format!("{path}/name"));
        // `psys` is the whole platform, and the packages are in it
        let Some(package) = name.known().filter(|name| name.starts_with("package")) else {
            continue;
        };
        let zone = Zone {
            name: format!("{folder} {package}"),
            file: format!("{path}/energy_uj"),
            range: number_in(root, &format!("{path}/max_energy_range_uj")),
        };
        // a package that cannot be read could have taken anything
        if let Reading::Unknown(why) = zone.read(root) {
            return Reading::unknown(format!("RAPL: {why}"));
        }
        zones.push(zone);
    }
    if zones.is_empty() {
        return Reading::unknown(format!(
            "RAPL: no processor package has a counter below /{FOLDER} (usual in virtual machines)"
        ));
    }
    Reading::Known(zones)
}

/// Whether any package shows a counter, readable or not.
#[cfg(feature = "cuda")]
pub(super) fn is_there(root: &MachineRoot) -> bool {
    root.names(FOLDER).iter().any(|name| name.starts_with("intel-rapl:"))
}

impl Zone {
    /// Microjoules so far.
    pub(super) fn read(&self, root: &MachineRoot) -> Reading<u64> {
        number_in(root, &self.file)
    }

    /// Microjoules between two readings; `None` where the counter began again and its range is not
    /// known.
    pub(super) fn between(&self, before: u64, after: u64) -> Option<u64> {
        match after.checked_sub(before) {
            Some(moved) => Some(moved),
            None => self.range.known()?.checked_sub(before)?.checked_add(after),
        }
    }
}

fn number_in(root: &MachineRoot, file: &str) -> Reading<u64> {
    root.text(file).and_then(|text| {
        Reading::from_option(text.parse().ok(), format!("/{file} holds no number but {text:.20?}"))
    })
}
