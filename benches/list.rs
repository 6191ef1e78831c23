//! A listing of 10,000 records: committed ones, copied under other ids. Prints lines of name, tab,
//! seconds (best of the tries): all of it read, taken from the cache, and laid out for a terminal.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench fails by panicking")]

mod measure;

use std::path::{Path, PathBuf};
use std::time::Duration;

use measure::measure;
use runner::project::Project;
use runner::record::{list, list_with_cache};
use runner::report::{Style, terminal_listing};

const RECORDS: usize = 10_000;

/// A cache does not trust what changed within the last two seconds.
const SETTLED: Duration = Duration::from_millis(2500);

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let project = Project {
        root: root.to_path_buf(),
        results: folder.path().join("results"),
        cache: folder.path().join("cache"),
    };
    let committed = experiments(&root.join("results"));
    for number in 0..RECORDS {
        let from = &committed[number % committed.len()];
        copy(from, &project.results.join(format!("copy-{number:05}")));
    }
    measure("all_of_it_read", 1, || list(&project).unwrap().summaries.len());
    std::thread::sleep(SETTLED);
    list_with_cache(&project).unwrap();
    std::thread::sleep(SETTLED);
    let listing = list_with_cache(&project).unwrap();
    println!("# runs\t{}", listing.summaries.len());
    measure("from_the_cache", 5, || list_with_cache(&project).unwrap().summaries.len());
    measure("for_a_terminal", 3, || terminal_listing(&listing, 100, Style::Plain).len());
}

/// Experiments with exactly one finished run.
fn experiments(results: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(results)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("ledger").is_dir())
        .filter(|path| runs(path).len() == 1)
        .collect();
    found.sort();
    found
}

fn runs(experiment: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(experiment).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.join("record.toml").is_file()).collect()
}

/// What a listing reads: the ledger, and of each run its record and provenance.
fn copy(from: &Path, to: &Path) {
    let ledger = to.join("ledger");
    std::fs::create_dir_all(&ledger).unwrap();
    for entry in std::fs::read_dir(from.join("ledger")).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, ledger.join(path.file_name().unwrap())).unwrap();
    }
    for run in runs(from) {
        let target = to.join(run.file_name().unwrap());
        std::fs::create_dir_all(&target).unwrap();
        for file in ["record.toml", "provenance.toml"] {
            std::fs::copy(run.join(file), target.join(file)).unwrap();
        }
    }
}
