//! The run's place on disk: its folder with the journal, its private folder in the cache. Opens
//! a new run, or goes on with an unfinished one.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::clock::{self, SegmentClock};
use super::entry::{Entry, JOURNAL_FORMAT, Opened, Resumed};
use super::identity;
use super::journal::{self, Journal, JournalReading};
use super::state::RunState;
use crate::design::Schedule;
use crate::failure::Failure;
use crate::record::{JOURNAL_FILE, RECORD_FILE, taken_names};

/// How long survivors may take to vanish after they were killed.
const SURVIVOR_WAIT: Duration = Duration::from_secs(5);

/// An open run.
#[derive(Debug)]
pub(super) struct Desk {
    pub(super) journal: Journal,
    pub(super) state: RunState,
    /// `<results>/<id>/<run>`.
    pub(super) run_dir: PathBuf,
    /// `<cache>/runs/<run>`.
    pub(super) private: PathBuf,
    pub(super) run: String,
}

/// Which run is wanted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'run> {
    /// Its experiment.
    pub(super) experiment: &'run str,
    /// Hash of its canonical manifest.
    pub(super) manifest_hash: &'run str,
    /// `<results>/<id>`.
    pub(super) folder: &'run Path,
    /// The project's cache.
    pub(super) cache: &'run Path,
}

impl Desk {
    /// Goes on with the experiment's unfinished run, or opens a new one.
    ///
    /// # Errors
    /// A refusal when an unfinished run belongs to another manifest; a failure when files cannot
    /// be read or written.
    pub(super) fn open(
        wanted: Wanted<'_>,
        schedule: &Schedule,
        facts: &serde_json::Value,
    ) -> Result<Desk, Failure> {
        match unfinished(wanted)? {
            Some((run_dir, reading)) => {
                same_surroundings(&reading, facts, &run_dir)?;
                Desk::go_on(wanted, run_dir, &reading, schedule)
            }
            None => Desk::begin(wanted, facts),
        }
    }

    fn begin(wanted: Wanted<'_>, facts: &serde_json::Value) -> Result<Desk, Failure> {
        let run =
            clock::taken_run_name(wanted.folder, &taken_names(wanted.cache, wanted.experiment));
        let run_dir = wanted.folder.join(&run);
        make_folder(&run_dir)?;
        let private = private_folder(wanted.cache, wanted.experiment, &run)?;
        let journal = Journal::create(&run_dir.join(JOURNAL_FILE), SegmentClock::start())?;
        let mut desk = Desk { journal, state: RunState::default(), run_dir, private, run };
        desk.record(Entry::Opened(Opened {
            format: JOURNAL_FORMAT,
            experiment: wanted.experiment.to_owned(),
            run: desk.run.clone(),
            manifest_hash: wanted.manifest_hash.to_owned(),
            boot: identity::boot_id(),
            facts: facts.clone(),
        }))?;
        Ok(desk)
    }

    fn go_on(
        wanted: Wanted<'_>,
        run_dir: PathBuf,
        reading: &JournalReading,
        schedule: &Schedule,
    ) -> Result<Desk, Failure> {
        let mut state = RunState::default();
        for line in &reading.lines {
            state.apply(line);
        }
        end_survivors(&state)?;
        let run = state.opened.as_ref().map(|opened| opened.run.clone()).unwrap_or_default();
        let private = private_folder(wanted.cache, wanted.experiment, &run)?;
        let clock = SegmentClock::start();
        let journal = Journal::reopen(&run_dir.join(JOURNAL_FILE), reading, clock)?;
        let mut desk = Desk { journal, state, run_dir, private, run };
        if desk.state.ended.is_none() {
            let interruption = desk.state.interruption(schedule, clock::utc_now());
            desk.record(Entry::Resumed(Resumed {
                segment: desk.state.segment + 1,
                interruption,
                boot: identity::boot_id(),
            }))?;
        }
        Ok(desk)
    }

    /// Writes an entry to disk and applies it.
    pub(super) fn record(&mut self, entry: Entry) -> Result<(), Failure> {
        let line = self.journal.append(entry)?;
        self.state.apply(&line);
        Ok(())
    }

    /// Takes away a run that measured nothing.
    pub(super) fn discard(&self) {
        self.discard_private();
        let _ = fs::remove_file(self.run_dir.join(JOURNAL_FILE));
        // Only empty folders go: whatever else lies there is not ours.
        let _ = fs::remove_dir(&self.run_dir);
        if let Some(experiment) = self.run_dir.parent() {
            let _ = fs::remove_dir(experiment);
        }
    }

    /// Takes away the private folder, but for what ended workers wrote to standard error.
    pub(super) fn discard_private(&self) {
        for entry in fs::read_dir(&self.private).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.extension().is_none_or(|extension| extension != "txt") {
                let _ = fs::remove_file(&path);
            }
        }
        let _ = fs::remove_dir(&self.private);
    }
}

/// What must be as it was for a run to go on: another machine, kernel or program would be mixed
/// under one provenance.
const SURROUNDINGS: &[(&str, &str)] = &[
    ("/moment/machine/machine", "machine"),
    ("/moment/machine/kernel", "kernel"),
    ("/moment/machine/microcode", "microcode"),
    ("/runner/binary_blake3", "runner executable"),
];

fn same_surroundings(
    reading: &JournalReading,
    now: &serde_json::Value,
    run_dir: &Path,
) -> Result<(), Failure> {
    let Some(Entry::Opened(opened)) = reading.lines.first().map(|line| &line.entry) else {
        return Ok(());
    };
    let changed: Vec<&str> = SURROUNDINGS
        .iter()
        .filter(|(place, _)| opened.facts.pointer(place) != now.pointer(place))
        .map(|(_, name)| *name)
        .collect();
    if changed.is_empty() {
        return Ok(());
    }
    Err(Failure::refused(format!(
        "the unfinished run was begun with another {}, and a record has one provenance",
        changed.join(" and another ")
    ))
    .at(run_dir.display())
    .hint("go on where it was begun, or move its folder away and start anew"))
}

/// The experiment's unfinished run, if there is one.
fn unfinished(wanted: Wanted<'_>) -> Result<Option<(PathBuf, JournalReading)>, Failure> {
    let mut found = None;
    for run_dir in run_folders(wanted.folder)? {
        let path = run_dir.join(JOURNAL_FILE);
        if run_dir.join(RECORD_FILE).exists() || !path.is_file() {
            continue;
        }
        let reading = journal::read(&path)?;
        let Some(Entry::Opened(opened)) = reading.lines.first().map(|line| &line.entry) else {
            // Cut before its first entry was whole: nothing is known and nothing was measured.
            let _ = fs::remove_file(&path);
            let _ = fs::remove_dir(&run_dir);
            continue;
        };
        if opened.manifest_hash != wanted.manifest_hash {
            return Err(Failure::refused(format!(
                "an unfinished run belongs to another registration of `{}` (manifest {}, this one is {})",
                wanted.experiment,
                short(&opened.manifest_hash),
                short(wanted.manifest_hash),
            ))
            .at(run_dir.display())
            .hint("bring the manifest back to what it was and run `exec` to finish that run, or move its folder away"));
        }
        found = Some((run_dir, reading));
    }
    Ok(found)
}

/// Sorted by name, which is by time.
fn run_folders(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(cannot("read", folder, &error)),
    };
    let mut folders = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| cannot("read", folder, &error))?.path();
        if path.is_dir() {
            folders.push(path);
        }
    }
    folders.sort();
    Ok(folders)
}

/// Ends the workers that outlived the run, each known by pid and start time on this boot.
fn end_survivors(state: &RunState) -> Result<(), Failure> {
    if state.boot.is_none() || state.boot != identity::boot_id() {
        return Ok(());
    }
    for worker in &state.workers {
        worker.end();
    }
    let begun = Instant::now();
    while let Some(worker) = state.workers.iter().find(|worker| worker.runs()) {
        if begun.elapsed() > SURVIVOR_WAIT {
            return Err(Failure::refused(format!(
                "worker process {} of the unfinished run does not end",
                worker.pid
            ))
            .hint("end it, then run the same command again"));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}

fn private_folder(cache: &Path, experiment: &str, run: &str) -> Result<PathBuf, Failure> {
    let folder = cache.join("runs").join(format!("{experiment}-{run}"));
    make_folder(&folder)?;
    Ok(folder)
}

fn make_folder(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| cannot("make", folder, &error))
}

fn cannot(what: &str, path: &Path, error: &std::io::Error) -> Failure {
    Failure::failed(format!("cannot {what} it: {error}")).at(path.display())
}

fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}
