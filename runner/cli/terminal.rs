//! The only place that writes to standard output and standard error.

use std::io::{IsTerminal, Write};

use runner::Failure;

/// Whether output is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Whether colours are on, decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Color {
    /// ANSI sequences.
    Ansi,
    /// None.
    Plain,
}

/// Widest table on a terminal whose width is unknown.
const DEFAULT_WIDTH: usize = 100;

/// Standard output and standard error.
#[derive(Debug, Clone, Copy)]
pub struct Terminal {
    /// For standard output.
    pub color: Color,
    /// For standard error.
    pub error_color: Color,
    /// Columns of tables.
    pub width: usize,
    /// Columns of running lines: those of the terminal, or of `COLUMNS`; a pipe gets whole lines.
    pub line_width: usize,
}

impl Terminal {
    /// Decides colours and width once.
    pub fn new(choice: ColorChoice) -> Terminal {
        let decide = |is_terminal: bool| match choice {
            ColorChoice::Always => Color::Ansi,
            ColorChoice::Never => Color::Plain,
            ColorChoice::Auto => {
                let forbidden = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
                if is_terminal && !forbidden { Color::Ansi } else { Color::Plain }
            }
        };
        let known = std::env::var("COLUMNS")
            .ok()
            .and_then(|text| text.parse::<usize>().ok())
            .or_else(|| {
                rustix::termios::tcgetwinsize(std::io::stdout())
                    .ok()
                    .map(|size| usize::from(size.ws_col))
            })
            .filter(|columns| *columns >= 40);
        Terminal {
            color: decide(std::io::stdout().is_terminal()),
            error_color: decide(std::io::stderr().is_terminal()),
            width: known.unwrap_or(DEFAULT_WIDTH),
            line_width: known.unwrap_or(usize::MAX),
        }
    }

    /// Writes text and a line end to standard output.
    pub fn line(&self, text: impl AsRef<str>) -> Result<(), Failure> {
        let mut text = text.as_ref().to_owned();
        if !text.ends_with('\n') {
            text.push('\n');
        }
        write_out(std::io::stdout().lock(), &text)
    }

    /// Writes a JSON document to standard output.
    pub fn json(&self, value: &serde_json::Value) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(value)
            .map_err(|error| Failure::failed(format!("no JSON could be made: {error}")))?;
        self.line(text)
    }

    /// Writes a note for people to standard error.
    pub fn note(&self, text: impl AsRef<str>) -> Result<(), Failure> {
        write_out(std::io::stderr().lock(), &format!("{}\n", text.as_ref().trim_end()))
    }
}

/// A reader that has gone away (`runner list | head`) is no failure.
fn write_out(mut stream: impl Write, text: &str) -> Result<(), Failure> {
    match stream.write_all(text.as_bytes()).and_then(|()| stream.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::failed(format!("output could not be written: {error}")))
        }
        _ => Ok(()),
    }
}
