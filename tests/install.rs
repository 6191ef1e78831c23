//! The program away from its repository: in an empty folder, from an archive, and its manual pages.
//!
//! `RUNNER_TEST_INSTALLED` may name an executable that `cargo install` made, to be looked at instead of the
//! one that was built for the tests.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod sandbox;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use sandbox::Sandbox;
use sandbox::machine::MACHINE_FOLDER;

/// A home with the program in it, an empty folder beside it, and a quiet machine, which is all that is
/// described: the real one is running tests.
struct Away {
    sandbox: Sandbox,
    machine: Sandbox,
    program: PathBuf,
}

impl Away {
    fn new() -> Away {
        let (sandbox, machine) = (Sandbox::bare(), Sandbox::new());
        let original = std::env::var_os("RUNNER_TEST_INSTALLED").filter(|path| !path.is_empty());
        let original = original.unwrap_or_else(|| env!("CARGO_BIN_EXE_runner").into());
        let program = sandbox.path("home/.cargo/bin/runner");
        std::fs::create_dir_all(program.parent().unwrap()).unwrap();
        std::fs::copy(original, &program).unwrap();
        std::fs::create_dir_all(sandbox.path("an empty folder")).unwrap();
        Away { sandbox, machine, program }
    }

    fn folder(&self) -> PathBuf {
        self.sandbox.path("an empty folder")
    }

    /// With nothing of the environment.
    fn run(&self, arguments: &[&str]) -> Output {
        Command::new(&self.program)
            .args(arguments)
            .current_dir(self.folder())
            .env_clear()
            .env("HOME", self.sandbox.path("home"))
            .env("PATH", "/usr/bin:/bin")
            .env("RUNNER_MACHINE_ROOT", self.machine.path(MACHINE_FOLDER))
            .env("RUNNER_LOCK_FILE", self.machine.path(".lock"))
            .output()
            .unwrap()
    }

    #[track_caller]
    fn done(&self, arguments: &[&str]) -> String {
        done(&self.run(arguments))
    }
}

#[track_caller]
fn done(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "\n--- stdout\n{out}\n--- stderr\n{err}");
    out
}

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn init_and_try_work_in_an_empty_folder() {
    let away = Away::new();
    away.done(&["init"]);
    for file in ["runner.toml", "experiments/first-look.toml", "docs/manifest.schema.json"] {
        assert!(away.folder().join(file).is_file(), "{file}");
    }
    let model = away.done(&["model", "path", "builtin-tiny"]);
    assert!(Path::new(model.trim()).starts_with(away.sandbox.path("home")), "{model}");
    let sets = away.done(&["workload", "list"]);
    assert!(sets.contains("prose-48"), "{sets}");
    let look =
        ["try", "builtin-tiny", "--vary", "threads=1,2", "--decode", "8", "--minutes", "0.2"];
    let said = away.run(&look);
    if away.run(&["engine", "info"]).status.success() {
        let said = done(&said);
        assert!(said.contains("off-again"), "{said}");
        assert!(away.folder().join("results/pilots").is_dir());
    } else {
        // a build without the engine says so
        let err = String::from_utf8(said.stderr).unwrap();
        assert_eq!(said.status.code(), Some(3), "{err}");
        assert!(err.contains("this program was built without the native engine"), "{err}");
    }
}

#[test]
fn every_subcommand_has_a_manual_page() {
    let away = Away::new();
    let said = away.done(&["man", "man/man1"]);
    let folder = away.folder().join("man/man1");
    let pages = std::fs::read_dir(&folder).unwrap().count();
    assert_eq!(said, format!("{pages} pages in man/man1\n"));
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    for page in ["runner.1", "runner-exec.1", "runner-engine-info.1", "runner-record-verify.1"] {
        assert!(read(page).starts_with(".ie "), "{page}");
    }
    // the worker is nobody's command
    assert!(!folder.join("runner-worker.1").exists());
    let whole = read("runner.1");
    assert!(whole.contains("Exit codes: 0 done"), "{whole}");
    let page = read("runner-engine-conform.1");
    let lines: Vec<&str> = page.lines().map(str::trim_end).collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    .ie \n(.g .ds Aq \(aq
    .el .ds Aq '
    .TH runner-engine-conform 1  "runner 0.1.0"
    .SH NAME
    runner\-engine\-conform \- Hold a worker program to the protocol: what was asked, what came, what to mend
    .SH SYNOPSIS
    \fBrunner engine conform\fR [\fB\-\-model\fR] [\fB\-\-results\fR] [\fB\-\-json\fR] [\fB\-\-limit\fR] [\fB\-\-color\fR] [\fB\-h\fR|\fB\-\-help\fR] <\fICMD\fR>
    .SH DESCRIPTION
    Hold a worker program to the protocol: what was asked, what came, what to mend
    .SH OPTIONS
    .TP
    \fB\-\-model\fR \fI<FILE>\fR
    Model that the program loads; by default `builtin\-tiny`, which is written where it is missing
    .TP
    \fB\-\-limit\fR \fI<SECONDS>\fR [default: 120]
    How long an answer may take, in seconds; a program that takes longer is ended
    .TP
    \fB\-h\fR, \fB\-\-help\fR
    Print help (see a summary with \*(Aq\-h\*(Aq)
    .TP
    <\fICMD\fR>
    Program and arguments, after `\-\-`; started as they stand and by no shell
    .SH EVERYWHERE
    .TP
    \fB\-\-results\fR \fI<DIR>\fR
    Folder of records, instead of the project\*(Aqs `results/`
    .TP
    \fB\-\-json\fR
    Print JSON instead of text
    .TP
    \fB\-\-color\fR \fI<WHEN>\fR [default: auto]
    Colours
    .br

    .br
    \fIPossible values:\fR
    .RS 14
    .IP \(bu 2
    auto: On a terminal, unless `NO_COLOR` is set
    .IP \(bu 2
    always: Always
    .IP \(bu 2
    never: Never
    .RE
    "#);
    // a folder that cannot be made
    std::fs::write(away.folder().join("file"), "").unwrap();
    let refused = away.run(&["man", "file/man1"]);
    assert_eq!(refused.status.code(), Some(1));
    let err = String::from_utf8(refused.stderr).unwrap();
    assert!(err.contains("the manual pages cannot be written"), "{err}");
}

/// Packs the built program, and gives the archive.
fn archive(folder: &Path) -> PathBuf {
    let packed = Command::new(repository().join("docs/release/archive.sh"))
        .arg(env!("CARGO_BIN_EXE_runner"))
        .arg(folder)
        .output()
        .unwrap();
    PathBuf::from(done(&packed).trim())
}

#[test]
fn an_archive_holds_all_and_is_the_same_twice() {
    let sandbox = Sandbox::bare();
    let (first, again) = (archive(&sandbox.path("first")), archive(&sandbox.path("again")));
    let name = first.file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with(concat!("runner-", env!("CARGO_PKG_VERSION"), "-")), "{name}");
    assert_eq!(std::fs::read(&first).unwrap(), std::fs::read(&again).unwrap());
    let check = Command::new("sha256sum")
        .args(["--check", &format!("{name}.sha256")])
        .current_dir(sandbox.path("first"))
        .output()
        .unwrap();
    assert_eq!(done(&check), format!("{name}: OK\n"));
    let unpacked = Command::new("tar").arg("xf").arg(&first).current_dir(sandbox.root()).output();
    done(&unpacked.unwrap());
    let inside = sandbox.path(name.strip_suffix(".tar.gz").unwrap());
    let files = [
        "runner",
        "LICENSE",
        "README.md",
        "CHANGELOG.md",
        "INSTALL.md",
        "man/man1/runner.1",
        "man/man1/runner-exec.1",
        "completions/runner.bash",
        "completions/runner.zsh",
    ];
    for file in files {
        assert!(inside.join(file).is_file(), "{file}");
    }
    // of crates, and of the engine
    let licences = std::fs::read_dir(inside.join("licences")).unwrap();
    let licences: Vec<String> =
        licences.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    for package in ["clap-", "serde-", "llama-cpp-sys-2-"] {
        assert!(licences.iter().any(|name| name.starts_with(package)), "{package}: {licences:?}");
    }
    let version = Command::new(inside.join("runner")).arg("--version").output().unwrap();
    assert_eq!(done(&version), concat!("runner ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn an_archive_of_nothing_is_refused() {
    let sandbox = Sandbox::bare();
    let packed = Command::new(repository().join("docs/release/archive.sh"))
        .arg(sandbox.path("no runner"))
        .output()
        .unwrap();
    assert_eq!(packed.status.code(), Some(1));
    let err = String::from_utf8(packed.stderr).unwrap();
    assert!(err.contains("there is no such executable"), "{err}");
}
