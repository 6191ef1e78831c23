//! How a worker ends, as exit codes.

use std::process::ExitCode;

/// The end of a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WorkerExit {
    /// `shutdown` was answered.
    Finished,
    /// Standard input closed: the caller is gone.
    InputClosed,
    /// Standard output cannot be written: the caller is gone.
    OutputClosed,
    /// The streams could not be set up.
    NoStreams,
}

impl WorkerExit {
    /// The process's exit code.
    pub(super) fn code(self) -> u8 {
        match self {
            Self::Finished => 0,
            Self::InputClosed => 10,
            Self::OutputClosed => 11,
            Self::NoStreams => 12,
        }
    }
}

impl From<WorkerExit> for ExitCode {
    fn from(end: WorkerExit) -> Self {
        Self::from(end.code())
    }
}
