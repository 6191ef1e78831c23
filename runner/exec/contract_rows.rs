//! Two files of logits side by side, in two halves at once.

use std::path::{Path, PathBuf};

use engine_protocol::{LogitsFile, Token};

use super::contract_texts::TestedText;
use super::logits_file::RowReader;
use crate::failure::Failure;
use crate::verdict::contract::{LogitFigures, LogitsComparison, Sides};

/// Rows of a text on disk.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    pub(super) path: PathBuf,
    pub(super) file: LogitsFile,
}

impl Rows {
    /// Takes the file away.
    pub(super) fn discard(&self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Compares the first `rows` rows of two files of one text; either may have more.
///
/// # Errors
/// When a file is not what its worker said.
pub(super) fn compare(
    (here, there): (&Rows, &Rows),
    sides: Sides,
    text: &TestedText,
    rows: usize,
) -> Result<LogitFigures, Failure> {
    let half = rows / 2;
    let part = |from: usize, until: usize| {
        let mut left = RowReader::open_at(&here.path, &here.file, from)?;
        let mut right = RowReader::open_at(&there.path, &there.file, from)?;
        let mut comparison = LogitsComparison::of(sides);
        for row in from..until {
            let pair = (left.next_row()?, right.next_row()?);
            let (Some(left), Some(right)) = pair else { break };
            let index = text.depth + row;
            let next: Option<Token> = text.tokens.get(index + 1).copied();
            comparison.add(index as u64, next, left, right);
        }
        Ok::<LogitsComparison, Failure>(comparison)
    };
    let (first, second) = std::thread::scope(|scope| {
        let later = scope.spawn(|| part(half, rows));
        let first = part(0, half);
        (first, later.join())
    });
    let mut comparison = first?;
    let later = second
        .map_err(|_| Failure::failed("comparing logits ended early").at(there.path.display()))??;
    comparison.append(later);
    Ok(comparison.finish())
}

/// That a file is what its worker said: length and hash.
///
/// # Errors
/// When it is not.
pub(super) fn confirm(path: &Path, file: &LogitsFile) -> Result<(), Failure> {
    RowReader::open(path, file).map(|_| ())
}

/// Whether the first `rows` rows of two files are the same bytes.
///
/// # Errors
/// When a file cannot be read.
pub(super) fn equal_bytes((here, there): (&Rows, &Rows), rows: usize) -> Result<bool, Failure> {
    if here.file.vocabulary != there.file.vocabulary {
        return Ok(false);
    }
    let mut left = RowReader::open_at(&here.path, &here.file, 0)?;
    let mut right = RowReader::open_at(&there.path, &there.file, 0)?;
    for _ in 0..rows {
        match (left.next_row()?, right.next_row()?) {
            (Some(left), Some(right)) => {
                let bits = left.iter().map(|value| value.to_bits());
                if !bits.eq(right.iter().map(|value| value.to_bits())) {
                    return Ok(false);
                }
            }
            _ => return Ok(false),
        }
    }
    Ok(true)
}
