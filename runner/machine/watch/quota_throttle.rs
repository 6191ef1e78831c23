//! `nr_throttled` in `cpu.stat`: periods in which the processes of a container had used up what its
//! quota allows, and were stopped for the rest. The same name in both versions of control groups.

use crate::machine::control_groups::groups;
use crate::machine::reading::Reading;
use crate::machine::root::MachineRoot;

/// The sum over our group and all that it lies in, since boot. A group whose `cpu.stat` has no such
/// line has no quota and cannot be stopped by one.
pub(super) fn throttled_periods(root: &MachineRoot) -> Reading<u64> {
    groups(root).and_then(|groups| {
        let statistics: Vec<String> = groups
            .iter()
            .filter_map(|group| root.text(&format!("{}/cpu.stat", group.folder)).known().cloned())
            .collect();
        if statistics.is_empty() {
            return Reading::unknown("no control group of this process has a readable `cpu.stat`");
        }
        let sum = statistics
            .iter()
            .flat_map(|text| text.lines())
            .filter_map(|line| line.strip_prefix("nr_throttled ")?.trim().parse::<u64>().ok())
            .fold(0, u64::saturating_add);
        Reading::Known(sum)
    })
}
