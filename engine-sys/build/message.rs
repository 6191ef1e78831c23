//! What a compiler's failure means, in words that a caller of cargo can tell apart.

use std::path::Path;
use std::process::ExitStatus;

use super::fault::Fault;
use super::pool::{Owner, Unit, Workshop};
use super::roots::{self, Roots};

/// How a failure begins when the shim does not fit a tree, or the tree is laid out in an unknown
/// way.
pub const UNSUPPORTED: &str = "unsupported tree: ";

/// How a failure begins when the engine's own sources are at fault.
const BROKEN: &str = "does not compile: ";

/// Lines of a compiler's message that are shown.
const SHOWN_LINES: usize = 40;

/// The failure of one compilation.
pub fn fault(
    unit: &Unit,
    workshop: &Workshop<'_>,
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
    let first = FirstError::of(message);
    // A header of the tree may be broken by itself.
    let in_tree = first.is_below(roots::TREE, workshop.units.roots());
    match workshop.owner {
        Owner::Shim if !in_tree => Fault::new(format!(
            "{UNSUPPORTED}the shim does not fit this tree: {}\n{shown}",
            first.text
        ))
        .hint(
            "the tree's API has drifted from what the shim in engine-sys/shim uses: take another \
             revision, or teach the shim this one",
        ),
        Owner::Shim | Owner::Engine => {
            Fault::new(format!("{BROKEN}{source}: {}\n{shown}", first.text))
                .hint(format!("{compiler} ended with {status}; what was compiled so far is kept"))
        }
    }
}

/// The first error of a compiler's message.
struct FirstError<'a> {
    /// The file in which it was found, if that is said.
    file: Option<&'a Path>,
    /// What is wrong.
    text: &'a str,
}

impl<'a> FirstError<'a> {
    /// `file:line:column: error: text`; the first line where no error is marked.
    fn of(message: &'a str) -> Self {
        let marked = message.lines().find_map(|line| line.split_once("error: "));
        let Some((place, text)) = marked else {
            let text = message.lines().next().unwrap_or("the compiler said nothing");
            return Self { file: None, text };
        };
        let file = place.split_once(':').map(|(file, _)| Path::new(file));
        Self { file, text }
    }

    fn is_below(&self, folder: &str, roots: &Roots) -> bool {
        let name = self.file.and_then(|file| roots.name(file));
        name.is_some_and(|name| Path::new(&name).starts_with(folder))
    }
}
