//! `runner record`: the life of a record after it was sealed, and of a registration before it is run.

use runner::Failure;

use super::context::App;
use super::outcome::Outcome;
use super::{
    record_amend, record_anchor, record_deviate, record_export, record_floor, record_import,
    record_override, record_retract, record_spread, record_stale, record_verify, record_withdraw,
};

/// What to do with records.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Check every ledger entry and record: hashes, samples, and the verdict computed again
    Verify(record_verify::Arguments),
    /// Put a changed manifest in the place of a registered one, while nothing was run or seen
    Amend(record_amend::Arguments),
    /// Judge a record by a changed manifest: exploratory, beside the registered verdict
    Deviate(record_deviate::Arguments),
    /// Write down a decision otherwise than a verdict, which stays
    Override(record_override::Arguments),
    /// A registration will not be run; its id, hash and reason stay
    Withdraw(record_withdraw::Arguments),
    /// Strike a record with its cause, and list the places that quote it
    Retract(record_retract::Arguments),
    /// Mark records whose machine or engine has changed since, and list what to measure again
    Stale(record_stale::Arguments),
    /// Set or move a floor to a record's distribution
    Anchor(record_anchor::Arguments),
    /// The floors, and a record held against one
    Floor(record_floor::Arguments),
    /// Where a record's noise comes from, what its parts cost, and the sizes that they ask for
    Spread(record_spread::Arguments),
    /// Take in what llama-bench, llama-batched-bench, hyperfine or criterion measured; never a verdict
    Import(record_import::Arguments),
    /// Write a record as RO-Crate, Bencher Metric Format, JSON, CSV or Parquet
    Export(record_export::Arguments),
}

/// Does it.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    match &arguments.action {
        Action::Verify(arguments) => record_verify::run(app, arguments),
        Action::Amend(arguments) => record_amend::run(app, arguments),
        Action::Deviate(arguments) => record_deviate::run(app, arguments),
        Action::Override(arguments) => record_override::run(app, arguments),
        Action::Withdraw(arguments) => record_withdraw::run(app, arguments),
        Action::Retract(arguments) => record_retract::run(app, arguments),
        Action::Stale(arguments) => record_stale::run(app, arguments),
        Action::Anchor(arguments) => record_anchor::run(app, arguments),
        Action::Floor(arguments) => record_floor::run(app, arguments),
        Action::Spread(arguments) => record_spread::run(app, arguments),
        Action::Import(arguments) => record_import::run(app, arguments),
        Action::Export(arguments) => record_export::run(app, arguments),
    }
}
