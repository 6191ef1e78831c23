//! What became of a job that Slurm holds for ended.

use super::place::JobFile;
use super::state::{JobSeen, Stage};
use super::submit::Submitted;
use crate::failure::{Failure, FailureKind};
use crate::project::Project;
use crate::record::{RunFolder, RunState, run_of_job};

/// How a job ended.
#[derive(Debug)]
pub(super) enum Ended {
    /// A sealed record lies in its results.
    Finished(RunFolder),
    /// Nothing that could be collected.
    Without(Failure),
    /// Slurm says that it ended, and its files are not to be seen yet.
    NotYet,
}

/// Looks at the job's folder. `seen` is what Slurm said last; `None` where it has forgotten the job.
pub(super) fn ended(
    project: &Project,
    submitted: &Submitted,
    seen: Option<&JobSeen>,
) -> Result<Ended, Failure> {
    let folder = &submitted.folder;
    let run = run_of_job(project, folder)?;
    let exit: Option<u8> = JobFile::Exit.number(folder);
    match run {
        Some(run) if run.state == RunState::Finished => return Ok(Ended::Finished(run)),
        _ => {}
    }
    let stage = seen.map(JobSeen::stage);
    let by_itself = matches!(stage, None | Some(Stage::Ended)) && !is_failed(seen);
    if by_itself && exit.is_none() {
        return Ok(Ended::NotYet);
    }
    let failure = match (stage, exit) {
        (Some(Stage::Cut), _) | (_, None | Some(0)) => cut(submitted, run.as_ref(), seen),
        (_, Some(code)) => of_run(submitted, run.as_ref(), code),
    };
    Ok(Ended::Without(failure))
}

fn is_failed(seen: Option<&JobSeen>) -> bool {
    seen.is_some_and(|seen| seen.state == "FAILED")
}

/// Slurm, or whoever told it to, ended the job.
pub(super) fn cut(
    submitted: &Submitted,
    run: Option<&RunFolder>,
    seen: Option<&JobSeen>,
) -> Failure {
    let Submitted { folder, number, .. } = submitted;
    let state = match seen {
        Some(seen) => seen.words(),
        None => "Slurm knows it no more".to_owned(),
    };
    let what = format!("job {number} in partition `{}` ended early: {state}", folder.job.partition);
    unfinished(what, submitted, run)
}

/// A run without a record is no record: it is left where it is, and counts as an attempt.
fn unfinished(what: String, submitted: &Submitted, run: Option<&RunFolder>) -> Failure {
    let again = "the same command submits another job";
    match run {
        Some(run) if run.state == RunState::UnfinishedWithBlocks => Failure::incomplete(format!(
            "{what}; the blocks that it measured are not collected, and the run counts as an attempt"
        ))
        .at(run.path.display())
        .hint(format!("{again}, whose run is the next attempt; the journal lies there")),
        _ => Failure::incomplete(format!("{what}; nothing was measured"))
            .at(submitted.folder.path.display())
            .hint(again),
    }
}

/// The run itself ended with a failure: its own words, under its own exit code.
fn of_run(submitted: &Submitted, run: Option<&RunFolder>, code: u8) -> Failure {
    let Submitted { folder, number, .. } = submitted;
    let said = JobFile::Errors.text(folder).unwrap_or_default();
    let (what, hint) = last_failure(&said);
    let what =
        format!("the run of job {number} in partition `{}` ended: {what}", folder.job.partition);
    let kind = match code {
        2 => FailureKind::Usage,
        3 => FailureKind::Refused,
        // 128 and more: a signal ended it
        5 | 128.. => return unfinished(what, submitted, run),
        _ => FailureKind::Failed,
    };
    let failure = Failure::new(kind, what).at(folder.path.display());
    match hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

/// The last failure in what a run wrote to standard error, and its hint.
fn last_failure(said: &str) -> (String, Option<String>) {
    const ERROR: &str = "error: ";
    const HINT: &str = "  hint: ";
    let lines: Vec<&str> = said.lines().collect();
    let Some(start) = lines.iter().rposition(|line| line.starts_with(ERROR)) else {
        let last = lines.iter().rev().find(|line| !line.trim().is_empty());
        return (last.map_or("it said nothing", |line| line.trim()).to_owned(), None);
    };
    let own = lines.get(start..).unwrap_or_default();
    let hint = own.iter().find_map(|line| line.strip_prefix(HINT)).map(str::to_owned);
    let what: Vec<&str> = own
        .iter()
        .take_while(|line| !line.starts_with(HINT))
        .map(|line| line.strip_prefix(ERROR).unwrap_or(line).trim())
        .collect();
    (what.join(" "), hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_runs_own_words_are_found() {
        let said = "block 1 of 2\nerror: x: it broke\n  hint: mend it\n";
        assert_eq!(last_failure(said), ("x: it broke".to_owned(), Some("mend it".to_owned())));
        assert_eq!(last_failure("Killed\n\n"), ("Killed".to_owned(), None));
        assert_eq!(last_failure(""), ("it said nothing".to_owned(), None));
    }
}
