//! `runner man`: manual pages.

use std::path::{Path, PathBuf};

use clap::CommandFactory;
use runner::Failure;
use serde_json::json;

use super::context::App;
use super::dispatch::{CommandLine, exit_codes};
use super::outcome::Outcome;

/// Where to.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Folder for the pages; it is made where it is missing
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Writes a page for the program and one for each subcommand.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let folder = &arguments.folder;
    let failed = |error: std::io::Error| cannot_write(folder, &error);
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut command = CommandLine::command().after_help(exit_codes()).disable_help_subcommand(true);
    command.build();
    let mut pages = Vec::new();
    write(&command, folder, &mut pages).map_err(failed)?;
    pages.sort();
    if app.global.json {
        app.terminal.json(&json!({ "pages": pages }))?;
    } else {
        app.terminal.line(format!("{} pages in {}", pages.len(), folder.display()))?;
    }
    Ok(Outcome::Done)
}

fn write(command: &clap::Command, folder: &Path, pages: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for subcommand in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        write(subcommand, folder, pages)?;
    }
    let source = concat!("runner ", env!("CARGO_PKG_VERSION"));
    pages.push(clap_mangen::Man::new(command.clone()).source(source).generate_to(folder)?);
    Ok(())
}

fn cannot_write(folder: &Path, error: &std::io::Error) -> Failure {
    Failure::failed(format!("the manual pages cannot be written: {error}"))
        .at(folder.display())
        .hint("name a folder that you may write to")
}
