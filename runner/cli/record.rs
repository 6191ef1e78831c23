//! `runner record`: what is committed is what was measured.

use runner::record::{Checks, Severity, passes, verify};
use runner::{Failure, report, verdict};

use super::context::App;
use super::outcome::Outcome;
use super::{record_export, record_import, record_spread};

/// What to do with records.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Check every ledger entry and record: hashes, samples, and the verdict computed again
    Verify,
    /// Where a record's noise comes from, what its parts cost, and the sizes that they ask for
    Spread(record_spread::Arguments),
    /// Take in what llama-bench, hyperfine or criterion measured; never a verdict
    Import(record_import::Arguments),
    /// Write a record as RO-Crate, Bencher Metric Format, JSON, CSV or Parquet
    Export(record_export::Arguments),
}

/// Does it.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    match &arguments.action {
        Action::Verify => verify_all(app),
        Action::Spread(arguments) => record_spread::run(app, arguments),
        Action::Import(arguments) => record_import::run(app, arguments),
        Action::Export(arguments) => record_export::run(app, arguments),
    }
}

/// Verifies all of results/; any fault is exit 1.
fn verify_all(app: &App) -> Result<Outcome, Failure> {
    let project = app.project()?;
    let checks = Checks {
        judge: &verdict::judge_under,
        index: &|listing| report::index(&listing.summaries),
    };
    let findings = verify(&project, &checks)?;
    let good = passes(&findings);
    if app.global.json {
        app.terminal.json(&report::findings_json(&findings))?;
    } else {
        for finding in &findings {
            app.terminal.line(format!(
                "{}: {}: {}",
                severity_word(finding.severity),
                finding.file,
                finding.what
            ))?;
        }
        let listing = runner::record::list(&project)?;
        let records = listing
            .summaries
            .iter()
            .filter(|row| matches!(row.state, runner::record::SummaryState::Finished(_)))
            .count();
        app.terminal.line(if good {
            format!("{records} records verified")
        } else {
            "verification failed".to_owned()
        })?;
    }
    Ok(if good { Outcome::Done } else { Outcome::Found })
}

fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Failed => "failed",
        Severity::Unchecked => "unchecked",
        Severity::Note => "note",
    }
}
