use super::super::catalogue::catalogue;
use super::*;

/// Writing it takes seconds in an unoptimised build.
fn tiny_bytes() -> Vec<u8> {
    static BYTES: std::sync::LazyLock<Vec<u8>> = std::sync::LazyLock::new(|| write_model(&TINY));
    BYTES.clone()
}

fn project(root: &Path) -> Project {
    std::fs::create_dir_all(root.join("experiments")).unwrap();
    Project { root: root.into(), results: root.join("results"), cache: root.join("cache") }
}

fn tiny() -> ModelChoice {
    ModelChoice::Named("builtin-tiny".into())
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            found.extend(files_below(&entry.path()));
        } else {
            found.push(entry.path());
        }
    }
    found
}

#[test]
fn the_writer_produces_the_pinned_file() {
    let entry = toml_entry();
    let bytes = tiny_bytes();
    assert_eq!(bytes.len() as u64, entry.bytes);
    assert_eq!(Sha256Hex::of(&bytes), entry.sha256);
}

#[test]
fn the_writer_of_experts_produces_the_pinned_file() {
    let folder = tempfile::tempdir().unwrap();
    let entry = find("builtin-tiny-experts", &project(folder.path())).unwrap();
    let bytes = write_model(&TINY_EXPERTS);
    assert_eq!((bytes.len() as u64, Sha256Hex::of(&bytes)), (entry.bytes, entry.sha256));
    assert!(bytes.len() < 1 << 20, "{} bytes", bytes.len());
}

fn toml_entry() -> Entry {
    let folder = tempfile::tempdir().unwrap();
    find("builtin-tiny", &project(folder.path())).unwrap()
}

#[test]
fn the_tiny_model_is_written_once_and_again_when_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let project = project(folder.path());
    assert_eq!(state(&toml_entry(), &project), ModelState::Writable);
    let file = resolve(&tiny(), &project).unwrap();
    assert_eq!(state(&toml_entry(), &project), ModelState::Present);
    assert_eq!(file.bytes, std::fs::metadata(&file.path).unwrap().len());

    let facts = inspect(&file.path).unwrap();
    assert_eq!(facts.architecture.as_deref(), Some("llama"));
    assert_eq!(facts.context_tokens, Some(4096));
    assert_eq!(facts.vocabulary, Some(512));
    assert_eq!(facts.parameters, 2_623_744);
    let kinds: Vec<(&str, u32)> =
        facts.tensor_types.iter().map(|row| (row.tensor_type.as_str(), row.tensors)).collect();
    assert_eq!(kinds, [("f16", 18), ("q8_0", 12), ("f32", 9)]);

    std::fs::write(&file.path, b"GGUF damaged").unwrap();
    let again = resolve(&tiny(), &project).unwrap();
    assert_eq!(again, file);
    assert_eq!(std::fs::metadata(&file.path).unwrap().len(), file.bytes);
}

#[test]
fn a_full_verification_sees_what_a_remembered_one_cannot() {
    let folder = tempfile::tempdir().unwrap();
    let project = project(folder.path());
    let path = folder.path().join("mine.gguf");
    std::fs::write(&path, tiny_bytes()).unwrap();
    let sha256 = toml_entry().sha256.to_string();
    let choice = ModelChoice::File { path: "mine.gguf".into(), sha256 };
    resolve(&choice, &project).unwrap();

    // A memory that lies: as if the file had been changed without a trace.
    let notes = files_below(&project.cache.join("models/hashed"));
    assert_eq!(notes.len(), 1);
    let note = std::fs::read_to_string(&notes[0]).unwrap();
    let other = "0".repeat(64);
    std::fs::write(&notes[0], note.replace(toml_entry().sha256.as_str(), &other)).unwrap();
    let failure = resolve(&choice, &project).unwrap_err();
    assert!(failure.what.contains("another SHA-256"), "{failure}");
    resolve_with(&choice, &project, Verification::Full).unwrap();
    resolve(&choice, &project).unwrap();
}

#[test]
fn a_changed_file_is_hashed_again() {
    let folder = tempfile::tempdir().unwrap();
    let project = project(folder.path());
    let path = folder.path().join("mine.gguf");
    let mut bytes = tiny_bytes();
    std::fs::write(&path, &bytes).unwrap();
    let sha256 = toml_entry().sha256.to_string();
    let choice = ModelChoice::File { path: path.display().to_string(), sha256 };
    resolve(&choice, &project).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    let failure = resolve(&choice, &project).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Refused);
    assert!(failure.what.contains("another SHA-256"), "{failure}");
}

#[test]
fn an_unfetched_model_is_refused_with_the_command_to_run() {
    let folder = tempfile::tempdir().unwrap();
    let choice = ModelChoice::Named("smollm2-135m-instruct-q4_1".into());
    let failure = resolve(&choice, &project(folder.path())).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Refused);
    let hint = failure.hint.unwrap();
    assert!(hint.contains("runner model fetch smollm2-135m-instruct-q4_1"), "{hint}");
}

#[test]
fn a_user_file_that_is_missing_truncated_or_no_gguf_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let project = project(folder.path());
    let sha256 = toml_entry().sha256.to_string();
    let ask = |name: &str| {
        let choice = ModelChoice::File { path: name.into(), sha256: sha256.clone() };
        let failure = resolve(&choice, &project).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Refused);
        failure.what
    };
    assert!(ask("none.gguf").contains("missing"));
    std::fs::write(folder.path().join("cut.gguf"), &tiny_bytes()[..3_791_000]).unwrap();
    assert!(ask("cut.gguf").contains("truncated: 200 bytes are missing"));
    std::fs::write(folder.path().join("page.gguf"), "<!doctype html>").unwrap();
    assert!(ask("page.gguf").contains("not a GGUF"));
}

#[test]
fn a_part_of_a_split_model_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let project = project(folder.path());
    // Version 3, no tensors, one key: `split.count` as u16 = 3.
    let mut file = b"GGUF\x03\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0".to_vec();
    file.extend(11_u64.to_le_bytes());
    file.extend(b"split.count\x02\0\0\0\x03\0");
    std::fs::write(folder.path().join("part.gguf"), &file).unwrap();
    let sha256 = Sha256Hex::of(&file).to_string();
    let choice = ModelChoice::File { path: "part.gguf".into(), sha256 };
    let failure = resolve(&choice, &project).unwrap_err();
    assert!(failure.what.contains("one of 3 parts"), "{failure}");
}

#[test]
fn a_hash_that_is_none_is_a_usage_error() {
    let folder = tempfile::tempdir().unwrap();
    let choice = ModelChoice::File { path: "a.gguf".into(), sha256: "abc".into() };
    let failure = resolve(&choice, &project(folder.path())).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Usage);
}

#[test]
fn an_unknown_name_is_answered_with_the_nearest() {
    let folder = tempfile::tempdir().unwrap();
    let failure = find("builtin-tinny", &project(folder.path())).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Usage);
    assert_eq!(failure.hint.as_deref(), Some("did you mean `builtin-tiny`?"));
}

#[test]
fn a_project_adds_models_and_cannot_redefine_built_in_ones() {
    let folder = tempfile::tempdir().unwrap();
    let project = project(folder.path());
    let own = |name: &str| {
        format!(
            "schema = 1\n[[model]]\nname = \"{name}\"\nfile = \"a.gguf\"\nsource = \"ours\"\n\
             licence = \"MIT\"\nweights_derived_from = \"ours\"\nsha256 = \"{}\"\nbytes = 7\n\
             obtain.file.path = \"models/a.gguf\"\n",
            "a".repeat(64)
        )
    };
    let place = folder.path().join("experiments/models.toml");
    std::fs::write(&place, own("ours")).unwrap();
    let names: Vec<String> =
        catalogue(&project).unwrap().into_iter().map(|entry| entry.name).collect();
    assert_eq!(
        names,
        ["builtin-tiny", "builtin-tiny-experts", "smollm2-135m-instruct-q4_1", "ours"]
    );

    std::fs::write(&place, own("builtin-tiny")).unwrap();
    assert!(catalogue(&project).unwrap_err().what.contains("built in"));
    std::fs::write(&place, own("ours") + "extra = 1\n").unwrap();
    let failure = catalogue(&project).unwrap_err();
    assert!(failure.to_string().contains("models.toml:11: unknown field `extra`"), "{failure}");
}

#[test]
fn a_cache_that_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut project = project(folder.path());
    std::fs::write(folder.path().join("occupied"), "").unwrap();
    project.cache = folder.path().join("occupied");
    let failure = resolve(&tiny(), &project).unwrap_err();
    assert!(failure.hint.unwrap().contains("RUNNER_CACHE_DIR"));
}
