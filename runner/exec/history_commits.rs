//! The commits of a history, as git tells of them.

use std::path::{Path, PathBuf};

use super::builds::{GIT_LIMIT, commit_of};
use super::tool;
use crate::failure::Failure;
use crate::manifest::{History, Plan};
use crate::project::Project;
use crate::record::{FrozenHistory, HistoryCommit};

/// The commits that a history's revisions name now, oldest first: along first parents, so that a merge
/// counts as one.
///
/// # Errors
/// A refusal when a revision is not there, or the good one is no ancestor of the bad one.
pub fn history_commits(plan: &Plan, project: &Project) -> Result<FrozenHistory, Failure> {
    let (history, repository) = asked(plan, project)?;
    let at = |failure: Failure| failure.at("[history]");
    let good = commit_of(&repository, &history.good).map_err(at)?;
    let bad = commit_of(&repository, &history.bad).map_err(at)?;
    let ancestor = ["merge-base", "--is-ancestor", &good, &bad];
    if good == bad || !tool::run("git", &ancestor, &repository, GIT_LIMIT)?.succeeded {
        return Err(Failure::refused(format!(
            "`{}` is no ancestor of `{}`: there is no history from one to the other",
            history.good, history.bad
        ))
        .at("[history]")
        .hint("exchange `good` and `bad`, or name a common ancestor as `good`"));
    }
    let range = format!("{good}..{bad}");
    let list = ["rev-list", "--first-parent", "--reverse", &range];
    let commits: Vec<String> = ask(&repository, &list)?.lines().map(str::to_owned).collect();
    Ok(FrozenHistory { good, commits })
}

/// A commit's date and first line.
pub(super) fn told(plan: &Plan, project: &Project, commit: &str) -> Result<HistoryCommit, Failure> {
    let (_, repository) = asked(plan, project)?;
    let text = ask(&repository, &["show", "--no-patch", "--format=%aI%n%s", commit])?;
    let mut lines = text.lines().map(str::to_owned);
    Ok(HistoryCommit {
        commit: commit.to_owned(),
        author_date: lines.next().unwrap_or_default(),
        subject: lines.next().unwrap_or_default(),
    })
}

fn asked<'plan>(
    plan: &'plan Plan,
    project: &Project,
) -> Result<(&'plan History, PathBuf), Failure> {
    let history = plan.history.as_ref().ok_or_else(|| {
        Failure::usage("it has no `[history]`").at(format!("experiment {}", plan.id))
    })?;
    Ok((history, project.resolve(&history.checkout)))
}

fn ask(repository: &Path, arguments: &[&str]) -> Result<String, Failure> {
    let output = tool::run("git", arguments, repository, GIT_LIMIT)?;
    if output.succeeded {
        return Ok(output.stdout);
    }
    Err(Failure::failed(format!(
        "git {} failed: {}",
        arguments.first().unwrap_or(&""),
        output.stderr.trim()
    ))
    .at(repository.display()))
}
