//! `runner new`: the text of a manifest, from a template that stands by itself or from one about
//! commits of a repository.

use std::path::{Path, PathBuf};

use runner::manifest::{
    CommitsTemplate, ExperimentId, NamedCommit, TemplateKind, TwoCommits, commits_template,
    template,
};
use runner::project::Project;
use runner::{Failure, exec};

use super::new::{Arguments, Template};

/// What to start from.
enum Start {
    Alone(TemplateKind),
    Commits(CommitsTemplate),
}

/// The manifest's text. Nothing is written before a revision was found to be missing.
pub(super) fn text(
    project: &Project,
    id: &ExperimentId,
    arguments: &Arguments,
) -> Result<String, Failure> {
    let start = match arguments.template {
        Template::Ab => Start::Alone(TemplateKind::AbTest),
        Template::Ladder => Start::Alone(TemplateKind::Ladder),
        Template::Contract => Start::Alone(TemplateKind::Contract),
        Template::Speculation => Start::Alone(TemplateKind::Speculation),
        Template::Primitive => Start::Alone(TemplateKind::Primitive),
        Template::Peers => Start::Alone(TemplateKind::Peers),
        Template::Commits => Start::Commits(CommitsTemplate::Commits),
        Template::BisectSpeed => Start::Commits(CommitsTemplate::BisectSpeed),
    };
    match (start, &arguments.source, arguments.revisions.as_slice()) {
        (Start::Alone(kind), None, []) => Ok(template(kind, id)),
        (Start::Alone(_), _, _) => {
            Err(Failure::usage("--source and revisions say nothing to this template")
                .hint("add `--template commits` or `--template bisect-speed`, or leave them out"))
        }
        (Start::Commits(kind), Some(source), [before, after]) => {
            let commits = two_commits(project, source, (before, after))?;
            Ok(commits_template(kind, id, &commits))
        }
        (Start::Commits(kind), _, _) => {
            let (template, names) = match kind {
                CommitsTemplate::Commits => ("commits", "A B"),
                CommitsTemplate::BisectSpeed => ("bisect-speed", "GOOD BAD"),
            };
            Err(Failure::usage(
                "this template needs --source and two revisions of the repository there",
            )
            .hint(format!(
                "write `runner new {id} --template {template} --source ../llama.cpp {names}`"
            )))
        }
    }
}

fn two_commits(
    project: &Project,
    source: &Path,
    (before, after): (&str, &str),
) -> Result<TwoCommits, Failure> {
    let here = std::env::current_dir()
        .map_err(|error| Failure::failed(format!("no working directory: {error}")))?;
    let folder = here.join(source);
    let named = |revision: &str| {
        let commit = exec::commit_of(&folder, revision)?;
        Ok::<NamedCommit, Failure>(NamedCommit { name: revision.to_owned(), commit })
    };
    let (before, after) = (named(before)?, named(after)?);
    if before.commit == after.commit {
        return Err(Failure::usage(format!(
            "`{}` and `{}` are one commit, {}",
            before.name, after.name, before.commit
        ))
        .hint("name two"));
    }
    let checkout = written(project, &here, source)?;
    Ok(TwoCommits { checkout, before, after })
}

/// A folder as a manifest writes it: from the project's root, or absolute.
fn written(project: &Project, here: &Path, source: &Path) -> Result<String, Failure> {
    let path: PathBuf = if source.is_relative() && here == project.root {
        source.to_path_buf()
    } else {
        let absolute = std::path::absolute(here.join(source))
            .map_err(|error| Failure::usage(error.to_string()).at(source.display()))?;
        absolute.strip_prefix(&project.root).map_or(absolute.clone(), Path::to_path_buf)
    };
    let text = path.to_str().filter(|text| !text.contains(['|', '\n', '\r', '\t']));
    text.map(|text| if text.is_empty() { "." } else { text }.to_owned()).ok_or_else(|| {
        Failure::usage("a manifest cannot say this path")
            .at(source.display())
            .hint("give the folder a name without `|` and control characters, or make a link to it")
    })
}
