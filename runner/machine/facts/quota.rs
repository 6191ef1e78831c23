//! How much processor time the container allows: cgroup version 2 (`cpu.max`) and version 1
//! (`cpu.cfs_quota_us`).

use serde::{Deserialize, Serialize};

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

/// The narrowest limit on the way from this process's group to the root. Within a container the
/// path of the group is often that of the host and not there; then only what is there counts.
pub(super) fn quota(root: &MachineRoot) -> Reading<Quota> {
    root.text("proc/self/cgroup").map(|groups| {
        let mut narrowest = Quota::Unlimited;
        for line in groups.lines() {
            let mut parts = line.splitn(3, ':').skip(1);
            let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
            let found = if controllers.is_empty() {
                along(path, &["sys/fs/cgroup", "sys/fs/cgroup/unified"], |folder| {
                    version_2(root, folder)
                })
            } else if controllers.split(',').any(|controller| controller == "cpu") {
                let joined = format!("sys/fs/cgroup/{controllers}");
                along(path, &["sys/fs/cgroup/cpu", &joined], |folder| version_1(root, folder))
            } else {
                continue;
            };
            narrowest = narrower(narrowest, found);
        }
        narrowest
    })
}

fn narrower(left: Quota, right: Quota) -> Quota {
    match (left, right) {
        (Quota::Cores(left), Quota::Cores(right)) => Quota::Cores(left.min(right)),
        (Quota::Unlimited, other) | (other, Quota::Unlimited) => other,
    }
}

/// The narrowest quota of a group and all that it lies in.
fn along(path: &str, mounts: &[&str], read: impl Fn(&str) -> Option<f64>) -> Quota {
    let mut narrowest = Quota::Unlimited;
    for mount in mounts {
        let mut rest = path.trim_matches('/');
        loop {
            let folder =
                if rest.is_empty() { (*mount).to_owned() } else { format!("{mount}/{rest}") };
            if let Some(cores) = read(&folder) {
                narrowest = narrower(narrowest, Quota::Cores(cores));
            }
            if rest.is_empty() {
                break;
            }
            rest = rest.rsplit_once('/').map_or("", |(above, _)| above);
        }
    }
    narrowest
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
