//! Why a build failed, from its log.

use std::path::Path;

use crate::failure::Failure;
use crate::manifest::Build;

/// How the worker's build says that its shim does not fit a tree.
const DRIFTED: &str = "unsupported tree: ";
/// How it says that the tree itself does not compile.
const BROKEN: &str = "does not compile: ";
/// Lines of the log that are shown.
const SHOWN: usize = 12;

/// Whether a log says that it is the tree that cannot be built, and nothing beside it.
pub(super) fn is_of_the_tree(log: &Path) -> bool {
    let text = std::fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    after(&text, DRIFTED).is_some() || after(&text, BROKEN).is_some()
}

/// The refusal of a build that failed.
pub(super) fn of(build: &Build, log: &Path) -> Failure {
    let text = std::fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let (what, hint) = match (after(&text, DRIFTED), after(&text, BROKEN)) {
        (Some(why), _) => (
            format!("unsupported: this tree's interface is not one that the worker knows: {why}"),
            "name a revision nearer to the pinned sources; `runner engine list` shows their version",
        ),
        (None, Some(why)) => {
            (format!("its sources do not compile: {why}"), "mend the revision, or name another one")
        }
        (None, None) => (
            format!("it cannot be built:\n{}", errors(&text).join("\n")),
            "the log has all that cargo and the compilers said",
        ),
    };
    Failure::refused(what)
        .at(format!("build `{}` (log: {})", build.name, log.display()))
        .hint(format!("{hint}; nothing was measured"))
}

/// The rest of the first line that has a marker.
fn after(text: &str, marker: &str) -> Option<String> {
    let line = text.lines().find(|line| line.contains(marker))?;
    Some(line.split_once(marker)?.1.trim().to_owned())
}

/// The lines with errors, or the last ones.
fn errors(text: &str) -> Vec<&str> {
    let named: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("error") || line.contains(" error: "))
        .collect();
    if named.is_empty() {
        let lines: Vec<&str> = text.lines().collect();
        return lines.iter().skip(lines.len().saturating_sub(SHOWN)).copied().collect();
    }
    named.into_iter().take(SHOWN).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(log: &str) -> Failure {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("build.log");
        std::fs::write(&path, log).unwrap();
        let name = "one".to_owned().try_into().unwrap();
        of(&Build { name, spec: crate::manifest::BuildSpec::default() }, &path)
    }

    #[test]
    fn a_drifted_interface_a_broken_tree_and_anything_else_are_told_apart() {
        let drifted = refusal("a\nerror: engine-sys@0.1.0: unsupported tree: no member `x`\nb\n");
        assert!(drifted.what.starts_with("unsupported: "), "{drifted}");
        assert!(drifted.what.ends_with("no member `x`"), "{drifted}");
        let broken = refusal("error: engine-sys@0.1.0: does not compile: ggml.c:3: oops\n");
        assert!(broken.what.starts_with("its sources do not compile: ggml.c:3"), "{broken}");
        let other = refusal("Compiling\nerror: linker `cc` not found\n");
        assert!(other.what.contains("linker"), "{other}");
        assert!(!other.what.contains("Compiling"), "{other}");
        assert!(refusal("killed\n").what.contains("killed"));
    }
}
