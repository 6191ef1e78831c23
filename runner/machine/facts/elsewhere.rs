//! Where there is no `/proc`: what the `sysinfo` crate gives. The rest is unknown.

use sysinfo::{CpuRefreshKind, MemoryRefreshKind, RefreshKind, System};

use super::{Facts, platform};
use crate::machine::reading::Reading;

const HIDDEN: &str = "this platform does not say";

pub(super) fn facts() -> Facts {
    let kinds = RefreshKind::nothing()
        .with_cpu(CpuRefreshKind::nothing())
        .with_memory(MemoryRefreshKind::everything());
    let system = System::new_with_specifics(kinds).ok();
    let processors = system.as_ref().map_or(&[][..], System::cpus);
    let first = processors.first();
    let text = |text: Option<&str>| {
        let text = text.map(str::trim).filter(|text| !text.is_empty());
        Reading::from_option(text.map(str::to_owned), HIDDEN)
    };
    let cores = u32::try_from(processors.len()).ok().filter(|cores| *cores > 0);
    let cores = Reading::from_option(cores, HIDDEN);
    let memory = system.as_ref().map(System::total_memory).filter(|bytes| *bytes > 0);
    Facts {
        cpu_model: text(first.map(sysinfo::Cpu::brand)),
        cpu_vendor: text(first.map(sysinfo::Cpu::vendor_id)),
        cpu_revision: Reading::unknown(HIDDEN),
        microcode: Reading::unknown(HIDDEN),
        cores_online: cores.clone(),
        cores_by_affinity: Reading::unknown("this platform has no affinity"),
        quota: Reading::unknown("this platform has no quotas"),
        cores_usable: cores.map(f64::from),
        caches: Reading::unknown(HIDDEN),
        governor: Reading::unknown(HIDDEN),
        turbo: Reading::unknown(HIDDEN),
        smt: Reading::unknown(HIDDEN),
        memory_bytes: Reading::from_option(memory, HIDDEN),
        swap_bytes: Reading::from_option(system.as_ref().map(System::total_swap), HIDDEN),
        transparent_huge_pages: Reading::unknown("this platform has none"),
        platform: platform(),
        kernel: text(System::kernel_version().ok().as_deref()),
        libc: Reading::unknown("it comes with the system"),
        distribution: text(System::long_os_version().ok().as_deref()),
        hypervisor: Reading::unknown(HIDDEN),
        clock_source: Reading::unknown(HIDDEN),
    }
}
