//! The memory guard: bytes that workers compute from their allocations, held against the registered
//! budget and this machine's memory before anything is timed. Resident memory is not asked: it
//! falls when the system takes pages away, and that is when it is needed.

use engine_protocol::{BufferBytes, BufferKind};

use super::machine_root::machine_root;
use super::memory_demand::{Counted, Demand, megabytes};
use crate::failure::Failure;
use crate::machine::{Reading, memory_limit};
use crate::manifest::{Budget, MEGABYTE, Plan};
use crate::record::HostProvenance;
use crate::verdict::{ArmMemory, GuardedLimit, ProcessFacts};

/// A limit on computed bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Limit {
    subject: Subject,
    bytes: u64,
}

/// What a limit speaks of.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Subject {
    /// All arms together.
    AllArms,
    /// Any one arm.
    AnyArm,
    /// All arms together in buffers of a type.
    Buffers(String),
    /// What must fit into this machine at once.
    Machine,
}

/// Holds what a plan's arms have loaded against its budget and this machine's memory.
///
/// # Errors
/// As [`hold`].
pub(super) fn guard(
    plan: &Plan,
    memory: &[ArmMemory],
    hosts: &[HostProvenance],
) -> Result<ProcessFacts, Failure> {
    let machine = memory_limit(&machine_root());
    hold(plan.budget.as_ref(), &machine, &Demand::of_arms(plan, memory, hosts))
}

/// Holds all arms against every limit; each limit first refuses a demand that is over it.
///
/// # Errors
/// Refused when a limit is passed, with both numbers and the bytes by kind. Failed when a demand
/// over a limit was not refused: then the guard cannot be trusted.
fn hold(
    budget: Option<&Budget>,
    machine: &Reading<u64>,
    arms: &[Demand<'_>],
) -> Result<ProcessFacts, Failure> {
    let mut facts = ProcessFacts::default();
    for limit in limits(budget, machine) {
        let refused_bytes = probe(&limit)?;
        let computed_bytes = check(&limit, arms)?;
        facts.memory_guard.push(GuardedLimit {
            limit: limit.subject.words(),
            limit_bytes: limit.bytes,
            computed_bytes,
            refused_bytes,
        });
    }
    if let Reading::Unknown(why) = machine {
        facts.memory_unknown = Some(why.trim_start_matches('/').to_owned());
    }
    Ok(facts)
}

fn limits(budget: Option<&Budget>, machine: &Reading<u64>) -> Vec<Limit> {
    let mut limits = Vec::new();
    let mut add = |subject, bytes| limits.push(Limit { subject, bytes });
    if let Some(budget) = budget {
        let bytes = |megabytes: u64| megabytes.saturating_mul(MEGABYTE);
        if let Some(most) = budget.memory_megabytes {
            add(Subject::AllArms, bytes(most));
        }
        if let Some(most) = budget.arm_megabytes {
            add(Subject::AnyArm, bytes(most));
        }
        for (buffer, most) in &budget.buffer_megabytes {
            add(Subject::Buffers(buffer.clone()), bytes(*most));
        }
    }
    if let Reading::Known(bytes) = machine {
        add(Subject::Machine, *bytes);
    }
    limits
}

/// A demand of one byte more than the limit goes through the same check, and must be refused.
fn probe(limit: &Limit) -> Result<u64, Failure> {
    let demand = limit.bytes.saturating_add(1);
    let device = match &limit.subject {
        Subject::Buffers(buffer) => buffer.clone(),
        Subject::AllArms | Subject::AnyArm | Subject::Machine => "CPU".to_owned(),
    };
    let buffers = vec![BufferBytes { device, kind: BufferKind::Compute, bytes: demand }];
    let memory = ArmMemory { arm: "a demand over the limit".to_owned(), buffers };
    match check(limit, &[Demand { memory: &memory, file: 0, hosts: &[] }]) {
        Err(_) => Ok(demand),
        Ok(_) => Err(Failure::failed(format!(
            "the memory guard let {demand} bytes pass a limit of {}: it cannot be trusted",
            limit.bytes
        ))
        .at(limit.subject.words())
        .hint("nothing was measured; this is a fault of this program")),
    }
}

/// The bytes that count against a limit, or the refusal.
fn check(limit: &Limit, arms: &[Demand<'_>]) -> Result<u64, Failure> {
    let worst = match &limit.subject {
        Subject::AllArms => Counted::of("the arms together need", arms, &|_| true),
        Subject::Buffers(name) => Counted::of(
            &format!("the arms together need, in buffers of type `{name}`,"),
            arms,
            &|buffer: &BufferBytes| buffer.device == *name,
        ),
        Subject::Machine => Counted::in_main_memory(arms),
        Subject::AnyArm => {
            let each = arms.iter().map(|arm| {
                let who = format!("arm `{}` needs", arm.memory.arm);
                Counted::of(&who, std::slice::from_ref(arm), &|_| true)
            });
            each.max_by_key(|counted| counted.total).unwrap_or_default()
        }
    };
    if worst.total <= limit.bytes {
        return Ok(worst.total);
    }
    Err(Failure::refused(format!(
        "{} {} MB computed from allocations ({}), over {} MB",
        worst.who,
        megabytes(worst.total),
        worst.by_kind(),
        megabytes(limit.bytes)
    ))
    .at(limit.subject.words())
    .hint(limit.subject.remedy()))
}

impl Subject {
    fn words(&self) -> String {
        match self {
            Subject::AllArms => "budget of all arms together".to_owned(),
            Subject::AnyArm => "budget of any one arm".to_owned(),
            Subject::Buffers(name) => format!("budget of buffers of type `{name}`"),
            Subject::Machine => "memory of this machine".to_owned(),
        }
    }

    fn remedy(&self) -> &'static str {
        match self {
            Subject::Machine => {
                "nothing was measured; all arms are resident at once: leave some out, or shorten the context"
            }
            Subject::AllArms | Subject::AnyArm | Subject::Buffers(_) => {
                "nothing was measured; shorten the context, leave arms out, or register a larger `[budget]`"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::failure::FailureKind;
    use crate::record::HostPlace;

    fn arm(name: &str, device: &str, bytes: u64) -> ArmMemory {
        let buffer =
            |device: &str, kind, bytes| BufferBytes { device: device.to_owned(), kind, bytes };
        let buffers = vec![
            buffer(device, BufferKind::Weights, bytes),
            buffer("CPU", BufferKind::Kv, 10 * MEGABYTE),
        ];
        ArmMemory { arm: name.to_owned(), buffers }
    }

    fn held(
        budget: Option<&Budget>,
        machine: u64,
        arms: &[ArmMemory],
    ) -> Result<ProcessFacts, Failure> {
        let demands: Vec<Demand<'_>> =
            arms.iter().map(|memory| Demand { memory, file: 0, hosts: &[] }).collect();
        hold(budget, &Reading::Known(machine * MEGABYTE), &demands)
    }

    #[test]
    fn a_limit_is_held_to_the_byte_and_its_probe_is_one_over() {
        let arms = [arm("off", "CPU", 90 * MEGABYTE), arm("fast", "CPU", 190 * MEGABYTE)];
        let budget = |all| Budget { memory_megabytes: Some(all), ..Budget::default() };
        let facts = held(Some(&budget(300)), 1000, &arms).unwrap();
        let all = &facts.memory_guard[0];
        assert_eq!((all.computed_bytes, all.limit_bytes), (300 * MEGABYTE, 300 * MEGABYTE));
        assert_eq!(all.refused_bytes, 300 * MEGABYTE + 1);
        let refusal = held(Some(&budget(299)), 1000, &arms).unwrap_err();
        assert_eq!(refusal.kind, FailureKind::Refused);
        let text = "300.0 MB computed from allocations (weights 280.0, kv 20.0), over 299.0 MB";
        assert!(refusal.what.contains(text), "{refusal}");
        let each = Budget { arm_megabytes: Some(199), ..Budget::default() };
        let refusal = held(Some(&each), 1000, &arms).unwrap_err();
        assert!(refusal.what.starts_with("arm `fast` needs 200.0 MB"), "{refusal}");
        let buffers = BTreeMap::from([("CPU_REPACK".to_owned(), 1)]);
        let of_type = Budget { buffer_megabytes: buffers, ..Budget::default() };
        assert!(held(Some(&of_type), 1000, &arms).is_ok());
        let repacked = [arm("fast", "CPU_REPACK", 2 * MEGABYTE)];
        assert!(held(Some(&of_type), 1000, &repacked).is_err());
    }

    #[test]
    fn a_file_that_several_arms_map_is_in_memory_once_and_a_device_has_its_own() {
        let mapped: Vec<ArmMemory> =
            ["off", "off-again", "fast"].map(|name| arm(name, "CPU_Mapped", 90 * MEGABYTE)).into();
        let facts = held(None, 120, &mapped).unwrap();
        assert_eq!(facts.memory_guard[0].computed_bytes, 120 * MEGABYTE);
        assert!(held(None, 119, &mapped).is_err());
        let on_a_device = [arm("gpu", "CUDA0", 900 * MEGABYTE)];
        assert!(held(None, 10, &on_a_device).is_ok());
        let in_pinned_memory = [arm("gpu", "CUDA_Host", 900 * MEGABYTE)];
        assert!(held(None, 10, &in_pinned_memory).is_err());
    }

    #[test]
    fn what_lies_on_a_server_of_another_machine_is_not_in_this_ones_memory() {
        let server = |text: &str| engine_protocol::RpcServer::try_from(text.to_owned()).unwrap();
        let host = |text: &str, place| HostProvenance {
            place,
            ..HostProvenance::unknown(&server(text), "spread", String::new())
        };
        let computed = |address: &str, hosts: &[HostProvenance]| {
            let memory = arm("spread", &format!("RPC0[{address}]"), 900 * MEGABYTE);
            let demand = Demand { memory: &memory, file: 0, hosts };
            let facts = hold(None, &Reading::Known(1000 * MEGABYTE), &[demand]).unwrap();
            facts.memory_guard[0].computed_bytes / MEGABYTE
        };
        let loopback = "127.0.0.1:50052";
        assert_eq!(computed(loopback, &[]), 910, "unknown: taken for this machine's");
        assert_eq!(computed(loopback, &[host(loopback, HostPlace::ThisMachine)]), 910);
        assert_eq!(computed(loopback, &[host(loopback, HostPlace::AnotherMachine)]), 10, "tunnel");
        assert_eq!(computed("node-a:50052", &[]), 10);
        let own_name = host("node-a:50052", HostPlace::ThisMachine);
        assert_eq!(computed("node-a:50052", &[own_name]), 910);
    }

    #[test]
    fn an_unknown_machine_is_no_limit_and_is_named() {
        let facts = hold(None, &Reading::unknown("/proc/meminfo: not there"), &[]).unwrap();
        assert!(facts.memory_guard.is_empty());
        assert_eq!(facts.memory_unknown.as_deref(), Some("proc/meminfo: not there"));
    }
}
