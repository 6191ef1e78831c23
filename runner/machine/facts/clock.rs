//! Where the kernel takes the time from.

use crate::machine::reading::Reading;
use crate::machine::root::MachineRoot;

/// `tsc`, `kvm-clock`, `arch_sys_counter`, …
pub(super) fn source(root: &MachineRoot) -> Reading<String> {
    root.text("sys/devices/system/clocksource/clocksource0/current_clocksource")
}
