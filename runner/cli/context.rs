//! What every subcommand starts from.

use std::path::Path;

use runner::Failure;
use runner::project::Project;
use runner::reading::{ReadManifest, Unreadable, read_manifest};

use super::dispatch::Global;
use super::terminal::{Color, Terminal};

/// Terminal and global options.
#[derive(Debug)]
pub struct App {
    /// Where to write.
    pub terminal: Terminal,
    /// Options of every command.
    pub global: Global,
}

impl App {
    /// The project around the working directory.
    pub fn project(&self) -> Result<Project, Failure> {
        let here = std::env::current_dir()
            .map_err(|error| Failure::failed(format!("no working directory: {error}")))?;
        let results = self.global.results.as_ref().map(|folder| here.join(folder));
        Project::find(&here, results.as_deref())
    }

    /// The same, for what only reads results: a folder that was named must be there, since a check of
    /// nothing would pass.
    pub fn project_with_results(&self) -> Result<Project, Failure> {
        let project = self.project()?;
        if self.global.results.is_some() && !project.results.is_dir() {
            return Err(Failure::usage("there is no such folder of results")
                .at(project.results.display())
                .hint("`--results` names a folder that holds experiments"));
        }
        Ok(project)
    }

    /// Reads a manifest; faults are rendered in full, warnings go to standard error.
    pub fn read(&self, file: &Path, project: &Project) -> Result<ReadManifest, Failure> {
        let read = read_manifest(file, project).map_err(|unreadable| match unreadable {
            Unreadable::File(failure) => failure,
            Unreadable::Content(diagnostics) => {
                let rendered = diagnostics.render(self.manifest_color());
                let mut failure = Failure::from(diagnostics);
                failure.rendered = Some(rendered);
                failure
            }
        })?;
        if !read.reading.warnings.is_empty() && !self.global.json {
            self.terminal.note(read.reading.warnings.render(self.manifest_color()))?;
        }
        Ok(read)
    }

    /// Colours of rendered faults, which go to standard error; none in JSON.
    pub fn manifest_color(&self) -> runner::manifest::Color {
        match self.terminal.error_color {
            Color::Ansi if !self.global.json => runner::manifest::Color::Styled,
            _ => runner::manifest::Color::Plain,
        }
    }
}
