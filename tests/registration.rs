//! Only what is registered is run, and only as it was registered.

mod sandbox;

use std::process::Command;

use sandbox::Sandbox;

/// `exec` is refused with these words, starts no arm, and leaves all files as they are.
#[track_caller]
fn refused(sandbox: &Sandbox, arguments: &[&str], texts: &[&str]) {
    let before = (sandbox.snapshot("results"), sandbox.snapshot("elsewhere"));
    let processes = sandbox.processes();
    let mut said = sandbox.runner(arguments).expect_code(3);
    for text in texts {
        said = said.expect_text(text);
    }
    assert_eq!((sandbox.snapshot("results"), sandbox.snapshot("elsewhere")), before);
    assert_eq!(sandbox.processes(), processes, "no worker has loaded anything");
}

#[test]
fn an_unregistered_manifest_is_refused() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("not-there", &[]);
    let texts = ["experiment not-there", "is not registered", "runner register"];
    refused(&sandbox, &["exec", &file], &texts);
    assert_eq!(sandbox.files("results"), Vec::<String>::new());
}

#[test]
fn a_changed_manifest_is_refused_and_its_changed_keys_are_named() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("changed", &[]);
    sandbox.runner(&["register", &file]).expect_code(0);
    let changes = [("rounds = 5", "rounds = 6"), ("margin_percent = 5.0", "margin_percent = 3.0")];
    sandbox.manifest("changed", &changes);
    let texts = ["has changed since its registration", "rounds: 5 -> 6", "margin_percent: 5", "3"];
    refused(&sandbox, &["exec", &file], &texts);
    let before = sandbox.snapshot("results");
    for arguments in [&["register", &file][..], &["exec", "--register", &file]] {
        sandbox
            .runner(arguments)
            .expect_code(3)
            .expect_text("registered already, with another manifest")
            .expect_text("an id is never reused");
    }
    assert_eq!(sandbox.snapshot("results"), before);
}

#[test]
fn a_manifest_that_only_looks_different_is_run() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("looks", &[]);
    sandbox.runner(&["register", &file]).expect_code(0);
    let text = std::fs::read_to_string(sandbox.path(&file)).unwrap();
    let text = format!("# another comment\n{}", text.replace("rounds = 5", "rounds   =   5"));
    sandbox.write(&file, text.replace('\n', "\r\n"));
    sandbox.runner(&["exec", &file]).expect_code(0).expect_text("win fast");
    sandbox.runner(&["record", "verify"]).expect_code(0);
}

#[test]
fn a_changed_workload_is_refused() {
    let sandbox = Sandbox::with_model();
    let prose = format!("{}/experiments/workloads/prose-48.toml", env!("CARGO_MANIFEST_DIR"));
    let prose = std::fs::read_to_string(prose).unwrap();
    sandbox.write("experiments/workloads/mine.toml", &prose);
    let file = sandbox.manifest("other-words", &[("\"prose-48\"", "\"mine\"")]);
    sandbox.runner(&["register", &file]).expect_code(0);
    let other = prose.replacen("The keeper counted", "The keeper climbed", 1);
    assert_ne!(other, prose);
    sandbox.write("experiments/workloads/mine.toml", other);
    refused(&sandbox, &["exec", &file], &["inputs", "changed"]);
}

#[test]
fn a_changed_or_truncated_model_is_refused() {
    let sandbox = Sandbox::with_model();
    let tiny = sandbox.runner(&["--json", "model", "path", "builtin-tiny"]).expect_code(0).json();
    let good = std::fs::read(tiny["path"].as_str().unwrap()).unwrap();
    sandbox.write("own.gguf", &good);
    let sha256 = tiny["sha256"].as_str().unwrap();
    let named = format!("model_file = \"own.gguf\"\nmodel_sha256 = \"{sha256}\"");
    let file = sandbox.manifest("other-weights", &[("model = \"builtin-tiny\"", &named)]);
    sandbox.runner(&["register", &file]).expect_code(0);
    let mut changed = good.clone();
    *changed.last_mut().unwrap() ^= 1;
    sandbox.write("own.gguf", changed);
    refused(&sandbox, &["exec", &file], &["own.gguf", "another SHA-256", sha256]);
    sandbox.write("own.gguf", &good[..good.len() / 2]);
    refused(&sandbox, &["exec", &file], &["own.gguf", "truncated"]);
    sandbox.write("own.gguf", "no model");
    refused(&sandbox, &["exec", &file], &["own.gguf"]);
    std::fs::remove_file(sandbox.path("own.gguf")).unwrap();
    refused(&sandbox, &["exec", &file], &["own.gguf", "missing"]);
}

#[test]
fn a_changed_engine_is_refused() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("other-engine", &[]);
    sandbox.runner(&["register", &file]).expect_code(0);
    sandbox.script("[base]\nsource_blake3 = \"patched\"\n");
    let texts = ["changed since the registration", "the source of engine `fake 1`", "patched"];
    refused(&sandbox, &["exec", &file], &texts);
}

#[test]
fn a_registration_says_whether_the_manifest_was_committed() {
    let sandbox = Sandbox::with_model();
    let git = |arguments: &[&str]| {
        let done = Command::new("git")
            .args(["-c", "user.name=t", "-c", "user.email=t@example.org"])
            .args(arguments)
            .current_dir(sandbox.root())
            .env("HOME", sandbox.root())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .unwrap();
        assert!(done.status.success(), "{done:?}");
    };
    sandbox.write(".gitignore", ".cache\n.lock\n*.pids\n");
    let committed = sandbox.manifest("committed", &[]);
    git(&["init", "--quiet"]);
    git(&["add", "."]);
    git(&["commit", "--quiet", "--message", "a manifest"]);
    sandbox.runner(&["register", &committed]).expect_code(0);
    let entry = sandbox.files("results/committed/ledger").pop().unwrap();
    let entry = std::fs::read_to_string(sandbox.path(&entry)).unwrap();
    assert!(entry.contains("state = \"committed\""), "{entry}");
    let uncommitted = sandbox.manifest("uncommitted", &[]);
    let said = sandbox.runner(&["exec", "--register", &uncommitted]).expect_code(0);
    let said = said.expect_text("registered uncommitted as ");
    let provenance = said.out.split("provenance:").nth(1).unwrap();
    assert!(provenance.contains("with changes"), "{provenance}");
    assert!(provenance.contains(", uncommitted"), "{provenance}");
}

#[test]
fn a_committed_registration_holds_when_the_record_goes_elsewhere() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("elsewhere", &[]);
    sandbox.runner(&["register", &file]).expect_code(0);
    let registered = sandbox.snapshot("results");
    let said = sandbox.runner(&["--results", "elsewhere", "exec", &file]).expect_code(0);
    said.expect_text("win fast (above_margin)");
    assert_eq!(sandbox.snapshot("results"), registered, "the project's results are left alone");
    let copied = sandbox.snapshot("elsewhere/elsewhere/ledger");
    assert!(copied.values().eq(registered.values()), "{:?}", copied.keys());
    for command in [&["show", "elsewhere"][..], &["list"], &["report"], &["record", "verify"]] {
        let arguments = [&["--results", "elsewhere"], command].concat();
        sandbox.runner(&arguments).expect_code(0);
    }
    let verified = sandbox.runner(&["--results", "elsewhere", "record", "verify"]);
    verified.expect_code(0).expect_text("1 record verified");
    let again = sandbox.runner(&["--results", "elsewhere", "exec", &file]);
    again.expect_code(0).expect_text("attempt 2");
    sandbox.runner(&["show", "elsewhere"]).expect_code(1);
}

#[test]
fn a_run_that_is_refused_leaves_nothing_elsewhere() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("refused", &[]);
    let exec = ["--results", "elsewhere", "exec", &file];
    refused(&sandbox, &exec, &["is not registered"]);
    sandbox.runner(&["register", &file]).expect_code(0);
    sandbox.script("[base]\nsource_blake3 = \"patched\"\n");
    refused(&sandbox, &exec, &["changed since the registration"]);
    sandbox.manifest("refused", &[("rounds = 5", "rounds = 6")]);
    refused(&sandbox, &exec, &["rounds: 5 -> 6"]);
    assert_eq!(sandbox.files("elsewhere"), Vec::<String>::new());
    assert!(!sandbox.path("elsewhere/refused").exists(), "not even a folder");
}
