//! Everything that is read of a machine, and its name.

use serde::{Deserialize, Serialize};

use super::{
    Cache, Quota, Reading, cache, clock, cores, elsewhere, libc, memory, power, processor, quota,
    system,
};
use crate::machine::root::MachineRoot;

/// The machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Facts {
    /// The processor's own name.
    pub cpu_model: Reading<String>,
    /// `AuthenticAMD`, `GenuineIntel`, `Apple`, an implementer's number on Arm, …
    pub cpu_vendor: Reading<String>,
    /// Family, model and stepping (x86), or part, variant and revision (Arm), by slashes.
    pub cpu_revision: Reading<String>,
    /// Revision of the microcode.
    pub microcode: Reading<String>,
    /// Processors that are online.
    pub cores_online: Reading<u32>,
    /// Processors that this process may run on.
    pub cores_by_affinity: Reading<u32>,
    /// Processor time that the container allows, in processors.
    pub quota: Reading<Quota>,
    /// Affinity and quota, whichever is less; may be half a core.
    pub cores_usable: Reading<f64>,
    /// Of the first processor.
    pub caches: Reading<Vec<Cache>>,
    /// Frequency governors in use, sorted, by commas.
    pub governor: Reading<String>,
    /// Whether the clock may go above its base.
    pub turbo: Reading<bool>,
    /// Whether two hardware threads share a core.
    pub smt: Reading<bool>,
    /// Main memory, bytes.
    pub memory_bytes: Reading<u64>,
    /// Swap space, bytes.
    pub swap_bytes: Reading<u64>,
    /// `always`, `madvise` or `never`.
    pub transparent_huge_pages: Reading<String>,
    /// Operating system and architecture that the program was compiled for.
    pub platform: String,
    /// Release of the kernel.
    pub kernel: Reading<String>,
    /// C library with its version.
    pub libc: Reading<String>,
    /// Distribution with its version.
    pub distribution: Reading<String>,
    /// Known, when the processor says that it is a virtual one: which, or `some`. `none` on metal.
    pub hypervisor: Reading<String>,
    /// The kernel's source of time.
    pub clock_source: Reading<String>,
}

impl Facts {
    /// Reads all facts.
    #[must_use]
    pub fn read(root: &MachineRoot) -> Facts {
        if root.is_live() && !cfg!(target_os = "linux") {
            return elsewhere::facts();
        }
        let cores_by_affinity = cores::by_affinity(root);
        let quota = quota::quota(root);
        let cores_usable = cores::usable(&cores_by_affinity, &quota);
        let processor = processor::Processor::read(root);
        Facts {
            hypervisor: system::hypervisor(root, &processor),
            cpu_model: processor.model,
            cpu_vendor: processor.vendor,
            cpu_revision: processor.revision,
            microcode: processor.microcode,
            cores_online: cores::online(root),
            cores_by_affinity,
            quota,
            cores_usable,
            caches: cache::caches(root),
            governor: power::governor(root),
            turbo: power::turbo(root),
            smt: power::smt(root),
            memory_bytes: memory::total(root),
            swap_bytes: memory::swap(root),
            transparent_huge_pages: memory::transparent_huge_pages(root),
            platform: platform(),
            kernel: system::kernel(root),
            libc: libc::libc(root),
            distribution: system::distribution(root),
            clock_source: clock::source(root),
        }
    }

    /// Threads that can compute at the same time: whole usable cores, at least one.
    #[must_use]
    pub fn usable_threads(&self) -> Option<u32> {
        self.cores_usable.known().map(|cores| (*cores as u32).max(1))
    }

    /// A name that says nothing about its owner: a hash of what the hardware is. Facts that an
    /// update changes (kernel, microcode) are left out.
    #[must_use]
    pub fn name(&self) -> String {
        // To the gigabyte, since firmware takes more or less of it.
        let gigabytes = self.memory_bytes.clone().map(|bytes| bytes.div_ceil(1 << 30));
        let hardware = format!(
            "machine-name 1\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{}\n",
            self.cpu_model.known(),
            self.cpu_vendor.known(),
            self.cpu_revision.known(),
            self.cores_online.known(),
            gigabytes.known(),
            self.hypervisor.known(),
            self.platform,
        );
        let hash = blake3::hash(hardware.as_bytes()).to_hex();
        format!("machine-{}", &hash.as_str()[..10])
    }
}

pub(super) fn platform() -> String {
    format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH)
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
