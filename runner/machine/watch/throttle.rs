//! `thermal_throttle/*_throttle_count` of every processor: how often a core or its package was
//! slowed by heat or power since boot (x86; the kernel's `therm_throt.c`).

use crate::machine::processors::{processor_folder, processors};
use crate::machine::reading::Reading;
use crate::machine::root::MachineRoot;

const COUNTERS: [&str; 2] = ["core_throttle_count", "package_throttle_count"];

/// The sum over all processors and both counters. A package's count stands at each of its
/// processors, so the sum says that something was slowed, not how often.
pub(super) fn throttle_events(root: &MachineRoot) -> Reading<u64> {
    let mut sum: Option<u64> = None;
    for number in processors(root) {
        let folder = format!("{}/thermal_throttle", processor_folder(number));
        if !root.path(&folder).is_dir() {
            continue;
        }
        let mut own: Option<u64> = None;
        for counter in COUNTERS {
            let file = format!("{folder}/{counter}");
            // some processors have only one of the two
            let Reading::Known(text) = root.text(&file) else { continue };
            let Ok(count) = text.parse::<u64>() else {
                return Reading::unknown(format!("/{file} holds no number"));
            };
            own = Some(own.unwrap_or(0).saturating_add(count));
        }
        match own {
            Some(own) => sum = Some(sum.unwrap_or(0).saturating_add(own)),
            // one that cannot be read may be the one that is slowed
            None => return Reading::unknown(format!("/{folder} has no counter that can be read")),
        }
    }
    Reading::from_option(sum, "no processor counts it (usual in virtual machines and on Arm)")
}
