//! `record verify` sees every change of what is in results/.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod sandbox;

use sandbox::Sandbox;

/// A sandbox with one record and its overview.
fn sealed(id: &str) -> Sandbox {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest(id, &[]);
    sandbox.runner(&["exec", "--register", &file]).expect_code(0);
    sandbox.runner(&["report"]).expect_code(0);
    passes(&sandbox);
    sandbox
}

#[track_caller]
fn passes(sandbox: &Sandbox) {
    let said = sandbox.runner(&["record", "verify"]).expect_code(0);
    assert_eq!(said.out, "1 record verified\n");
}

/// Verification fails, and a finding names this text.
#[track_caller]
fn fails_naming(sandbox: &Sandbox, text: &str) {
    let said = sandbox.runner(&["record", "verify"]).expect_code(1);
    let found = said.out.lines().any(|line| line.starts_with("failed: ") && line.contains(text));
    assert!(found, "no finding names {text}:\n{}", said.out);
    assert!(said.out.ends_with("verification failed\n"), "{}", said.out);
    let json = sandbox.runner(&["--json", "record", "verify"]).expect_code(1).json();
    assert_eq!(json["passes"], false);
}

/// Does something to every file in turn, and puts it back.
fn each_file(sandbox: &Sandbox, damage: impl Fn(&str, &[u8]) -> Option<Vec<u8>>) -> Vec<String> {
    let mut seen = Vec::new();
    for (file, whole) in sandbox.snapshot("results") {
        let Some(damaged) = damage(&file, &whole) else { continue };
        assert_ne!(damaged, whole);
        sandbox.write(&file, damaged);
        fails_naming(sandbox, file.strip_prefix("results/").unwrap());
        sandbox.write(&file, &whole);
        passes(sandbox);
        seen.push(file.rsplit('/').next().unwrap().to_owned());
    }
    seen
}

/// Names of the files, with those that differ between runs and builds made alike.
fn kinds(seen: &[String]) -> Vec<&str> {
    let kind = |name: &'_ String| -> &'static str {
        match name.as_str() {
            "INDEX.md" => "index",
            "manifest.toml" => "manifest",
            "provenance.toml" => "provenance",
            "record.toml" => "record",
            "table.md" => "table",
            name if name.starts_with("samples.") => "samples",
            _ => "ledger",
        }
    };
    let mut kinds: Vec<&str> = seen.iter().map(kind).collect();
    kinds.sort_unstable();
    kinds
}

const ALL: [&str; 7] = ["index", "ledger", "manifest", "provenance", "record", "samples", "table"];

#[test]
fn one_changed_byte_in_the_middle_of_any_file_is_found_and_the_file_is_named() {
    let sandbox = sealed("byte");
    for flip in [0x01, 0x80] {
        let seen = each_file(&sandbox, |_, whole| {
            let mut changed = whole.to_vec();
            changed[whole.len() / 2] ^= flip;
            Some(changed)
        });
        assert_eq!(kinds(&seen), ALL, "{seen:?}");
    }
}

#[test]
fn a_byte_that_is_added_or_taken_away_is_found() {
    let sandbox = sealed("length");
    let seen = each_file(&sandbox, |_, whole| Some([whole, b"\n"].concat()));
    assert_eq!(kinds(&seen), ALL, "{seen:?}");
    let seen = each_file(&sandbox, |_, whole| Some(whole[..whole.len() - 1].to_vec()));
    assert_eq!(kinds(&seen), ALL, "{seen:?}");
}

#[test]
fn a_truncated_file_is_found() {
    let sandbox = sealed("truncated");
    for parts in [2, usize::MAX] {
        let seen = each_file(&sandbox, |_, whole| Some(whole[..whole.len() / parts].to_vec()));
        assert_eq!(kinds(&seen), ALL, "{seen:?}");
    }
}

#[test]
fn a_deleted_file_is_found() {
    let sandbox = sealed("deleted");
    for (file, whole) in sandbox.snapshot("results") {
        if file == "results/INDEX.md" {
            continue; // generated: it may be left out
        }
        std::fs::remove_file(sandbox.path(&file)).unwrap();
        let name = file.rsplit('/').next().unwrap();
        // an entry is known by its hash
        fails_naming(
            &sandbox,
            name.strip_suffix(".toml").filter(|n| n.len() == 64).unwrap_or(name),
        );
        sandbox.write(&file, &whole);
        passes(&sandbox);
    }
}

#[test]
fn a_deleted_ledger_is_found() {
    let sandbox = sealed("ledgerless");
    std::fs::remove_dir_all(sandbox.path("results/ledgerless/ledger")).unwrap();
    fails_naming(&sandbox, "ledgerless/ledger");
}

#[test]
fn a_file_that_no_format_knows_is_found() {
    let sandbox = sealed("stray");
    let run = sandbox.runs("stray").pop().unwrap();
    let places = [
        "extra.txt".to_owned(),
        "stray/extra.txt".to_owned(),
        "stray/ledger/extra.txt".to_owned(),
        format!("stray/{run}/extra.txt"),
    ];
    for place in places {
        let path = sandbox.write(&format!("results/{place}"), "more");
        fails_naming(&sandbox, &place);
        std::fs::remove_file(path).unwrap();
    }
    passes(&sandbox);
}

#[test]
fn a_changed_record_is_not_shown_as_if_it_were_sound() {
    let sandbox = sealed("forged");
    let run = sandbox.runs("forged").pop().unwrap();
    let file = format!("results/forged/{run}/record.toml");
    let whole = std::fs::read_to_string(sandbox.path(&file)).unwrap();
    sandbox.write(&file, whole.replacen("verdict = \"win\"", "verdict = \"level\"", 1));
    sandbox.runner(&["show", "forged"]).expect_code(1).expect_text("changed after it was sealed");
    sandbox.runner(&["list"]).expect_code(0).expect_text("unreadable");
    sandbox.runner(&["report", "--check"]).expect_code(1);
}
