//! The journal: the file that a run grows in. Each entry is on disk before the run goes on.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::clock::{self, SegmentClock};
use super::entry::{Entry, JOURNAL_FORMAT, Line};
use crate::failure::Failure;

/// An open journal.
#[derive(Debug)]
pub(super) struct Journal {
    file: File,
    path: PathBuf,
    clock: SegmentClock,
    whole_bytes: u64,
}

/// What a journal holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct JournalReading {
    /// In order; the first is `opened`.
    pub(super) lines: Vec<Line>,
    /// Length of the whole lines; what follows was cut by a crash.
    pub(super) whole_bytes: u64,
    /// The last whole line lacks its line end.
    unended: bool,
}

impl Journal {
    /// Makes a new one; its folder must exist.
    pub(super) fn create(path: &Path, clock: SegmentClock) -> Result<Journal, Failure> {
        let opened = OpenOptions::new().write(true).create_new(true).open(path);
        let file = opened.map_err(|error| cannot_write(path, &error))?;
        if let Some(folder) = path.parent() {
            // The folder's entry must survive a power cut as well.
            let synced = File::open(folder).and_then(|folder| folder.sync_all());
            synced.map_err(|error| cannot_write(path, &error))?;
        }
        Ok(Journal { file, path: path.to_path_buf(), clock, whole_bytes: 0 })
    }

    /// Opens one that was read, cutting off a torn end.
    pub(super) fn reopen(
        path: &Path,
        reading: &JournalReading,
        clock: SegmentClock,
    ) -> Result<Journal, Failure> {
        let fault = |error: std::io::Error| cannot_write(path, &error);
        let mut file = OpenOptions::new().write(true).open(path).map_err(fault)?;
        file.set_len(reading.whole_bytes).map_err(fault)?;
        file.seek(SeekFrom::End(0)).map_err(fault)?;
        let mut whole_bytes = reading.whole_bytes;
        if reading.unended {
            file.write_all(b"\n").map_err(fault)?;
            whole_bytes += 1;
        }
        file.sync_all().map_err(fault)?;
        Ok(Journal { file, path: path.to_path_buf(), clock, whole_bytes })
    }

    /// Writes an entry and waits until it is on disk.
    ///
    /// # Errors
    /// Incomplete (exit 5) when it cannot be written: what was whole before stays whole.
    pub(super) fn append(&mut self, entry: Entry) -> Result<Line, Failure> {
        let line =
            Line { at: clock::utc_now(), elapsed_nanoseconds: self.clock.nanoseconds(), entry };
        let mut text = serde_json::to_vec(&line)
            .map_err(|error| Failure::incomplete(format!("an entry cannot be written: {error}")))?;
        text.push(b'\n');
        let written = self.file.write_all(&text).and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            // Best effort: the next reading cuts off a torn end anyway.
            let _ = self.file.set_len(self.whole_bytes);
            let _ = self.file.seek(SeekFrom::Start(self.whole_bytes));
            return Err(cannot_write(&self.path, &error));
        }
        self.whole_bytes += text.len() as u64;
        Ok(line)
    }

    /// The run's clock since it was started or resumed.
    pub(super) fn clock(&self) -> SegmentClock {
        self.clock
    }
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    Failure::incomplete(format!("the journal cannot be written: {error}"))
        .at(path.display())
        .hint("make room, then run the same command again: it goes on after the last whole block")
}

/// Reads a journal. A last line that a crash cut short is left out.
///
/// # Errors
/// When the file cannot be read, is of another format, or is corrupt before its last line: the
/// place is named.
pub(super) fn read(path: &Path) -> Result<JournalReading, Failure> {
    let bytes = std::fs::read(path).map_err(|error| {
        Failure::failed(format!("the journal cannot be read: {error}")).at(path.display())
    })?;
    let mut lines: Vec<Line> = Vec::new();
    let mut whole_bytes = 0;
    let mut unended = false;
    for (number, text) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let last = whole_bytes + text.len() == bytes.len();
        match serde_json::from_slice::<Line>(text) {
            Ok(line) => {
                unended = text.last() != Some(&b'\n');
                lines.push(line);
            }
            // only a line without its end was cut short; one with it was changed afterwards
            Err(_) if last && text.last() != Some(&b'\n') => break,
            Err(error) => {
                return Err(Failure::failed(format!(
                    "line {} of the journal is corrupt: {error}",
                    number + 1
                ))
                .at(path.display())
                .hint("nothing was changed; move the run's folder away to start anew"));
            }
        }
        whole_bytes += text.len();
    }
    check_first(path, &lines)?;
    Ok(JournalReading { lines, whole_bytes: whole_bytes as u64, unended })
}

fn check_first(path: &Path, lines: &[Line]) -> Result<(), Failure> {
    match lines.first().map(|line| &line.entry) {
        None => Ok(()),
        Some(Entry::Opened(opened)) if opened.format == JOURNAL_FORMAT => Ok(()),
        Some(Entry::Opened(opened)) => Err(Failure::failed(format!(
            "the journal has format {}, this program reads format {JOURNAL_FORMAT}",
            opened.format
        ))
        .at(path.display())
        .hint("go on with the program that began the run")),
        Some(_) => {
            Err(Failure::failed("the journal does not begin with its heading").at(path.display()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::FailureKind;
    use crate::record::JOURNAL_FILE;

    fn opened() -> Entry {
        Entry::Opened(super::super::entry::Opened {
            format: JOURNAL_FORMAT,
            experiment: "x".to_owned(),
            run: "r".to_owned(),
            manifest_hash: "h".to_owned(),
            boot: None,
            facts: serde_json::json!({"a": 0.1}),
        })
    }

    fn three(folder: &Path) -> PathBuf {
        let path = folder.join(JOURNAL_FILE);
        let mut journal = Journal::create(&path, SegmentClock::start()).unwrap();
        journal.append(opened()).unwrap();
        journal.append(Entry::RoundEnded { round: 0, memory: Vec::new() }).unwrap();
        journal.append(Entry::RoundEnded { round: 1, memory: Vec::new() }).unwrap();
        path
    }

    #[test]
    fn cut_at_every_byte_it_reads_as_the_whole_lines_before_and_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = three(folder.path());
        let bytes = std::fs::read(&path).unwrap();
        for cut in 0..=bytes.len() {
            std::fs::write(&path, &bytes[..cut]).unwrap();
            let ends: Vec<usize> =
                (0..bytes.len()).filter(|at| bytes[*at] == b'\n').map(|at| at + 1).collect();
            // A line that lacks only its line end is whole.
            let whole = ends.iter().filter(|end| **end - 1 <= cut).count();
            let reading = read(&path).unwrap();
            assert_eq!(reading.lines.len(), whole, "cut at {cut}");
            let mut journal = Journal::reopen(&path, &reading, SegmentClock::start()).unwrap();
            journal.append(opened()).unwrap();
            if whole > 0 {
                assert_eq!(read(&path).unwrap().lines.len(), whole + 1, "cut at {cut}");
            }
        }
    }

    #[test]
    fn a_corrupt_middle_is_named_by_line_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = three(folder.path());
        let text = std::fs::read_to_string(&path).unwrap().replacen("round_ended", "rou\nended", 1);
        std::fs::write(&path, &text).unwrap();
        let failure = read(&path).unwrap_err();
        assert!(failure.what.starts_with("line 2 of the journal is corrupt"), "{failure}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }

    #[test]
    fn a_full_disk_is_a_loud_failure() {
        let mut journal = Journal {
            file: OpenOptions::new().write(true).open("/dev/full").unwrap(),
            path: PathBuf::from("journal"),
            clock: SegmentClock::start(),
            whole_bytes: 0,
        };
        let failure = journal.append(opened()).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Incomplete);
        assert!(failure.what.contains("No space left"), "{failure}");
    }

    #[test]
    fn another_format_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = three(folder.path());
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replacen("\"format\":1", "\"format\":2", 1)).unwrap();
        assert!(read(&path).unwrap_err().what.contains("has format 2"));
    }
}
