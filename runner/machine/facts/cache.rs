//! Caches of the first processor.

use serde::{Deserialize, Serialize};

use crate::machine::reading::Reading;
use crate::machine::root::MachineRoot;

/// One cache.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cache {
    /// 1 is nearest to the core.
    pub level: u32,
    /// `data`, `instruction` or `unified`.
    pub kind: String,
    /// Its size.
    pub bytes: u64,
}

/// By level, as the kernel lists them.
pub(super) fn caches(root: &MachineRoot) -> Reading<Vec<Cache>> {
    let folder = "sys/devices/system/cpu/cpu0/cache";
    let found: Vec<Cache> = root
        .names(folder)
        .into_iter()
        .filter(|name| name.starts_with("index"))
        .filter_map(|name| {
            let read = |file: &str| root.text(&format!("{folder}/{name}/{file}")).known().cloned();
            Some(Cache {
                level: read("level")?.parse().ok()?,
                kind: read("type")?.to_lowercase(),
                bytes: size(&read("size")?)?,
            })
        })
        .collect();
    Reading::from_option((!found.is_empty()).then_some(found), "the kernel lists no caches")
}

/// `32K`, `16M` or plain bytes.
fn size(text: &str) -> Option<u64> {
    let (digits, shift) = match text.strip_suffix('K') {
        Some(digits) => (digits, 10),
        None => text.strip_suffix('M').map_or((text, 0), |digits| (digits, 20)),
    };
    digits.parse::<u64>().ok()?.checked_shl(shift)
}
