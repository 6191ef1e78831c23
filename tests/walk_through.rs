//! `docs/walk-through.md`, run: its files are written, its commands are run in their order, and each
//! line of output that it shows is looked for.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod sandbox;

use std::path::Path;
use std::process::Command;

use sandbox::{Sandbox, fake_worker};

/// What the page asks for, in its order.
#[derive(Debug)]
enum Step {
    /// Write a file.
    File { path: String, text: String },
    /// Change a text of a file.
    Change { path: String, from: String, to: String },
    /// Run a command, and look for lines.
    Run { line: usize, command: String, shown: Vec<String> },
}

/// Reads the page's comments and fences.
fn steps(page: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut path: Option<String> = None;
    let mut fence: Option<(String, Vec<(usize, String)>)> = None;
    for (number, line) in page.lines().enumerate() {
        if let Some((language, lines)) = &mut fence {
            if line != "```" {
                lines.push((number + 1, line.to_owned()));
                continue;
            }
            let (language, lines) = (std::mem::take(language), std::mem::take(lines));
            fence = None;
            match (path.take(), language.as_str()) {
                (Some(path), _) => {
                    let text: String = lines.iter().map(|(_, line)| format!("{line}\n")).collect();
                    steps.push(Step::File { path, text });
                }
                (None, "console") => steps.extend(commands(&lines)),
                (None, _) => panic!("line {number}: a fence that is neither run nor written"),
            }
            continue;
        }
        let comment = |name: &str| {
            let inner = line.strip_prefix("<!-- ")?.strip_suffix(" -->")?;
            inner.strip_prefix(name).map(str::to_owned)
        };
        if let Some(language) = line.strip_prefix("```") {
            fence = Some((language.to_owned(), Vec::new()));
        } else if let Some(file) = comment("file: ") {
            path = Some(file);
        } else if let Some(change) = comment("change: ") {
            let (path, change) = change.split_once(": ").unwrap();
            let (from, to) = change.split_once(" -> ").unwrap();
            let [path, from, to] = [path, from, to].map(str::to_owned);
            steps.push(Step::Change { path, from, to });
        }
    }
    steps
}

fn commands(lines: &[(usize, String)]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for (number, text) in lines {
        match (text.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => steps.push(Step::Run {
                line: *number,
                command: command.to_owned(),
                shown: Vec::new(),
            }),
            (None, Some(Step::Run { shown, .. })) => shown.push(text.clone()),
            (None, _) => panic!("line {number}: output before a command"),
        }
    }
    steps
}

/// Whether a line is as shown: `…` stands for anything.
fn is_like(line: &str, shown: &str) -> bool {
    let mut parts = shown.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    let mut open = !shown.contains('…');
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
        open = false;
        if part.is_empty() {
            rest = "";
        }
    }
    if open { rest.is_empty() } else { rest.is_empty() || shown.ends_with('…') }
}

/// Shown lines come in the order of the output, with others between them.
fn missing<'text>(output: &str, shown: &'text [String]) -> Option<&'text str> {
    let mut lines = output.lines().map(str::trim);
    shown.iter().map(String::as_str).find(|wanted| !lines.any(|line| is_like(line, wanted)))
}

fn run(sandbox: &Sandbox, command: &str) -> (i32, String) {
    let program = Path::new(env!("CARGO_BIN_EXE_runner"));
    let folders = [program.parent().unwrap().to_path_buf()];
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path =
        std::env::join_paths(folders.into_iter().chain(std::env::split_paths(&path))).unwrap();
    let of_runner = sandbox.command(&[]);
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{{ {command}; }} 2>&1")]).current_dir(sandbox.root()).env_clear();
    for (name, value) in of_runner.get_envs() {
        if let Some(value) = value {
            shell.env(name, value);
        }
    }
    shell.env("PATH", path).env("COLUMNS", "200").env("GIT_CONFIG_GLOBAL", "/dev/null");
    for role in ["AUTHOR", "COMMITTER"] {
        shell
            .env(format!("GIT_{role}_NAME"), "n")
            .env(format!("GIT_{role}_EMAIL"), "e@example.org");
    }
    let output = shell.output().unwrap();
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn every_command_of_the_walk_through_says_what_it_shows() {
    let sandbox = Sandbox::with_model();
    std::fs::remove_file(sandbox.path("runner.toml")).unwrap();
    sandbox.write(".gitignore", "/.cache\n/.lock\n/.machine\n/script.toml*\n");
    assert_eq!(run(&sandbox, "git init -q && mkdir -p docs").0, 0);
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/walk-through.md"));
    let steps = steps(&page.unwrap());
    let commands = steps.iter().filter(|step| matches!(step, Step::Run { .. })).count();
    assert!(commands > 20, "{commands} commands were found");
    for step in steps {
        match step {
            Step::File { path, text } => {
                // the scripted engine in the place of the built-in one
                let engine = format!("worker = \"{}\"\nmodel = \"builtin-tiny\"", fake_worker());
                let text = text.replace("model = \"builtin-tiny\"", &engine);
                let run = sandbox.runs("two-threads").into_iter().next().unwrap_or_default();
                sandbox.write(&path, text.replace("/RUN ", &format!("/{run} ")));
            }
            Step::Change { path, from, to } => {
                let text = std::fs::read_to_string(sandbox.path(&path)).unwrap();
                assert!(text.contains(&from), "{from:?} is not in {path}");
                sandbox.write(&path, text.replace(&from, &to));
            }
            Step::Run { line, command, shown } => {
                let (code, output) = run(&sandbox, &command);
                let fails = shown.iter().any(|line| line.starts_with("error"));
                assert_eq!(code != 0, fails, "line {line}: {command}: exit code {code}\n{output}");
                if let Some(line_shown) = missing(&output, &shown) {
                    panic!("line {line}: {command}: {line_shown:?} is not in\n{output}");
                }
            }
        }
    }
}

#[test]
fn shown_lines_are_found_in_their_order_or_missed() {
    let shown = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
    let output = "one 1\ntwo: 22 and more\nthree\n";
    assert_eq!(missing(output, &shown(&["one 1", "two: … and more", "…hree"])), None);
    assert_eq!(missing(output, &shown(&["two: …", "…"])), None);
    for wrong in [&["one"][..], &["two: …x"], &["three", "one 1"], &["two"], &["wo: …"]] {
        assert!(missing(output, &shown(wrong)).is_some(), "{wrong:?}");
    }
}
