//! Standard output, kept for answers alone.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use engine_protocol::Response;
use rustix::io::fcntl_dupfd_cloexec;
use rustix::stdio;

/// The lowest number for the private duplicate: out of the way of 0, 1 and 2.
const LOWEST_DESCRIPTOR: i32 = 3;

/// The private duplicate of what was standard output.
#[derive(Debug)]
pub(super) struct PrivateOutput {
    writer: BufWriter<File>,
}

impl PrivateOutput {
    /// Duplicates standard output, then points the public one at standard error.
    pub(super) fn take() -> io::Result<Self> {
        let private = fcntl_dupfd_cloexec(stdio::stdout(), LOWEST_DESCRIPTOR)?;
        stdio::dup2_stdout(stdio::stderr())?;
        Ok(Self { writer: BufWriter::new(File::from(private)) })
    }

    /// Writes one line and hands it over.
    pub(super) fn send(&mut self, response: &Response) -> io::Result<()> {
        serde_json::to_writer(&mut self.writer, response)?;
        self.writer.write_all(b"\n")?;
        self.writer.flush()
    }
}
