//! A server's life: started, ready, stopped.

use std::net::{TcpStream, ToSocketAddrs};
use std::path::Path;
use std::time::{Duration, Instant};

use engine_protocol::Problem;

use super::answer::failed;
use super::arguments::{Values, arguments};
use super::child::Running;
use super::requests::Client;
use super::sizes::Model;
use crate::manifest::PeerServer;

/// Between two looks whether it is ready.
const LOOK: Duration = Duration::from_millis(50);
/// How long a port that nobody holds may take to say so.
const CONNECT: Duration = Duration::from_millis(500);

/// A server that is ready.
#[derive(Debug)]
pub(super) struct Server {
    /// Its process, where it was started here.
    running: Option<Running>,
}

impl Server {
    /// Starts it where the arm says so, and waits until it is ready.
    pub(super) fn begin(
        server: &PeerServer,
        program: Option<&Path>,
        root: &Path,
        (model, client): (&Model, &Client),
    ) -> Result<Server, Problem> {
        let running = match program {
            None => None,
            Some(program) => {
                if is_taken(&server.address) {
                    return Err(failed(format!(
                        "something listens at {} already, and would be measured instead: end it, or give each server an address of its own",
                        server.address
                    )));
                }
                let values = Values { model, address: Some(&server.address), piece: None };
                let arguments = arguments(&server.argv, values).map_err(failed)?;
                Some(Running::start(program, &arguments, root).map_err(failed)?)
            }
        };
        let mut started = Server { running };
        started.wait(server, client)?;
        Ok(started)
    }

    fn wait(&mut self, server: &PeerServer, client: &Client) -> Result<(), Problem> {
        let begun = Instant::now();
        let limit = Duration::from_secs(u64::from(server.ready_seconds));
        loop {
            self.alive()?;
            let why = match client.is_ready(&server.ready_path) {
                Ok(()) => return Ok(()),
                Err(why) => why,
            };
            if begun.elapsed() >= limit {
                let last = self.running.as_ref().map(Running::last_words).unwrap_or_default();
                let last = if last.is_empty() { last } else { format!("; its last words: {last}") };
                return Err(failed(format!(
                    "the server was not ready within {} s: {why}{last}",
                    limit.as_secs()
                )));
            }
            std::thread::sleep(LOOK);
        }
    }

    /// Whether its process is still there.
    pub(super) fn alive(&mut self) -> Result<(), Problem> {
        match self.running.as_mut().and_then(Running::has_ended) {
            Some(how) => Err(failed(format!("the server is gone: {how}"))),
            None => Ok(()),
        }
    }

    /// Adds how it ended to a failed request, where it has ended.
    pub(super) fn explain(&mut self, why: String) -> Problem {
        // a process that dies closes its connections a little before it is gone
        std::thread::sleep(Duration::from_millis(100));
        match self.running.as_mut().and_then(Running::has_ended) {
            Some(how) => failed(format!("{why}; the server is gone: {how}")),
            None => failed(why),
        }
    }

    /// Ends it, where it was started here.
    pub(super) fn stop(&mut self) {
        if let Some(running) = &mut self.running {
            running.stop();
        }
    }
}

fn is_taken(address: &str) -> bool {
    let places = address.to_socket_addrs().into_iter().flatten();
    places.into_iter().any(|place| TcpStream::connect_timeout(&place, CONNECT).is_ok())
}
