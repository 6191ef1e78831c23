//! What a compiler's failure means, in words that a caller of cargo can tell apart.

use std::path::Path;
use std::process::ExitStatus;

use super::fault::Fault;
use super::pool::{Owner, Unit};

/// How a failure begins when the shim does not fit a tree, or the tree is laid out in an unknown
/// way.
pub const UNSUPPORTED: &str = "unsupported tree: ";

/// How a failure begins when the engine's own sources are at fault.
const BROKEN: &str = "does not compile: ";

/// Lines of a compiler's message that are shown.
const SHOWN_LINES: usize = 40;

/// The failure of one compilation.
pub fn fault(
    owner: Owner,
    unit: &Unit,
    compiler: &Path,
    status: ExitStatus,
    message: &str,
) -> Fault {
    let source = unit.source.display();
    let shown: Vec<&str> = message.lines().take(SHOWN_LINES).collect();
    let shown = shown.join("\n");
    let compiler = compiler.display();
    // GNU's driver survives its own compiler.
    if status.code().is_none() || message.contains("Killed signal") {
        return Fault::new(format!("{compiler} was killed while it compiled {source}:\n{shown}"))
            .hint("perhaps for memory: try again with fewer jobs (cargo build -j 1)");
    }
    let first = first_error(message);
    match owner {
        Owner::Engine => Fault::new(format!("{BROKEN}{source}: {first}\n{shown}"))
            .hint(format!("{compiler} ended with {status}; what was compiled so far is kept")),
        Owner::Shim => Fault::new(format!(
            "{UNSUPPORTED}the shim does not fit this tree: {first}\n{shown}"
        ))
        .hint(
            "the tree's API has drifted from what the shim in engine-sys/shim uses: take another \
             revision, or teach the shim this one",
        ),
    }
}

/// The first error of a message, without the place; the first line where none is marked.
fn first_error(message: &str) -> &str {
    let marked = message.lines().find_map(|line| line.split_once("error: "));
    let first = marked.map(|(_, error)| error).or_else(|| message.lines().next());
    first.unwrap_or("the compiler said nothing").trim()
}
