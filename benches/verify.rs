//! A verification of what is committed. Prints lines of name, tab, figure: seconds (best of the tries)
//! and millions of bytes a second, once with every verdict judged again and once without: hashes,
//! seals, samples and ledgers alone.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench fails by panicking")]

mod measure;

use std::path::Path;

use measure::measure;
use runner::project::Project;
use runner::record::{Checks, verify};
use runner::{report, verdict};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf();
    let project = Project { results: root.join("results"), cache: root.join("target"), root };
    let bytes = bytes_below(&project.results);
    println!("# bytes\t{bytes}");
    let index = |listing: &runner::record::Listing| report::index(&listing.summaries);
    let judged = Checks { judge: &verdict::judge_under, index: &index };
    let hashed = Checks { judge: &|_, _, _| None, index: &index };
    for (name, checks) in [("verdicts_too", judged), ("hashes_and_samples", hashed)] {
        let seconds = measure(name, 3, || verify(&project, &checks).unwrap().len());
        println!("{name}_megabytes_a_second\t{:.1}", bytes as f64 * 1e-6 / seconds);
    }
}

fn bytes_below(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .map(|path| if path.is_dir() { bytes_below(&path) } else { path.metadata().unwrap().len() })
        .sum()
}
