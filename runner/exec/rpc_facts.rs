//! Facts of servers that a model is spread over: said by a server at the port after its own, asked
//! by a run before anything is measured. Upstream's protocol tells none.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use engine_protocol::{EngineFacts, RpcServer};

use super::identity::{ProcessIdentity, boot_id};
use super::provenance::machine_now;
use crate::failure::Failure;
use crate::record::{SERVER_FACTS_VERSION, ServerFacts, ServerProcess};

/// How long the whole answer may take.
const PATIENCE: Duration = Duration::from_secs(3);

/// Bytes of an answer; a real one has some thousands.
const LONGEST: u64 = 1 << 20;

/// The port at which a server says what it is.
///
/// # Errors
/// A usage failure where there is no port after the server's.
pub fn facts_port(server: &RpcServer) -> Result<u16, Failure> {
    server.port().checked_add(1).ok_or_else(|| {
        Failure::usage(format!("there is no port after {}", server.port()))
            .at(server)
            .hint("facts are told at the port after the server's: take one below 65535")
    })
}

/// What this process says of itself when it serves.
#[must_use]
pub fn server_facts(engine: EngineFacts, rpc_version: String, threads: u32) -> ServerFacts {
    let own = ProcessIdentity::of(std::process::id());
    ServerFacts {
        facts_version: SERVER_FACTS_VERSION,
        rpc_version,
        threads,
        engine,
        machine: machine_now(),
        process: ServerProcess { pid: own.pid, start_ticks: own.start_ticks, boot: boot_id() },
    }
}

/// Answers everyone with the facts as one line, for as long as the process lives.
pub fn tell_facts(listener: &TcpListener, facts: &ServerFacts) {
    let Ok(mut line) = serde_json::to_vec(facts) else { return };
    line.push(b'\n');
    for mut caller in listener.incoming().flatten() {
        // Who does not listen misses them.
        let _ = caller.set_write_timeout(Some(PATIENCE)).and_then(|()| caller.write_all(&line));
    }
}

/// Asks a server for its facts; else why there are none.
pub(super) fn ask(server: &RpcServer) -> Result<ServerFacts, String> {
    let port = facts_port(server).map_err(|failure| failure.to_string())?;
    let mut stream = connect(server.host(), port)
        .map_err(|error| format!("its port for facts does not answer: {error}"))?;
    let bytes = read(&mut stream).map_err(|error| format!("its facts cannot be read: {error}"))?;
    let facts: ServerFacts = serde_json::from_slice(&bytes)
        .map_err(|_| "what its port for facts says are no facts of a server".to_owned())?;
    if facts.facts_version == SERVER_FACTS_VERSION {
        return Ok(facts);
    }
    Err(format!(
        "its facts have version {}, and this program reads {SERVER_FACTS_VERSION}",
        facts.facts_version
    ))
}

fn connect(host: &str, port: u16) -> std::io::Result<TcpStream> {
    let missing = || std::io::Error::other("its name has no IPv4 address");
    let address = (host, port).to_socket_addrs()?.find(SocketAddr::is_ipv4).ok_or_else(missing)?;
    TcpStream::connect_timeout(&address, PATIENCE)
}

/// All that comes until the other side closes, within the limits.
fn read(stream: &mut TcpStream) -> std::io::Result<Vec<u8>> {
    let begun = Instant::now();
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let left = PATIENCE.saturating_sub(begun.elapsed());
        if left.is_zero() || bytes.len() as u64 > LONGEST {
            return Err(std::io::Error::other("it sends more, or more slowly, than facts are"));
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut piece)? {
            0 => return Ok(bytes),
            count => bytes.extend(piece.iter().take(count)),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub fn engine() -> EngineFacts {
        EngineFacts {
            name: "ggml".to_owned(),
            version: "1".to_owned(),
            source: engine_protocol::SourcePin::Pinned {
                package: "p".to_owned(),
                version: "1".to_owned(),
            },
            source_blake3: "00".to_owned(),
            compiler: "cc".to_owned(),
            flags: std::collections::BTreeMap::new(),
            instruction_set: Vec::new(),
            backends: Vec::new(),
            threading: "own".to_owned(),
            supported_settings: Vec::new(),
        }
    }

    /// The server that has `listener` as its port for facts.
    fn before(listener: &TcpListener) -> RpcServer {
        let port = listener.local_addr().unwrap().port() - 1;
        RpcServer::try_from(format!("127.0.0.1:{port}")).unwrap()
    }

    #[test]
    fn what_is_told_is_read() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = before(&listener);
        let facts = server_facts(engine(), "7.0.0".to_owned(), 2);
        let told = facts.clone();
        std::thread::spawn(move || tell_facts(&listener, &told));
        assert_eq!(ask(&server), Ok(facts.clone()));
        assert_eq!(ask(&server), Ok(facts));
    }

    #[test]
    fn what_are_no_facts_is_said() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = before(&listener);
        let answering = std::thread::spawn(move || {
            let (mut caller, _) = listener.accept().unwrap();
            caller.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").unwrap();
        });
        assert!(ask(&server).unwrap_err().contains("no facts"));
        answering.join().unwrap();
        assert!(ask(&server).unwrap_err().contains("does not answer"));
    }
}
