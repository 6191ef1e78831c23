//! `runner peer`, hidden: another engine behind the worker protocol.

use std::io::{BufReader, stdin, stdout};

use runner::Failure;
use runner::exec::{PeerSpec, serve_peer};

use super::outcome::Outcome;

/// What `exec` starts it with.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The other engine and the folder in which relative paths start, as JSON
    spec: String,
}

/// Serves the protocol until standard input closes.
pub fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let spec = PeerSpec::parse(&arguments.spec)?;
    serve_peer(spec, BufReader::new(stdin()), &mut stdout().lock())?;
    Ok(Outcome::Done)
}
