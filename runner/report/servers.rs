//! Of a model that was spread over servers: who they were, and which tensors lay where.

use super::rows::counted;
use crate::record::{ArmPlacement, HostPlace, HostProvenance, Record, UNKNOWN};

/// Heading of the section.
pub(super) const HEADING: &str = "Where the model lay";

/// A megabyte, bytes.
const MEGABYTE: f64 = 1e6;

/// A line a server, then one for each buffer type of each arm; none in a record without servers.
pub(super) fn lines(record: &Record) -> Vec<String> {
    let provenance = &record.provenance;
    let servers = provenance.hosts.iter().map(server);
    servers.chain(provenance.placements.iter().map(placement)).collect()
}

fn server(host: &HostProvenance) -> String {
    let place = match host.place {
        HostPlace::ThisMachine => "on this machine",
        HostPlace::AnotherMachine => "on another machine",
        HostPlace::Unknown => "on a machine of which nothing is known",
    };
    let mut parts = vec![format!("`{}` over server {} {place}", host.arm, host.name)];
    parts.extend(host.unknown.clone());
    let fact = |name: &str| host.machine.get(name).filter(|value| !value.starts_with(UNKNOWN));
    parts.extend(fact("cpu_model").cloned());
    parts.extend(host.threads.map(|threads| counted(threads, "thread")));
    parts.extend(host.engine.as_ref().map(|facts| format!("{} {}", facts.name, facts.version)));
    parts.join(", ")
}

fn placement(placement: &ArmPlacement) -> String {
    let ArmPlacement { arm, tensors } = placement;
    format!(
        "`{arm}` in {}: {}, {:.1} MB: {}",
        tensors.device,
        counted(tensors.tensors, "tensor"),
        tensors.bytes as f64 / MEGABYTE,
        tensors.names.join(" ")
    )
}
