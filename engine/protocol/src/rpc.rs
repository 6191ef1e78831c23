//! Servers that hold and compute parts of a model for a worker, and which tensors lay where.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Most servers of one model: upstream's `GGML_RPC_MAX_SERVERS`.
pub const MOST_RPC_SERVERS: usize = 16;

/// Where a server listens: `host:port`, a name or an IPv4 address.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub struct RpcServer(
    #[schemars(regex(pattern = "^[A-Za-z0-9][A-Za-z0-9.-]{0,252}:[0-9]{1,5}$"))] String,
);

/// A text that names no server.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no server; write `host:port`, a name or an IPv4 address and a port from 1 to 65535"
)]
pub struct NoRpcServer(pub String);

impl RpcServer {
    /// As written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name or address before the colon.
    #[must_use]
    pub fn host(&self) -> &str {
        self.0.rsplit_once(':').map_or("", |(host, _)| host)
    }

    /// The port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.0.rsplit_once(':').and_then(|(_, port)| port.parse().ok()).unwrap_or_default()
    }

    /// Whether it is on this machine.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        self.host() == "localhost" || self.host().starts_with("127.")
    }
}

impl TryFrom<String> for RpcServer {
    type Error = NoRpcServer;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let is_host = |host: &str| {
            (1..=253).contains(&host.len())
                && host.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-'))
                && host.starts_with(|c: char| c.is_ascii_alphanumeric())
        };
        let is_port = |port: &str| {
            port.chars().all(|c| c.is_ascii_digit())
                && port.parse::<u16>().is_ok_and(|number| number > 0 && number.to_string() == port)
        };
        match text.rsplit_once(':') {
            Some((host, port)) if is_host(host) && is_port(port) => Ok(Self(text)),
            _ => Err(NoRpcServer(text)),
        }
    }
}

impl From<RpcServer> for String {
    fn from(server: RpcServer) -> String {
        server.0
    }
}

impl fmt::Display for RpcServer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Servers in the order in which layers are dealt out to them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct RpcServers(Vec<RpcServer>);

impl RpcServers {
    /// In order.
    pub fn iter(&self) -> std::slice::Iter<'_, RpcServer> {
        self.0.iter()
    }
}

impl<'a> IntoIterator for &'a RpcServers {
    type Item = &'a RpcServer;
    type IntoIter = std::slice::Iter<'a, RpcServer>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl FromIterator<RpcServer> for RpcServers {
    fn from_iter<T: IntoIterator<Item = RpcServer>>(servers: T) -> Self {
        Self(servers.into_iter().collect())
    }
}

/// The tensors of a model that lie in buffers of one type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TensorPlacement {
    /// Buffer type by the engine's name, as in `buffers` (`CPU`, `RPC0[127.0.0.1:50052]`).
    pub device: String,
    /// How many tensors.
    pub tensors: u32,
    /// Bytes that their values take.
    pub bytes: u64,
    /// Their names, layers drawn together where all of a run of layers lie here: `blk.0-14.*`.
    pub names: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_a_host_and_a_port() {
        for good in ["127.0.0.1:50052", "node-7.cluster:1", "localhost:65535"] {
            let server: RpcServer = serde_json::from_value(good.into()).unwrap();
            assert_eq!(format!("{}:{}", server.host(), server.port()), good);
        }
        for bad in [
            "",
            "node",
            "node:",
            ":1",
            "node:0",
            "node:65536",
            "node:01",
            "a b:1",
            "[::1]:1",
            "-a:1",
        ] {
            assert!(serde_json::from_value::<RpcServer>(bad.into()).is_err(), "{bad}");
        }
    }

    #[test]
    fn loopback_is_told_from_other_machines() {
        let server = |text: &str| RpcServer::try_from(text.to_owned()).unwrap();
        assert!(server("127.0.0.1:1").is_loopback() && server("localhost:1").is_loopback());
        assert!(!server("10.0.0.1:1").is_loopback());
    }
}
