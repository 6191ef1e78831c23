//! Other programs (`git`, `pip`, `cargo`), run to their end within a limit.

use std::io::Read;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::process::describe_status;
use crate::failure::Failure;

/// What is kept of each of a program's two streams.
const MOST_OUTPUT_BYTES: u64 = 8 << 20;

/// Said of a program that is not there.
pub(super) const NOT_INSTALLED: &str = "it is not installed";

/// A program that ran to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolOutput {
    /// Whether it succeeded.
    pub succeeded: bool,
    /// `exit status 1`, `signal 9 …`.
    pub status: String,
    /// Standard output, at most 8 MiB of it.
    pub stdout: String,
    /// Standard error, at most 8 MiB of it.
    pub stderr: String,
}

/// Runs a program in a folder.
///
/// # Errors
/// When the program is not there or cannot be started, or did not end within the limit (it is
/// ended then). A program that ends with an error is no error here.
pub fn run(
    program: &str,
    arguments: &[&str],
    folder: &Path,
    limit: Duration,
) -> Result<ToolOutput, Failure> {
    let started = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = started.map_err(|error| {
        let why = match error.kind() {
            std::io::ErrorKind::NotFound => NOT_INSTALLED.to_owned(),
            _ => error.to_string(),
        };
        Failure::failed(format!("`{program}` cannot be run: {why}"))
    })?;
    let stdout = child.stdout.take().map(gather);
    let stderr = child.stderr.take().map(gather);
    let begun = Instant::now();
    let status: ExitStatus = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if begun.elapsed() < limit => std::thread::sleep(Duration::from_millis(5)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(Failure::failed(format!(
                    "`{program}` did not end within {:.0} s and was ended",
                    limit.as_secs_f64()
                )));
            }
        }
    };
    Ok(ToolOutput {
        succeeded: status.success(),
        status: describe_status(status),
        stdout: text(stdout),
        stderr: text(stderr),
    })
}

/// Reads a stream to its end, keeping its beginning.
fn gather(mut stream: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut kept = Vec::new();
        // A stream that fails has simply ended.
        let _ = (&mut stream).take(MOST_OUTPUT_BYTES).read_to_end(&mut kept);
        let _ = std::io::copy(&mut stream, &mut std::io::sink());
        kept
    })
}

fn text(stream: Option<JoinHandle<Vec<u8>>>) -> String {
    let bytes = stream.and_then(|stream| stream.join().ok()).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn both_streams_and_the_status_come_back() {
        let folder = Path::new("/");
        let seen = run("sh", &["-c", "echo out; echo err >&2; exit 3"], folder, MINUTE).unwrap();
        assert_eq!(
            seen,
            ToolOutput {
                succeeded: false,
                status: "exit status 3".to_owned(),
                stdout: "out\n".to_owned(),
                stderr: "err\n".to_owned(),
            }
        );
    }

    #[test]
    fn what_is_missing_or_hangs_is_said() {
        let folder = Path::new("/");
        let missing = run("no-such-program-here", &[], folder, MINUTE).unwrap_err();
        assert!(missing.what.contains("not installed"), "{missing}");
        let hangs = run("sleep", &["600"], folder, Duration::from_millis(50)).unwrap_err();
        assert!(hangs.what.contains("did not end"), "{hangs}");
    }
}
