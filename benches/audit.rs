//! An audit of 50,000 lines in 100 files: half of the lines are prose with figures that cite no
//! record, the rest is code. Prints one line: name, tab, seconds (best of the tries).

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench fails by panicking")]

mod measure;

use std::path::Path;

use measure::measure;
use runner::audit::{Scope, audit};
use runner::project::Project;

const FILES: usize = 100;
const LINES: usize = 500;
const PROSE: &str = "Decode rose from 41.20 (40.1 to 42.3) tokens/s to ~44.9 tok/s, 1.09x (+9.0 %), \
                     at depth 2 048, with 1,5 ms a token and 96,576,768 bytes.\n\n";
const CODE: &str =
    "    let found = spans.iter().find(|span| span.contains(&offset)).map(Span::len);\n";

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(&root.join("runner.toml"), "schema = 1\n");
    for file in 0..FILES / 2 {
        write(&root.join(format!("{file}.md")), &PROSE.repeat(LINES / 2));
        write(&root.join(format!("{file}.rs")), &CODE.repeat(LINES));
    }
    let project = Project {
        root: root.to_path_buf(),
        results: root.join("results"),
        cache: root.join("cache"),
    };
    let scope = Scope::Project { outside: Vec::new() };
    measure("audit_of_50000_lines", 5, || audit(&project, &scope).unwrap().findings.len());
}

fn write(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap();
}
