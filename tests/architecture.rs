//! Holds the arrows between the modules: `docs/architecture.md` has the map.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What each module of the library may name. `cli` may name them all.
fn allowed() -> BTreeMap<&'static str, &'static [&'static str]> {
    BTreeMap::from([
        ("failure", &[][..]),
        ("project", &["failure"][..]),
        ("stats", &[][..]),
        ("probe", &[][..]),
        ("workload", &["failure", "project", "manifest"][..]),
        ("machine", &[][..]),
        ("manifest", &["failure"][..]),
        ("model", &["failure", "project", "manifest"][..]),
        ("builds", &["failure", "project", "manifest"][..]),
        ("bisect", &["model"][..]),
        ("golden", &["failure", "model"][..]),
        ("parity", &["failure", "golden", "model", "stats"][..]),
        (
            "reading",
            &["failure", "project", "manifest", "model", "builds", "workload", "record", "verdict"]
                [..],
        ),
        ("audit", &["failure", "project", "record", "report", "verdict", "manifest", "model"][..]),
        ("rule", &["stats", "manifest"][..]),
        ("design", &["failure", "stats", "manifest", "rule"][..]),
        ("verdict", &["failure", "stats", "manifest", "rule", "design"][..]),
        ("record", &["failure", "project", "verdict", "rule", "design", "stats", "manifest"][..]),
        // types of what is stored, and names of metrics
        ("import", &["failure", "manifest", "record"][..]),
        (
            "report",
            &["failure", "project", "record", "verdict", "rule", "design", "stats", "manifest"][..],
        ),
        (
            "exec",
            &[
                "failure", "project", "record", "verdict", "rule", "design", "stats", "manifest",
                "machine", "model", "builds", "workload", "golden", "parity", "bisect",
            ][..],
        ),
    ])
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

fn library_files() -> Vec<(String, PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("runner");
    let mut files = Vec::new();
    rust_files(&root, &mut files);
    files.sort();
    files
        .into_iter()
        .filter_map(|path| {
            let relative = path.strip_prefix(&root).unwrap().to_path_buf();
            let first = relative.components().next().unwrap().as_os_str().to_string_lossy();
            let module = first.trim_end_matches(".rs").to_owned();
            // tests, and what only they are compiled with, may name anything
            let name = relative.to_string_lossy().into_owned();
            if name.contains("test") || name.ends_with("example.rs") {
                return None;
            }
            let source = std::fs::read_to_string(&path).unwrap();
            let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap().to_owned();
            (!["lib", "main", "cli", "table"].contains(&module.as_str()))
                .then_some((module, relative, code))
        })
        .collect()
}

/// Names of this crate's modules that a source text uses by `crate::name`.
fn named_modules(code: &str, modules: &BTreeSet<String>) -> BTreeSet<String> {
    code.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .flat_map(|line| line.match_indices("crate::").map(|(at, found)| &line[at + found.len()..]))
        .filter_map(|rest| {
            let name: String =
                rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
            modules.contains(&name).then_some(name)
        })
        .collect()
}

#[test]
fn arrows_between_modules_run_one_way() {
    let allowed = allowed();
    let files = library_files();
    let modules: BTreeSet<String> = files.iter().map(|(module, _, _)| module.clone()).collect();
    let mut wrong = Vec::new();
    for (module, path, code) in &files {
        let Some(may) = allowed.get(module.as_str()) else {
            wrong.push(format!("{module}: not on the map in tests/architecture.rs"));
            continue;
        };
        for named in named_modules(code, &modules) {
            if named != *module && !may.contains(&named.as_str()) {
                wrong.push(format!("{}: `{module}` may not name `{named}`", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Code that only one module may contain, and why.
const ONLY_IN: &[(&str, &[&str], &str)] = &[
    ("std::process::Command", &["exec"], "only `exec` starts a process"),
    ("Command::new", &["exec"], "only `exec` starts a process"),
    ("Instant::now", &["exec"], "only `exec` and `cli` read a clock"),
    ("SystemTime::now", &["exec"], "only `exec` and `cli` read a clock"),
    ("Utc::now", &["exec"], "only `exec` and `cli` read a clock"),
    ("println!", &[], "the library does not print"),
    ("eprintln!", &[], "the library does not print"),
    ("process::exit", &[], "the library does not exit"),
    ("unsafe {", &[], "unsafe code lives in engine-sys and engine"),
    ("indicatif", &[], "nothing below `cli` touches the terminal"),
];

#[test]
fn clocks_processes_and_the_terminal_stay_where_they_belong() {
    let mut wrong = Vec::new();
    for (module, path, code) in library_files() {
        for (text, homes, why) in ONLY_IN {
            let used = code
                .lines()
                .any(|line| !line.trim_start().starts_with("//") && line.contains(text));
            if used && !homes.contains(&module.as_str()) {
                wrong.push(format!("{}: `{text}`: {why}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn polars_is_named_by_one_crate_only() {
    for manifest in
        ["Cargo.toml", "engine/Cargo.toml", "engine/protocol/Cargo.toml", "engine-sys/Cargo.toml"]
    {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(manifest);
        let text = std::fs::read_to_string(path).unwrap();
        let dependencies = text.split("[dependencies]").nth(1).unwrap_or("");
        let own = dependencies.split("\n[").next().unwrap_or("");
        assert!(!own.contains("polars"), "{manifest} depends on polars");
    }
}

#[test]
fn module_roots_hold_no_logic() {
    let mut wrong = Vec::new();
    for (_, path, code) in library_files() {
        if path.ends_with("mod.rs") {
            for line in code.lines() {
                if line.trim_start().starts_with("fn ") || line.contains("pub fn ") {
                    wrong.push(format!("{}: {line}", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
