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
    let mut parts = vec![format!("{} over server {} {place}", host.arm, host.name)];
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
        "{arm} in {}: {}, {:.1} MB: {}",
        tensors.device,
        counted(tensors.tensors, "tensor"),
        tensors.bytes as f64 / MEGABYTE,
        tensors.names.join(" ")
    )
}

#[cfg(test)]
mod tests {
    use engine_protocol::{RpcServer, TensorPlacement};

    use super::*;
    use crate::report::{example, markdown_table};

    fn host(address: &str, place: HostPlace) -> HostProvenance {
        let server = RpcServer::try_from(address.to_owned()).unwrap();
        let why = "its port for facts does not answer".to_owned();
        HostProvenance { place, ..HostProvenance::unknown(&server, "flash", why) }
    }

    #[test]
    fn servers_and_what_lay_on_them_are_a_section_of_their_own() {
        let mut record = example::win();
        assert!(lines(&record).is_empty());
        let mut near = host("127.0.0.1:50052", HostPlace::ThisMachine);
        near.unknown = None;
        near.threads = Some(2);
        near.machine.insert("cpu_model".to_owned(), "Some CPU".to_owned());
        let far = host("node-a:50052", HostPlace::Unknown);
        record.provenance.hosts = vec![near, far];
        let tensors = TensorPlacement {
            device: "RPC0[127.0.0.1:50052]".to_owned(),
            tensors: 135,
            bytes: 42_500_000,
            names: vec!["blk.0-14.*".to_owned(), "output.weight".to_owned()],
        };
        let arm = "flash".to_owned();
        record.provenance.placements = vec![ArmPlacement { arm, tensors }];
        insta::assert_snapshot!(lines(&record).join("\n"), @r"
        flash over server 127.0.0.1:50052 on this machine, Some CPU, 2 threads
        flash over server host-4cd1afa7d0d818fd on a machine of which nothing is known, its port for facts does not answer
        flash in RPC0[127.0.0.1:50052]: 135 tensors, 42.5 MB: blk.0-14.* output.weight
        ");
        assert!(markdown_table(&record).contains(&format!("## {HEADING}")));
    }
}
