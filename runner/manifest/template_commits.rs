//! Manifests about commits of the engine, to start from.

use super::names::ExperimentId;
use super::scalar::shorten;
use super::to_toml::quoted;

/// Which manifest to start from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommitsTemplate {
    /// One commit against another.
    Commits,
    /// All commits between two: which one changed the speed.
    BisectSpeed,
}

/// A commit as somebody names it, and its hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedCommit {
    /// A tag, a branch, `HEAD~3`, or the hash itself.
    pub name: String,
    /// The whole hash.
    pub commit: String,
}

/// Two commits of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TwoCommits {
    /// The repository's folder, as the manifest is to write it.
    pub checkout: String,
    /// The earlier, or the good one.
    pub before: NamedCommit,
    /// The later, or the bad one.
    pub after: NamedCommit,
}

/// A commented manifest that passes `check`.
#[must_use]
pub fn commits_template(kind: CommitsTemplate, id: &ExperimentId, commits: &TwoCommits) -> String {
    let text = match kind {
        CommitsTemplate::Commits => include_str!("templates/commits.toml"),
        CommitsTemplate::BisectSpeed => include_str!("templates/bisect-speed.toml"),
    };
    let TwoCommits { checkout, before, after } = commits;
    text.replace("the-id", id.as_str())
        .replace("the-before", &before.commit)
        .replace("the-after", &after.commit)
        .replace("before-name", &plain(&before.name))
        .replace("after-name", &plain(&after.name))
        .replace("the-checkout", &quoted(checkout))
}

/// A name in a title and in comments: whatever would end either is left out.
fn plain(name: &str) -> String {
    let good = |c: &char| !c.is_control() && !matches!(c, '"' | '\\' | '|');
    shorten(&name.chars().filter(good).collect::<String>()).to_string()
}
