//! The script that Slurm runs on the node: the registered experiment, with results of its own.

use std::ffi::{OsStr, OsString};

use super::place::JobFile;
use super::quote::quoted;
use crate::record::JobFolder;

/// Variables that the run on the node is started with, as they are where it is submitted. Of all others
/// of that environment nothing reaches it.
const NAMES: [&str; 7] =
    ["PATH", "HOME", "LANG", "XDG_CACHE_HOME", "CARGO_HOME", "RUSTUP_HOME", "NO_COLOR"];

/// The same, by their beginning: this program's own, and those that only the tests' worker reads.
const BEGINNINGS: [&str; 2] = ["RUNNER_", "FAKE_WORKER_"];

/// Variables that the node gives.
const OF_THE_NODE: [&str; 3] = ["SLURM_JOB_ID", "SLURM_JOB_PARTITION", "TMPDIR"];

/// Out of `all`, what the run is started with.
pub(super) fn allowed(
    all: impl Iterator<Item = (OsString, OsString)>,
) -> Vec<(OsString, OsString)> {
    let mut found: Vec<_> = all
        .filter(|(name, _)| {
            name.to_str().is_some_and(|name| {
                NAMES.contains(&name) || BEGINNINGS.iter().any(|start| name.starts_with(start))
            })
        })
        .collect();
    found.sort();
    found
}

/// The script. Every word that comes from outside stands in quotes.
pub(super) fn script(folder: &JobFolder, environment: &[(OsString, OsString)]) -> Vec<u8> {
    let file = |file: JobFile| quoted(file.of(folder));
    let mut out = Vec::new();
    let mut say = |parts: &[&[u8]]| {
        parts.iter().for_each(|part| out.extend_from_slice(part));
        out.push(b'\n');
    };
    say(&[b"#!/bin/sh"]);
    say(&[b"# one run of a registered experiment, written by `runner exec --on slurm`"]);
    say(&[b"# the run itself heeds the signal; this script stays to write down how it ended"]);
    say(&[b"trap : TERM INT"]);
    say(&[
        b"printf '%s\\n' \"job $SLURM_JOB_ID\" \"partition $SLURM_JOB_PARTITION\" \
          \"node $SLURM_JOB_NODELIST\" \"cluster $SLURM_CLUSTER_NAME\" >",
        &file(JobFile::Node),
    ]);
    say(&[b"cd ", &quoted(&folder.job.root), b" || exit 3"]);
    // through a second shell, since `env` takes a path with `=` in it for a variable
    let mut run = b"/usr/bin/env -i".to_vec();
    for name in OF_THE_NODE {
        run.extend(format!(" ${{{name}+\"{name}=${name}\"}}").into_bytes());
    }
    for (name, value) in environment {
        let mut pair = name.clone();
        pair.push("=");
        pair.push(value);
        run.push(b' ');
        run.extend(quoted(pair));
    }
    run.extend(b" /bin/sh -c 'exec \"$0\" \"$@\"'");
    let results = folder.path.join("results");
    let program = JobFile::Program.of(folder);
    let manifest = JobFile::Manifest.of(folder);
    let words: [&OsStr; 5] = [
        program.as_os_str(),
        OsStr::new("--results"),
        results.as_os_str(),
        OsStr::new("exec"),
        manifest.as_os_str(),
    ];
    for word in words {
        run.push(b' ');
        run.extend(quoted(word));
    }
    say(&[&run, b" >", &file(JobFile::Output), b" 2>", &file(JobFile::Errors)]);
    say(&[b"code=$?"]);
    let partial = quoted(folder.path.join("exit.partial"));
    say(&[b"printf '%s\\n' \"$code\" >", &partial]);
    say(&[b"mv ", &partial, b" ", &file(JobFile::Exit)]);
    say(&[b"exit \"$code\""]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_named_does_not_reach_the_node() {
        let all = ["PATH", "SECRET_TOKEN", "RUNNER_CACHE_DIR", "OMP_NUM_THREADS", "SLURM_CONF"];
        let all = all.map(|name| (OsString::from(name), OsString::from("1")));
        let names: Vec<_> = allowed(all.into_iter()).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["PATH", "RUNNER_CACHE_DIR"]);
    }
}
