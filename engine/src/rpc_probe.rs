//! Whether a server is there and speaks as this engine does, asked before the engine connects: the
//! engine itself ends the process when it meets nobody, or somebody else.
//!
//! The greeting is upstream's: command 14 with a size of 24 and as many bytes of capabilities, none of
//! which is claimed; the answer has its own size, then major, minor and patch.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::time::Duration;

use engine_protocol::{RpcServer, RpcServers};

use crate::EngineError;

/// How long a server may take for each step of its greeting.
const PATIENCE: Duration = Duration::from_secs(5);

/// Upstream's `RPC_CMD_HELLO`, which is the same in all versions.
const HELLO: u8 = 14;

/// Upstream's `RPC_CONN_CAPS_SIZE`.
const CAPABILITIES: usize = 24;

/// An answer to a greeting is not longer than this in any version.
const LONGEST_ANSWER: u64 = 256;

/// Asks each server in turn.
pub(crate) fn require(servers: &RpcServers, own: [u8; 3]) -> Result<(), EngineError> {
    servers.iter().try_for_each(|server| {
        let found = greet(server).map_err(|why| refused(server, &why))?;
        let ([major, minor, _], [found_major, found_minor, _]) = (own, found);
        if found_major == major && found_minor <= minor {
            return Ok(());
        }
        Err(refused(
            server,
            &format!(
                "it speaks version {} of the RPC protocol, and this engine {}; build both from one source",
                dotted(found),
                dotted(own)
            ),
        ))
    })
}

/// The version that the server states; else why there is none.
fn greet(server: &RpcServer) -> Result<[u8; 3], String> {
    let mut stream = connect(server)?;
    let silent = "it takes the connection and says nothing for 5 seconds: it serves one caller at a time, so \
                  another worker may have it; or it is no RPC server";
    let broken = "it does not answer as an RPC server of this engine's version does";
    let words = |error: &std::io::Error| match error.kind() {
        std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut => silent.to_owned(),
        _ => broken.to_owned(),
    };
    let set = stream.set_read_timeout(Some(PATIENCE));
    set.and_then(|()| stream.set_write_timeout(Some(PATIENCE)))
        .map_err(|error| error.to_string())?;
    let mut message = vec![HELLO];
    message.extend((CAPABILITIES as u64).to_le_bytes());
    message.extend([0; CAPABILITIES]);
    stream.write_all(&message).map_err(|error| words(&error))?;
    let mut size = [0; 8];
    stream.read_exact(&mut size).map_err(|error| words(&error))?;
    let mut version = [0; 3];
    if !(version.len() as u64..=LONGEST_ANSWER).contains(&u64::from_le_bytes(size)) {
        return Err(broken.to_owned());
    }
    stream.read_exact(&mut version).map_err(|error| words(&error))?;
    Ok(version)
}

fn connect(server: &RpcServer) -> Result<TcpStream, String> {
    let found = (server.host(), server.port()).to_socket_addrs();
    let found = found.map_err(|error| format!("its name is not known here ({error})"))?;
    // The engine takes IPv4 only.
    let mut addresses = found.filter(SocketAddr::is_ipv4);
    let address = addresses.next().ok_or("its name has no IPv4 address, which the engine needs")?;
    TcpStream::connect_timeout(&address, PATIENCE).map_err(|error| {
        format!("nobody is there ({error}); start one with `runner engine rpc-serve`")
    })
}

fn refused(server: &RpcServer, why: &str) -> EngineError {
    EngineError::Unsupported(format!("`rpc_servers` cannot be honoured: server {server}: {why}"))
}

fn dotted(version: [u8; 3]) -> String {
    version.map(|number| number.to_string()).join(".")
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    fn at(listener: &TcpListener) -> RpcServers {
        let address = listener.local_addr().unwrap().to_string();
        std::iter::once(RpcServer::try_from(address).unwrap()).collect()
    }

    /// A listener that answers the first caller with these bytes.
    fn answering(bytes: Vec<u8>) -> RpcServers {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let servers = at(&listener);
        std::thread::spawn(move || {
            let (mut caller, _) = listener.accept().unwrap();
            let mut greeting = [0; 33];
            caller.read_exact(&mut greeting).unwrap();
            caller.write_all(&bytes).unwrap();
        });
        servers
    }

    fn hello(version: [u8; 3]) -> Vec<u8> {
        let mut bytes = 28_u64.to_le_bytes().to_vec();
        bytes.extend(version);
        bytes.extend([0; 25]);
        bytes
    }

    #[test]
    fn a_server_of_the_same_version_is_taken() {
        require(&answering(hello([7, 0, 0])), [7, 0, 0]).unwrap();
        require(&answering(hello([7, 1, 9])), [7, 2, 0]).unwrap();
    }

    #[test]
    fn another_version_is_refused_with_both() {
        for (found, own) in [([6, 1, 0], [7, 0, 0]), ([7, 1, 0], [7, 0, 2])] {
            let error = require(&answering(hello(found)), own).unwrap_err().to_string();
            assert!(error.contains(&dotted(found)) && error.contains(&dotted(own)), "{error}");
        }
    }

    #[test]
    fn who_speaks_something_else_or_is_not_there_is_refused() {
        let web = answering(b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec());
        let error = require(&web, [7, 0, 0]).unwrap_err().to_string();
        assert!(error.contains("does not answer as an RPC server"), "{error}");
        let closed = at(&TcpListener::bind("127.0.0.1:0").unwrap());
        let error = require(&closed, [7, 0, 0]).unwrap_err().to_string();
        assert!(error.contains("nobody is there") && error.contains("rpc-serve"), "{error}");
    }
}
