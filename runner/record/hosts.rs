//! Machines that a model was spread over, and which of its tensors lay where.

use engine_protocol::{EngineFacts, RpcServer, TensorPlacement};
use serde::{Deserialize, Serialize};

use super::provenance::MachineFacts;

/// Version of [`ServerFacts`].
pub const SERVER_FACTS_VERSION: u32 = 1;

/// What a server says of itself and its machine: one JSON line at the port after its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerFacts {
    /// [`SERVER_FACTS_VERSION`].
    pub facts_version: u32,
    /// Version of the protocol between workers and servers.
    pub rpc_version: String,
    /// Threads that compute.
    pub threads: u32,
    /// The engine that serves.
    pub engine: EngineFacts,
    /// Its machine. No names of hosts or users.
    pub machine: MachineFacts,
    /// Which process it is. Read by a caller on the same machine, and never stored.
    pub process: ServerProcess,
}

/// A process, and the boot of the machine that it runs on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerProcess {
    /// The process id.
    pub pid: u32,
    /// Clock ticks from boot to its start, where they can be read.
    pub start_ticks: Option<u64>,
    /// The boot's id, where it can be read.
    pub boot: Option<String>,
}

/// Where a server is, seen from the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HostPlace {
    /// It is a process of the machine that the run is on.
    ThisMachine,
    /// It is not.
    AnotherMachine,
    /// It did not say.
    Unknown,
}

/// A server that held a part of the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostProvenance {
    /// Its address where that is this machine's own, else a hash of it: see [`host_name`].
    pub name: String,
    /// The arm whose worker it served.
    pub arm: String,
    /// Where it is.
    pub place: HostPlace,
    /// Why nothing more is known; absent where it answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
    /// Version of the protocol between workers and servers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rpc_version: Option<String>,
    /// Threads that computed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<u32>,
    /// The engine that served.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<EngineFacts>,
    /// Its machine.
    #[serde(default, skip_serializing_if = "MachineFacts::is_empty")]
    pub machine: MachineFacts,
}

impl HostProvenance {
    /// Of a server that answered.
    #[must_use]
    pub fn known(
        server: &RpcServer,
        arm: &str,
        place: HostPlace,
        facts: ServerFacts,
    ) -> HostProvenance {
        HostProvenance {
            rpc_version: Some(facts.rpc_version),
            threads: Some(facts.threads),
            engine: Some(facts.engine),
            machine: facts.machine,
            place,
            ..HostProvenance::unknown(server, arm, String::new())
        }
        .answered()
    }

    /// Of a server that did not.
    #[must_use]
    pub fn unknown(server: &RpcServer, arm: &str, why: String) -> HostProvenance {
        HostProvenance {
            name: host_name(server),
            arm: arm.to_owned(),
            place: HostPlace::Unknown,
            unknown: Some(why),
            rpc_version: None,
            threads: None,
            engine: None,
            machine: MachineFacts::new(),
        }
    }

    fn answered(self) -> HostProvenance {
        HostProvenance { unknown: None, ..self }
    }
}

/// Tensors of an arm's model that lay in buffers of one type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArmPlacement {
    /// The arm.
    pub arm: String,
    /// Which, how many and where.
    #[serde(flatten)]
    pub tensors: TensorPlacement,
}

/// A server's name in a record: its address on a loopback device as it is, any other as `host-` with
/// sixteen digits of the BLAKE3 of `host:port`, since records are public.
#[must_use]
pub fn host_name(server: &RpcServer) -> String {
    if server.is_loopback() {
        return server.to_string();
    }
    let digits = blake3::hash(server.as_str().as_bytes()).to_hex();
    format!("host-{}", digits.chars().take(16).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_addresses_stand_in_records() {
        let name = |text: &str| host_name(&RpcServer::try_from(text.to_owned()).unwrap());
        assert_eq!(name("127.0.0.1:50052"), "127.0.0.1:50052");
        assert_eq!(name("localhost:50052"), "localhost:50052");
        let other = name("node-a.example:50052");
        assert!(other.starts_with("host-") && other.len() == 21 && !other.contains("node"));
        assert_ne!(other, name("node-b.example:50052"));
    }
}
