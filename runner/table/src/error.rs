//! What can go wrong with a file of samples.

use std::path::PathBuf;

/// A file of samples that cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The operating system said no.
    #[error("{path}: {source}")]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Its content is no table of samples.
    #[error("{path}: not a table of samples: {why}")]
    Content {
        /// Which file.
        path: PathBuf,
        /// A lower-case fragment.
        why: String,
    },
    /// Its name ends neither in `.parquet` nor in `.jsonl`.
    #[error("{path}: samples are in files that end in .parquet or .jsonl")]
    UnknownFormat {
        /// Which file.
        path: PathBuf,
    },
    /// Parquet was left out of this build.
    #[error("{path}: this build of runner has no Parquet; build it with the feature `parquet`")]
    WithoutParquet {
        /// Which file.
        path: PathBuf,
    },
}

impl TableError {
    pub(crate) fn content(path: &std::path::Path, why: impl ToString) -> TableError {
        TableError::Content { path: path.to_path_buf(), why: why.to_string() }
    }

    pub(crate) fn file(path: &std::path::Path, source: std::io::Error) -> TableError {
        TableError::File { path: path.to_path_buf(), source }
    }
}
