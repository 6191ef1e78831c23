//! How much processor time the container allows: cgroup version 2 (`cpu.max`) and version 1
//! (`cpu.cfs_quota_us`).

use serde::{Deserialize, Serialize};

use crate::machine::control_groups::{Version, groups};
use crate::machine::reading::Reading;
use crate::machine::root::MachineRoot;

/// A limit on processor time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quota {
    /// None is set.
    Unlimited,
    /// So many processors; 0.5 is half of one.
    Cores(f64),
}

/// The narrowest limit on the way from this process's group to the root.
pub(super) fn quota(root: &MachineRoot) -> Reading<Quota> {
    groups(root).map(|groups| {
        let limits = groups.iter().filter_map(|group| match group.version {
            Version::One => version_1(root, &group.folder),
            Version::Two => version_2(root, &group.folder),
        });
        limits.reduce(f64::min).map_or(Quota::Unlimited, Quota::Cores)
    })
}

/// `max 100000` or `50000 100000`: time and period, microseconds.
fn version_2(root: &MachineRoot, folder: &str) -> Option<f64> {
    let text = root.text(&format!("{folder}/cpu.max")).known()?.clone();
    let (time, period) = text.split_once(' ')?;
    ratio(time, period)
}

/// -1 is no limit.
fn version_1(root: &MachineRoot, folder: &str) -> Option<f64> {
    let time = root.text(&format!("{folder}/cpu.cfs_quota_us"));
    let period = root.text(&format!("{folder}/cpu.cfs_period_us"));
    ratio(time.known()?, period.known()?)
}

fn ratio(time: &str, period: &str) -> Option<f64> {
    let time: u64 = time.trim().parse().ok()?;
    let period: u64 = period.trim().parse().ok()?;
    (period > 0).then(|| time as f64 / period as f64)
}
