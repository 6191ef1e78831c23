//! Error rates of a manifest's whole rule, simulated: how often it says "win", "loss" or "level"
//! where that is wrong, under noise of several sorts. `docs/statistics.md` has the table that it
//! prints.
//!
//! ```text
//! cargo run --release --example error-rates
//! cargo run --release --example error-rates -- --experiments 2000 experiments/quickstart.toml
//! cargo run --release --example error-rates -- --coverage
//! ```

#![expect(clippy::print_stdout, reason = "a program of its own: the table is its output")]

mod coverage;
mod noise;
mod rates;
mod world;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use runner::Failure;
use runner::manifest::Plan;
use runner::project::Project;
use runner::reading::read_manifest;

use noise::Noise;
use rates::{Case, rates};

/// Simulates experiments under a rule and counts what it says.
#[derive(Debug, Parser)]
struct Arguments {
    /// Manifests whose rules are simulated; without any, one of each stopping rule
    manifests: Vec<PathBuf>,
    /// Print how often each interval holds the truth, instead of the rules' errors
    #[arg(long, conflicts_with = "noise")]
    coverage: bool,
    /// Experiments behind each rate
    #[arg(long, default_value_t = 10_000)]
    experiments: u32,
    /// Of the simulated noise
    #[arg(long, default_value_t = 20_261_129)]
    seed: u64,
    /// Sorts of noise; all when none is named
    #[arg(long, value_enum)]
    noise: Vec<Noise>,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(table) => {
            println!("{table}");
            ExitCode::SUCCESS
        }
        Err(failure) => {
            println!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<String, Failure> {
    if arguments.coverage {
        return Ok(coverage::table(arguments.experiments, arguments.seed));
    }
    let here = std::env::current_dir().map_err(|error| Failure::failed(error.to_string()))?;
    let project = Project::find(&here, None)?;
    let own = ["fixed", "looks", "sequence"]
        .map(|name| project.root.join(format!("tests/programs/error_rates/{name}.toml")));
    let manifests =
        if arguments.manifests.is_empty() { own.to_vec() } else { arguments.manifests.clone() };
    let noises =
        if arguments.noise.is_empty() { Noise::value_variants() } else { &arguments.noise };
    let mut lines = vec![
        format!(
            "{} experiments behind each rate, seed {}; in brackets the 99 % interval of the rate.",
            arguments.experiments, arguments.seed
        ),
        String::new(),
        "| rule | noise | win or loss, no effect, margin 0 (nominal 5 %) | win, effect at the margin \
         (nominal 2.5 %) | level, effect at the margin (nominal 2.5 %) | void, no effect (nominal \
         1 % or less) | rounds, no effect |"
            .to_owned(),
        "|---|---|---|---|---|---|---|".to_owned(),
    ];
    for manifest in &manifests {
        let plan: Plan = read_manifest(manifest, &project).map_err(Failure::from)?.reading.plan;
        for &noise in noises {
            let case = Case {
                plan: &plan,
                noise,
                experiments: arguments.experiments,
                seed: arguments.seed,
            };
            lines.push(rates(&case).line());
        }
    }
    Ok(lines.join("\n"))
}
