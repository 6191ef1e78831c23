//! `runner report`: writes results/INDEX.md from the records.

use runner::record::INDEX_FILE;
use runner::{Failure, record, report};

use super::context::App;
use super::outcome::Outcome;

/// Write, or only look.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Write nothing; exit 1 when INDEX.md is not what the records give
    #[arg(long)]
    check: bool,
}

/// Writes the index, or says that it is stale.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let project = app.project()?;
    let text = report::index(&record::list(&project)?.summaries);
    let path = project.results.join(INDEX_FILE);
    if arguments.check {
        let current = std::fs::read_to_string(&path).unwrap_or_default();
        if current == text {
            app.terminal.line(format!("{} is up to date", path.display()))?;
            return Ok(Outcome::Done);
        }
        return Err(Failure::failed("it is not what the records give")
            .at(path.display())
            .hint("run `runner report` and commit it"));
    }
    record::write_index(&project, &text)?;
    app.terminal.line(format!("wrote {}", path.display()))?;
    Ok(Outcome::Done)
}
