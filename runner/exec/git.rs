//! What git knows of the repository around a project.

use std::path::Path;
use std::time::Duration;

use super::tool;
use crate::record::CommitState;

/// Longest wait for git.
const LIMIT: Duration = Duration::from_secs(20);

/// The state of a repository. `None` is unknown: no repository, or no git.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GitFacts {
    /// The commit that is checked out.
    pub commit: Option<String>,
    /// Whether anything differs from it, or is new, outside of the runner's own outputs.
    pub dirty: Option<bool>,
}

/// Asks git about the repository that holds `root`. What lies under `outputs` does not count as a
/// change: these are the runner's own results.
#[must_use]
pub fn git_facts(root: &Path, outputs: &Path) -> GitFacts {
    let commit = ask(root, &["rev-parse", "HEAD"]).map(|text| text.trim().to_owned());
    GitFacts { commit, dirty: changes(root, ".", outputs).map(|text| !text.is_empty()) }
}

/// Whether one file differs from the commit or is not in it; `None` is unknown.
#[must_use]
pub fn is_uncommitted(root: &Path, file: &Path) -> Option<bool> {
    let text = ask(root, &["status", "--porcelain", "--", file.to_str()?])?;
    let known = ask(root, &["ls-files", "--", file.to_str()?])?;
    Some(!text.is_empty() || known.is_empty())
}

/// How a file stands in the repository: as in the commit that is checked out, and whether a remote is
/// known to have that commit (what the last fetch or push saw; nothing is asked over a network).
#[must_use]
pub fn file_state(root: &Path, file: &Path) -> CommitState {
    match is_uncommitted(root, file) {
        Some(true) => CommitState::Uncommitted,
        Some(false) => committed(root),
        None => CommitState::Unknown,
    }
}

/// How the whole tree stands, outputs of the runner left out.
#[must_use]
pub fn tree_state(root: &Path, facts: &GitFacts) -> CommitState {
    match facts.dirty {
        Some(true) => CommitState::Uncommitted,
        Some(false) => committed(root),
        None => CommitState::Unknown,
    }
}

fn committed(root: &Path) -> CommitState {
    let remotes = ask(root, &["branch", "--remotes", "--contains", "HEAD"]);
    match remotes {
        Some(branches) if !branches.trim().is_empty() => CommitState::Pushed,
        _ => CommitState::Committed,
    }
}

/// Files of a folder that a commit has and the tree has not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TakenAway {
    /// The commit that is checked out has them, and they are gone: relative to the folder.
    pub gone: Vec<String>,
    /// An earlier commit had them, and a later one took them away: relative to the folder.
    pub earlier: Vec<String>,
}

/// What was taken away below `folder`; nothing where no git knows it. Entries of a ledger and records
/// are only added, so whatever is named here was not taken away by this program.
#[must_use]
pub fn taken_away(root: &Path, folder: &Path) -> TakenAway {
    let Some(place) = folder.strip_prefix(root).ok().and_then(Path::to_str) else {
        return TakenAway::default();
    };
    let below = |text: String| {
        let prefix = format!("{place}/");
        let mut names: Vec<String> = text
            .lines()
            .filter_map(|line| line.strip_prefix(&prefix))
            .filter(|name| !folder.join(name).exists())
            .map(str::to_owned)
            .collect();
        names.sort();
        names.dedup();
        names
    };
    let gone = ask(root, &["ls-tree", "-r", "--name-only", "HEAD", "--", place]);
    let deleted =
        ["log", "--relative", "--diff-filter=D", "--name-only", "--format=", "--no-renames"];
    let earlier: Vec<&str> = deleted.into_iter().chain(["--", place]).collect();
    TakenAway {
        gone: gone.map(below).unwrap_or_default(),
        earlier: ask(root, &earlier).map(below).unwrap_or_default(),
    }
}

fn changes(root: &Path, all: &str, outputs: &Path) -> Option<String> {
    let mut arguments = vec!["status", "--porcelain", "--untracked-files=all", "--", all];
    let excluded = outputs
        .strip_prefix(root)
        .ok()
        .filter(|relative| !relative.as_os_str().is_empty())
        .map(|relative| format!(":(exclude){}", relative.display()));
    arguments.extend(excluded.as_deref());
    ask(root, &arguments)
}

fn ask(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = tool::run("git", arguments, root, LIMIT).ok()?;
    output.succeeded.then_some(output.stdout)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn git(folder: &Path, arguments: &[&str]) {
        let mut all = vec!["-c", "user.name=n", "-c", "user.email=e@example.org"];
        all.extend(arguments);
        let output = tool::run("git", &all, folder, LIMIT).unwrap();
        assert!(output.succeeded, "{output:?}");
    }

    #[test]
    fn own_outputs_are_no_change_and_anything_else_is() {
        let folder = tempfile::tempdir().unwrap();
        let (root, results) = (folder.path(), folder.path().join("results"));
        assert_eq!(git_facts(root, &results), GitFacts::default());
        git(root, &["init", "-q"]);
        std::fs::write(root.join("a.toml"), "a").unwrap();
        git(root, &["add", "."]);
        git(root, &["commit", "-q", "-m", "first"]);
        std::fs::create_dir(&results).unwrap();
        std::fs::write(results.join("x"), "x").unwrap();
        let clean = git_facts(root, &results);
        assert_eq!(clean.commit.as_ref().map(String::len), Some(40));
        assert_eq!(clean.dirty, Some(false));
        assert_eq!(is_uncommitted(root, Path::new("a.toml")), Some(false));
        assert_eq!(file_state(root, Path::new("a.toml")), CommitState::Committed);
        let remote = tempfile::tempdir().unwrap();
        git(remote.path(), &["init", "-q", "--bare"]);
        git(root, &["remote", "add", "origin", remote.path().to_str().unwrap()]);
        git(root, &["push", "-q", "origin", "HEAD:main"]);
        assert_eq!(file_state(root, Path::new("a.toml")), CommitState::Pushed);
        assert_eq!(tree_state(root, &clean), CommitState::Pushed);
        std::fs::write(results.join("x"), "x").unwrap();
        git(root, &["add", "."]);
        git(root, &["commit", "-q", "-m", "results"]);
        assert_eq!(taken_away(root, &results), TakenAway::default());
        std::fs::remove_file(results.join("x")).unwrap();
        let x = vec!["x".to_owned()];
        assert_eq!(taken_away(root, &results), TakenAway { gone: x.clone(), earlier: Vec::new() });
        git(root, &["commit", "-q", "-a", "-m", "without x"]);
        assert_eq!(taken_away(root, &results), TakenAway { gone: Vec::new(), earlier: x });
        std::fs::write(root.join("b.toml"), "b").unwrap();
        assert_eq!(git_facts(root, &results).dirty, Some(true));
        assert_eq!(is_uncommitted(root, Path::new("b.toml")), Some(true));
        std::fs::write(root.join("a.toml"), "changed").unwrap();
        assert_eq!(is_uncommitted(root, Path::new("a.toml")), Some(true));
    }
}
