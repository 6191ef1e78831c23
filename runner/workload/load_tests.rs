use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::failure::FailureKind;
use crate::workload::JOINT;

fn project(root: &Path) -> Project {
    Project { root: root.into(), results: root.join("results"), cache: root.join("cache") }
}

fn built_in(name: &str) -> InputSet {
    let folder = tempfile::tempdir().unwrap();
    load(name, &project(folder.path())).unwrap()
}

#[test]
fn every_built_in_set_has_48_different_items() {
    for name in EMBEDDED_NAMES {
        let set = built_in(name);
        assert_eq!(set.items.len(), 48, "{name}");
        let ids: BTreeSet<&str> = set.items.iter().map(|item| item.id.as_str()).collect();
        let texts: BTreeSet<&str> = set.items.iter().map(|item| item.text.as_str()).collect();
        assert_eq!((ids.len(), texts.len()), (48, 48), "{name}");
        assert!(set.licence.starts_with("CC0-1.0"));
    }
}

#[test]
fn items_are_long_enough() {
    for item in built_in("prose-48").items {
        let words = item.text.split_whitespace().count();
        assert!((60..=92).contains(&words), "{}: {words} words", item.id);
    }
    for item in built_in("code-48").items {
        let lines = item.text.lines().count();
        assert!((8..=16).contains(&lines), "{}: {lines} lines", item.id);
    }
}

#[test]
fn no_two_items_of_prose_or_code_share_a_run_of_five_words() {
    for name in ["prose-48", "code-48"] {
        let mut runs: BTreeMap<String, String> = BTreeMap::new();
        for item in built_in(name).items {
            let text = item.text.to_lowercase();
            let words: Vec<&str> = text.split_whitespace().collect();
            for run in words.windows(5) {
                let other = runs.insert(run.join(" "), item.id.clone());
                assert!(other.is_none_or(|other| other == item.id), "{}: {run:?}", item.id);
            }
        }
    }
}

#[test]
fn filler_follows_its_rule_and_serves_dense_throughput_only() {
    let set = built_in("filler-48");
    let firsts: Vec<&str> =
        set.items.iter().filter_map(|item| item.text.split(' ').next()).collect();
    for (index, item) in set.items.iter().enumerate() {
        let words: Vec<&str> = item.text.split(' ').collect();
        assert_eq!(words.len(), 80);
        assert!(words.chunks(4).all(|four| four == &words[..4]));
        for (offset, word) in words[..4].iter().enumerate() {
            assert!(firsts.get(index + offset).is_none_or(|first| first == word));
        }
    }
    assert_eq!(set.classes, [crate::manifest::MeasurementClass::DenseThroughput]);
}

/// Changing one letter of a built-in set makes every registration on it refuse to run.
#[test]
fn the_hashes_of_built_in_sets_are_pinned() {
    let hashes: Vec<String> =
        EMBEDDED_NAMES.iter().map(|name| built_in(name).blake3.to_string()).collect();
    insta::assert_snapshot!(hashes.join("\n"), @r"
    f9729632327d96a383bc965ddb4fb86d3fef7cc18b61b816f362e0522a088f03
    99eac68a93d242415b0a14f6d3791628793a35763374a4a9aa2c72432e0a39fc
    a6fc92befa189ca81bbb4aeec705b197653aa211536d54016c697364f9554fb2
    ");
}

#[test]
fn a_projects_own_set_is_found_by_name_and_by_path() {
    let folder = tempfile::tempdir().unwrap();
    let project = project(folder.path());
    std::fs::create_dir_all(folder.path().join(FOLDER)).unwrap();
    let text = embedded_text("code-48").unwrap();
    std::fs::write(folder.path().join(FOLDER).join("ours.toml"), text).unwrap();
    let by_name = load("ours", &project).unwrap();
    let by_path = load("experiments/workloads/ours.toml", &project).unwrap();
    assert_eq!(by_name.blake3, built_in("code-48").blake3);
    assert_eq!(by_name.items, by_path.items);
    assert_eq!(by_path.name, "experiments/workloads/ours.toml");
}

#[test]
fn a_built_in_name_cannot_be_given_another_content() {
    let folder = tempfile::tempdir().unwrap();
    let project = project(folder.path());
    std::fs::create_dir_all(folder.path().join(FOLDER)).unwrap();
    let place = folder.path().join(FOLDER).join("code-48.toml");
    let text = embedded_text("code-48").unwrap();
    std::fs::write(&place, text).unwrap();
    load("code-48", &project).unwrap();
    std::fs::write(&place, text.replace("lower_bound", "lowest")).unwrap();
    let failure = load("code-48", &project).unwrap_err();
    assert!(failure.what.contains("another content"), "{failure}");
}

#[test]
fn what_is_not_there_or_no_text_is_a_usage_error() {
    let folder = tempfile::tempdir().unwrap();
    let project = project(folder.path());
    let ask = |inputs: &str| {
        let failure = load(inputs, &project).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Usage);
        failure.to_string()
    };
    assert!(ask("prose-49").contains("prose-48, code-48, filler-48"));
    assert!(ask("none.toml").contains("no such set"));
    std::fs::write(folder.path().join("garbage.toml"), vec![0xff; 1 << 20]).unwrap();
    assert!(ask("garbage.toml").contains("not UTF-8 text (byte 0)"));
    std::fs::write(folder.path().join("zeros.toml"), vec![0; 1 << 20]).unwrap();
    assert!(ask("zeros.toml").contains("zeros.toml:1"));
}

#[test]
fn a_long_input_goes_on_with_the_items_after_it() {
    let set = built_in("prose-48");
    let last = set.text_from(47, set.items[47].text.len() + 1);
    assert_eq!(last, format!("{}{JOINT}{}", set.items[47].text, set.items[0].text));
    assert_eq!(set.text_from(3, 1), set.items[3].text);
    let all = set.text_from(5, usize::MAX);
    assert_eq!(all.matches(JOINT).count(), 47);
}
