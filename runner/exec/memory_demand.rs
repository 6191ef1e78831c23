//! Computed bytes of arms: how much, of which kind, and what of it must be in main memory at once.

use std::collections::BTreeMap;

use engine_protocol::{BufferBytes, BufferKind, RpcServer};

use crate::manifest::{MEGABYTE, Plan};
use crate::record::{HostPlace, HostProvenance, host_name};
use crate::verdict::ArmMemory;

/// An arm's computed bytes, with the file that it maps where it maps one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Demand<'run> {
    /// The arm and its buffers.
    pub(super) memory: &'run ArmMemory,
    /// Arms with the same number load the same file.
    pub(super) file: usize,
    /// What servers said of themselves.
    pub(super) hosts: &'run [HostProvenance],
}

impl<'run> Demand<'run> {
    /// The demands of a plan's arms.
    pub(super) fn of_arms(
        plan: &Plan,
        memory: &'run [ArmMemory],
        hosts: &'run [HostProvenance],
    ) -> Vec<Demand<'run>> {
        let mut forms = Vec::new();
        let mut file_of = |memory: &ArmMemory| {
            let arm = plan.arms.iter().find(|arm| arm.name.as_str() == memory.arm);
            let form = arm.and_then(|arm| plan.form_of(arm));
            forms.iter().position(|known| *known == form).unwrap_or_else(|| {
                forms.push(form);
                forms.len() - 1
            })
        };
        memory.iter().map(|memory| Demand { memory, file: file_of(memory), hosts }).collect()
    }
}

/// Bytes by kind, and whose they are.
#[derive(Debug, Default)]
pub(super) struct Counted {
    /// `arm `fast` needs`.
    pub(super) who: String,
    /// All bytes.
    pub(super) total: u64,
    kinds: BTreeMap<BufferKind, u64>,
}

impl Counted {
    /// What counts of all arms.
    pub(super) fn of(
        who: &str,
        arms: &[Demand<'_>],
        counts: &dyn Fn(&BufferBytes) -> bool,
    ) -> Counted {
        let mut counted = Counted { who: who.to_owned(), ..Counted::default() };
        let buffers = arms.iter().flat_map(|arm| &arm.memory.buffers);
        buffers.filter(|buffer| counts(buffer)).for_each(|buffer| {
            counted.add(buffer.kind, buffer.bytes);
        });
        counted
    }

    /// What must be in main memory at once. Files that several arms map are there once, and what
    /// lies on a device of its own is not there.
    pub(super) fn in_main_memory(arms: &[Demand<'_>]) -> Counted {
        let hosts: Vec<&HostProvenance> = arms.iter().flat_map(|arm| arm.hosts).collect();
        let apart = |buffer: &BufferBytes| {
            !is_mapped(buffer) && !is_on_a_device(buffer) && !is_elsewhere(buffer, &hosts)
        };
        let mut counted = Counted::of("the arms together need", arms, &apart);
        let mut mapped: BTreeMap<usize, u64> = BTreeMap::new();
        for arm in arms {
            let bytes = arm.memory.buffers.iter().filter(|buffer| is_mapped(buffer));
            let bytes = bytes.fold(0_u64, |sum, buffer| sum.saturating_add(buffer.bytes));
            let most = mapped.entry(arm.file).or_default();
            *most = bytes.max(*most);
        }
        for bytes in mapped.into_values() {
            counted.add(BufferKind::Weights, bytes);
        }
        counted
    }

    fn add(&mut self, kind: BufferKind, bytes: u64) {
        self.total = self.total.saturating_add(bytes);
        let sum = self.kinds.entry(kind).or_default();
        *sum = sum.saturating_add(bytes);
    }

    /// `weights 90.0, kv 23.6`
    pub(super) fn by_kind(&self) -> String {
        let word = |kind: &BufferKind| match kind {
            BufferKind::Weights => "weights",
            BufferKind::Kv => "kv",
            BufferKind::Compute => "compute",
            BufferKind::Output => "output",
        };
        let kinds = self.kinds.iter().filter(|(_, bytes)| **bytes > 0);
        let parts: Vec<String> =
            kinds.map(|(kind, bytes)| format!("{} {}", word(kind), megabytes(*bytes))).collect();
        parts.join(", ")
    }
}

/// ggml's name of buffers that lie in a mapped file (`ggml-backend.cpp`).
fn is_mapped(buffer: &BufferBytes) -> bool {
    buffer.device.ends_with("_Mapped")
}

/// Beginnings of ggml's names of buffers in a device's own memory, each followed by a number.
const DEVICES: [&str; 6] = ["CUDA", "ROCm", "MUSA", "Vulkan", "SYCL", "CANN"];

fn is_on_a_device(buffer: &BufferBytes) -> bool {
    DEVICES.iter().any(|start| {
        let number = buffer.device.strip_prefix(start);
        number.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    })
}

/// Whether a buffer lies on a server of another machine (`RPC0[node-a:50052]`). Where the server did
/// not say, its address decides.
fn is_elsewhere(buffer: &BufferBytes, hosts: &[&HostProvenance]) -> bool {
    let address = buffer.device.strip_prefix("RPC").and_then(|rest| rest.split_once('['));
    let address = address.and_then(|(_, rest)| rest.strip_suffix(']'));
    let Some(server) = address.and_then(|text| RpcServer::try_from(text.to_owned()).ok()) else {
        return false;
    };
    let host = hosts.iter().find(|host| host.name == host_name(&server));
    match host.map_or(HostPlace::Unknown, |host| host.place) {
        HostPlace::ThisMachine => false,
        HostPlace::AnotherMachine => true,
        HostPlace::Unknown => !server.is_loopback(),
    }
}

/// To a tenth.
pub(super) fn megabytes(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / MEGABYTE as f64)
}
