//! What other ways of measuring would have made of recorded noise: false positives and power of
//! the mean and standard deviation of five repetitions, of Welch's test on pooled samples, and of
//! this program's rule, on the same stretches of wall time of a record whose arms are equal.
//!
//! ```text
//! cargo run --release --example practice -- cc-objects-against-cmake/20261129-174811
//! ```

#![expect(clippy::print_stdout, reason = "a program of its own: the table is its output")]

mod methods;
mod stretch;

use std::process::ExitCode;

use clap::Parser;
use runner::Failure;
use runner::manifest::ExperimentId;
use runner::project::Project;
use runner::record::{self, RunName};

use methods::Method;
use stretch::{Series, stretches};

/// Applies several methods to stretches of a record.
#[derive(Debug, Parser)]
struct Arguments {
    /// `ID/RUN` of records in which every arm does the same
    #[arg(required = true)]
    records: Vec<String>,
    /// Arms that do the same, by name; all when none is named
    #[arg(long, value_delimiter = ',')]
    arms: Vec<String>,
    /// Rounds of a stretch
    #[arg(long, default_value_t = 8)]
    rounds: usize,
    /// True effects, percent, that are laid over the treatment's samples
    #[arg(long, value_delimiter = ',', default_values_t = [0.0, 2.0, 3.0, 5.0, 8.0])]
    effects: Vec<f64>,
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
    let here = std::env::current_dir().map_err(|error| Failure::failed(error.to_string()))?;
    let project = Project::find(&here, None)?;
    let mut all = Vec::new();
    for name in &arguments.records {
        all.extend(series(&project, name, &arguments.arms)?);
    }
    let cases: Vec<_> = all.iter().flat_map(|series| stretches(series, arguments.rounds)).collect();
    if cases.is_empty() {
        return Err(Failure::failed("no record has that many rounds")
            .hint("lower --rounds, or name a longer record"));
    }
    let seconds: f64 =
        cases.iter().map(stretch::Stretch::seconds).sum::<f64>() / cases.len() as f64;
    let mut lines = vec![
        format!(
            "{} stretches of {} rounds ({seconds:.0} s of engine work on average; they overlap, and \
             each pair of arms is taken in both directions) from {}.",
            cases.len(),
            arguments.rounds,
            arguments.records.join(", ")
        ),
        String::new(),
    ];
    let heads: Vec<String> = arguments.effects.iter().map(|effect| format!("{effect} %")).collect();
    lines.push(format!(
        "| method, calls a difference at a true effect of | {} |",
        heads.join(" | ")
    ));
    lines.push(format!("|---|{}", "---|".repeat(heads.len())));
    for method in Method::ALL {
        let shares: Vec<String> = arguments
            .effects
            .iter()
            .map(|effect| {
                let effect = (effect / 100.0).ln_1p();
                let called = cases.iter().filter(|case| method.calls(case, effect)).count();
                format!("{:.1} %", 100.0 * called as f64 / cases.len() as f64)
            })
            .collect();
        lines.push(format!("| {} | {} |", method.label(), shares.join(" | ")));
    }
    Ok(lines.join("\n"))
}

/// The series of each condition value of a record.
fn series(project: &Project, name: &str, arms: &[String]) -> Result<Vec<Series>, Failure> {
    let bad = || Failure::usage("a record is named ID/RUN").at(name);
    let (id, run) = name.split_once('/').ok_or_else(bad)?;
    let id = ExperimentId::try_from(id.to_owned()).map_err(|_| bad())?;
    let run = RunName::try_from(run.to_owned()).map_err(|_| bad())?;
    let found = record::read(project, &id, &run)?;
    let file = record::run_folder(project, &id, &run).join(&found.sealed.samples.file);
    let mut rows = sample_table::read(&file)
        .map_err(|error| Failure::failed(error.to_string()).at(file.display()))?;
    rows.retain(|row| arms.is_empty() || arms.contains(&row.arm));
    Ok(Series::of(&rows))
}
