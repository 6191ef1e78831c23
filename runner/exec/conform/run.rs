//! All checks, one group after the other.

use std::path::PathBuf;
use std::time::Duration;

use engine_protocol::{Greeting, Loaded};

use super::bench::Bench;
use super::check::{Check, CheckOutcome};
use super::{context, decoding, ending, greeting, loading, offers, prefilling};
use crate::failure::Failure;

/// A program to be checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConformanceAsk {
    /// What is started; a bare name is looked for in `PATH`.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The model that it shall load.
    pub model: PathBuf,
    /// How long an answer may take.
    pub limit: Duration,
}

/// What became of all checks.
#[derive(Debug, Clone, PartialEq)]
pub struct Conformance {
    /// Who it says that it is.
    pub greeting: Option<Greeting>,
    /// What it loaded.
    pub loaded: Option<Loaded>,
    /// In the order in which they were made.
    pub checks: Vec<Check>,
}

impl Conformance {
    /// How many ended so.
    #[must_use]
    pub fn count(&self, outcome: CheckOutcome) -> usize {
        self.checks.iter().filter(|check| check.outcome == outcome).count()
    }
}

/// Starts the program as often as it takes, and holds it to the protocol. `done` hears of each check
/// as it is made.
///
/// # Errors
/// Refused where the program cannot be started.
pub fn conform(ask: &ConformanceAsk, done: &mut dyn FnMut(&Check)) -> Result<Conformance, Failure> {
    let mut bench = Bench::new(ask);
    let mut checks = Vec::new();
    let mut add = |new: Vec<Check>| {
        new.iter().for_each(&mut *done);
        checks.extend(new);
    };
    let (greeting, greets) = greeting::first(&mut bench).map_err(|error| {
        Failure::refused(format!("it cannot be started: {error}"))
            .at(ask.program.display())
            .hint("name an executable file, or a program in `PATH`, and its arguments, after `--`")
    })?;
    add(vec![greets]);
    let mut loaded = None;
    if greeting.is_some() {
        add(greeting::checks(&mut bench));
        let (made, model) = loading::checks(&mut bench);
        add(made);
        loaded = model;
        if loaded.is_some() {
            add(decoding::checks(&mut bench));
            add(prefilling::checks(&mut bench));
            add(context::checks(&mut bench));
            add(offers::checks(&mut bench));
        }
        add(ending::checks(&mut bench));
    } else {
        add(greeting::not_made("it does not greet"));
    }
    add(bench.seen.checks());
    Ok(Conformance { greeting, loaded, checks })
}
