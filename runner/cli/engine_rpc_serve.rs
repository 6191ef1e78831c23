//! `runner engine rpc-serve`: this machine's memory and processors for workers elsewhere.

use engine_protocol::RpcServer;
use runner::Failure;

use super::context::App;
use super::outcome::Outcome;

/// Where, and with how many threads.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Address and port; facts are told at the port after it. On another address than a loopback one,
    /// everyone who reaches it can read and write this process's memory
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:50052", value_parser = server)]
    listen: RpcServer,
    /// Threads that compute; by default as many as there are processors for this process
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=512))]
    threads: Option<u32>,
}

fn server(text: &str) -> Result<RpcServer, String> {
    RpcServer::try_from(text.to_owned()).map_err(|error| error.to_string())
}

/// This build has no such backend.
#[cfg(not(feature = "rpc"))]
pub fn run(_app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let Arguments { listen, threads: _ } = arguments;
    Err(Failure::refused("this build of the program has no RPC backend")
        .at(listen)
        .hint("build it with the cargo feature `rpc`: docs/rpc.md"))
}

/// Serves until the process is ended.
#[cfg(feature = "rpc")]
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    served::run(app, arguments)
}

#[cfg(feature = "rpc")]
mod served {
    use std::net::{TcpListener, TcpStream, ToSocketAddrs};
    use std::time::Duration;

    use runner::exec;

    use super::{App, Arguments, Failure, Outcome, RpcServer};

    /// Between two looks whether the engine listens yet.
    const PAUSE: Duration = Duration::from_millis(20);
    /// Looks before it is given up that it ever will.
    const LOOKS: u32 = 500;

    pub(super) fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
        let listen = &numeric(&arguments.listen)?;
        let engine =
            engine::Engine::start().map_err(|error| refused(&error.to_string(), listen))?;
        let version = engine.rpc_version().map_err(|error| refused(&error.to_string(), listen))?;
        let threads = arguments.threads.unwrap_or(engine.ground().usable_processors);
        let facts_port = exec::facts_port(listen)?;
        // The engine only prints when it cannot listen, so it is tried first.
        drop(bind(listen.host(), listen.port())?);
        let listener = bind(listen.host(), facts_port)?;
        let facts = exec::server_facts(engine::facts(), version.clone(), threads);
        std::thread::spawn(move || exec::tell_facts(&listener, &facts));
        let (terminal, at) = (app.terminal, listen.clone());
        std::thread::spawn(move || {
            if listens(&at) {
                // Whoever reads it may be gone; the server goes on.
                let _ = terminal.line(format!(
                    "listening at {at} (RPC protocol {version}, threads: {threads}), facts at port {facts_port}\n\
                     the protocol is neither encrypted nor authenticated: whoever reaches the port can read and \
                     write this process's memory"
                ));
            }
        });
        let ended = engine.rpc_serve(listen, threads);
        let why = ended.err().map_or_else(|| "it ended".to_owned(), |error| error.to_string());
        Err(Failure::failed(why).at(listen))
    }

    /// The engine takes numbers alone: a name is looked up here.
    fn numeric(listen: &RpcServer) -> Result<RpcServer, Failure> {
        let found = (listen.host(), listen.port()).to_socket_addrs().map_err(|error| {
            Failure::refused(format!("the address is not known: {error}")).at(listen)
        })?;
        let address = found.into_iter().find(std::net::SocketAddr::is_ipv4).ok_or_else(|| {
            Failure::refused("the name has no IPv4 address, and the protocol needs one").at(listen)
        })?;
        RpcServer::try_from(address.to_string())
            .map_err(|error| Failure::refused(error.to_string()).at(listen))
    }

    fn bind(host: &str, port: u16) -> Result<TcpListener, Failure> {
        TcpListener::bind((host, port)).map_err(|error| {
            Failure::refused(format!("cannot listen: {error}"))
                .at(format!("{host}:{port}"))
                .hint("name another port with `--listen`; the one after it must be free too")
        })
    }

    fn listens(at: &RpcServer) -> bool {
        let host = if at.host() == "0.0.0.0" { "127.0.0.1" } else { at.host() };
        (0..LOOKS).any(|_| {
            let there = TcpStream::connect((host, at.port())).is_ok();
            if !there {
                std::thread::sleep(PAUSE);
            }
            there
        })
    }

    fn refused(why: &str, listen: &RpcServer) -> Failure {
        Failure::refused(why).at(listen)
    }
}
