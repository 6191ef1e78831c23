//! Which format a file has follows from its name.

use std::path::Path;

use crate::{SampleRow, TableError, jsonl};

/// The formats of a file of samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Columns, compressed; needs the feature `parquet`.
    Parquet,
    /// One JSON object a line.
    Jsonl,
}

/// What records are written in: Parquet where this build has it.
pub const PREFERRED: Format =
    if cfg!(feature = "parquet") { Format::Parquet } else { Format::Jsonl };

impl Format {
    /// The end of the file's name, without a dot.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Format::Parquet => "parquet",
            Format::Jsonl => "jsonl",
        }
    }

    /// The format that a file's name says.
    ///
    /// # Errors
    /// When it is neither.
    pub fn of(path: &Path) -> Result<Format, TableError> {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("parquet") => Ok(Format::Parquet),
            Some("jsonl") => Ok(Format::Jsonl),
            _ => Err(TableError::UnknownFormat { path: path.to_path_buf() }),
        }
    }
}

/// The bytes of a file of rows, in their order; the file's name says the format. The same rows
/// give the same bytes.
///
/// # Errors
/// When the format is not in this build.
pub fn encode(path: &Path, rows: &[SampleRow]) -> Result<Vec<u8>, TableError> {
    match Format::of(path)? {
        Format::Jsonl => jsonl::to_bytes(rows).map_err(|error| TableError::content(path, error)),
        Format::Parquet => parquet_bytes(path, rows),
    }
}

/// The rows in the bytes of a file, in the file's order; the file's name says the format.
///
/// # Errors
/// When they are no table of samples, or the format is not in this build.
pub fn decode(path: &Path, bytes: Vec<u8>) -> Result<Vec<SampleRow>, TableError> {
    match Format::of(path)? {
        Format::Jsonl => jsonl::from_bytes(&bytes).map_err(|why| TableError::content(path, why)),
        Format::Parquet => parquet_rows(path, bytes),
    }
}

/// Writes rows to a file: see [`encode`]. Not synced, not renamed: that is for the caller.
///
/// # Errors
/// When the file cannot be written, or the format is not in this build.
pub fn write(path: &Path, rows: &[SampleRow]) -> Result<(), TableError> {
    let bytes = encode(path, rows)?;
    std::fs::write(path, bytes).map_err(|error| TableError::file(path, error))
}

/// Reads the rows of a file: see [`decode`].
///
/// # Errors
/// When the file cannot be read or is no table of samples, or its format is not in this build.
pub fn read(path: &Path) -> Result<Vec<SampleRow>, TableError> {
    Format::of(path)?;
    let bytes = std::fs::read(path).map_err(|error| TableError::file(path, error))?;
    decode(path, bytes)
}

#[cfg(feature = "parquet")]
fn parquet_bytes(path: &Path, rows: &[SampleRow]) -> Result<Vec<u8>, TableError> {
    crate::parquet::to_bytes(rows).map_err(|why| TableError::content(path, why))
}

#[cfg(feature = "parquet")]
fn parquet_rows(path: &Path, bytes: Vec<u8>) -> Result<Vec<SampleRow>, TableError> {
    crate::parquet::from_bytes(bytes).map_err(|why| TableError::content(path, why))
}

#[cfg(not(feature = "parquet"))]
fn parquet_bytes(path: &Path, _rows: &[SampleRow]) -> Result<Vec<u8>, TableError> {
    Err(TableError::WithoutParquet { path: path.to_path_buf() })
}

#[cfg(not(feature = "parquet"))]
fn parquet_rows(path: &Path, _bytes: Vec<u8>) -> Result<Vec<SampleRow>, TableError> {
    Err(TableError::WithoutParquet { path: path.to_path_buf() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SampleState, Work};

    fn rows() -> Vec<SampleRow> {
        let states = [SampleState::Timed, SampleState::TimedOut, SampleState::Censored];
        let works = [Work::Prompt, Work::Decode, Work::Prefill, Work::Primitive];
        (0..300_u32)
            .map(|index| SampleRow {
                condition: index % 2,
                round: index / 30,
                segment: index / 40,
                block: index % 6,
                chunk: index % 8,
                place: index % 3,
                arm: ["off", "off-again", "micro_batch_tokens=16"][index as usize % 3].to_owned(),
                input: format!("prose-{}", index % 48),
                work: works[index as usize % 4],
                tokens: 8,
                nanoseconds: if index == 7 { u64::MAX } else { 1_000_000_007 * u64::from(index) },
                started_nanoseconds: 3_000_000_019 * u64::from(index),
                state: states[index as usize % 3],
                flags: if index % 10 == 0 {
                    "cpu_of_others,pressure".to_owned()
                } else {
                    String::new()
                },
                energy: None,
            })
            .collect()
    }

    fn scratch(name: &str) -> std::path::PathBuf {
        let folder =
            std::env::temp_dir().join(format!("sample-table-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn jsonl_gives_back_every_row_and_refuses_a_cut_file() {
        let folder = scratch("jsonl");
        let path = folder.join("samples.jsonl");
        write(&path, &rows()).unwrap();
        assert_eq!(read(&path).unwrap(), rows());
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() - 5]).unwrap();
        assert!(read(&path).unwrap_err().to_string().contains("last line"));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_name_without_a_known_end_is_refused() {
        assert!(matches!(read(Path::new("samples.csv")), Err(TableError::UnknownFormat { .. })));
    }

    #[cfg(not(feature = "parquet"))]
    #[test]
    fn without_the_feature_parquet_says_which_feature_is_missing() {
        let folder = scratch("without");
        let path = folder.join("samples.parquet");
        std::fs::write(&path, b"PAR1").unwrap();
        assert!(read(&path).unwrap_err().to_string().contains("feature `parquet`"));
        assert!(write(&path, &rows()).unwrap_err().to_string().contains("feature `parquet`"));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(feature = "parquet")]
    #[test]
    fn parquet_gives_back_every_row_with_the_hash_that_jsonl_has() {
        let folder = scratch("parquet");
        let (columns, lines) = (folder.join("samples.parquet"), folder.join("samples.jsonl"));
        write(&columns, &rows()).unwrap();
        write(&lines, &rows()).unwrap();
        assert_eq!(read(&columns).unwrap(), rows());
        let hash = |path: &Path| crate::rows_hash(&read(path).unwrap());
        assert_eq!(hash(&columns), hash(&lines));
        let again = folder.join("again.parquet");
        write(&again, &rows()).unwrap();
        assert_eq!(std::fs::read(&columns).unwrap(), std::fs::read(&again).unwrap());
        write(&columns, &[]).unwrap();
        assert_eq!(read(&columns).unwrap(), Vec::new());
        assert_eq!(hash(&columns), crate::rows_hash(&[]));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(feature = "parquet")]
    #[test]
    fn parquet_gives_back_energy_and_has_its_columns_only_where_a_row_has_one() {
        let folder = scratch("energy");
        let path = folder.join("samples.parquet");
        let mut with_energy = rows();
        for row in with_energy.iter_mut().step_by(3) {
            let microjoules = 1_000_000 * u64::from(row.round) + 1;
            row.energy = Some(crate::SampleEnergy { microjoules, tokens: row.tokens + 1 });
        }
        write(&path, &with_energy).unwrap();
        assert_eq!(read(&path).unwrap(), with_energy);
        let named = |path: &Path| {
            std::fs::read(path).unwrap().windows(11).any(|bytes| bytes == b"microjoules")
        };
        assert!(named(&path));
        write(&path, &rows()).unwrap();
        assert!(!named(&path));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(feature = "parquet")]
    #[test]
    fn bytes_that_are_no_parquet_are_an_error() {
        let folder = scratch("garbage");
        let path = folder.join("samples.parquet");
        std::fs::write(&path, b"not a table at all").unwrap();
        assert!(matches!(read(&path), Err(TableError::Content { .. })));
        std::fs::remove_dir_all(folder).unwrap();
    }

    /// Files of the first release: they stay readable for ever, with the same hash.
    const OLD_HASH: &str = "53cd18bbf5c40a10b5f26b96830355ba09b7b743c6dfe14d84a5cebc826dad38";

    fn old(name: &str) -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors").join(name)
    }

    #[test]
    fn an_old_jsonl_file_reads_with_its_old_hash() {
        assert_eq!(crate::rows_hash(&read(&old("samples.jsonl")).unwrap()), OLD_HASH);
    }

    #[cfg(feature = "parquet")]
    #[test]
    fn an_old_parquet_file_reads_with_its_old_hash() {
        assert_eq!(crate::rows_hash(&read(&old("samples.parquet")).unwrap()), OLD_HASH);
    }

    #[cfg(feature = "parquet")]
    #[test]
    #[ignore = "renews the vectors; only before a format is released"]
    fn renew_vectors() {
        for name in ["samples.jsonl", "samples.parquet"] {
            write(&old(name), &rows()[..40]).unwrap();
        }
        panic!("hash: {}", crate::rows_hash(&rows()[..40]));
    }
}
