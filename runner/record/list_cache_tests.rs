//! The cache of listings is never believed over the files.

use std::time::{Duration, SystemTime};

use super::example::{circumstances, frozen, plan, project};
use super::*;
use crate::project::Project;

/// Two registrations, listed once, with the cache's time set so that both count as settled.
fn listed(folder: &std::path::Path) -> (Project, Listing) {
    let project = Project { cache: folder.join("cache"), ..project(folder) };
    for id in ["flash", "other"] {
        register(&project, &plan(id), &frozen(), &circumstances()).unwrap();
    }
    let listing = list_with_cache(&project).unwrap();
    settle(&project);
    (project, listing)
}

/// As if an hour had gone by since the cache was written.
fn settle(project: &Project) {
    for entry in std::fs::read_dir(project.cache.join("listings")).unwrap() {
        let file = std::fs::File::options().write(true).open(entry.unwrap().path()).unwrap();
        file.set_modified(SystemTime::now() + Duration::from_secs(3600)).unwrap();
    }
}

fn poison(project: &Project) {
    for entry in std::fs::read_dir(project.cache.join("listings")).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains("Flash attention"), "{text}");
        std::fs::write(&path, text.replace("Flash attention", "From the cache")).unwrap();
    }
    settle(project);
}

#[test]
fn what_has_not_changed_is_taken_from_the_cache() {
    let folder = tempfile::tempdir().unwrap();
    let (project, first) = listed(folder.path());
    assert_eq!(list_with_cache(&project).unwrap(), first);
    poison(&project);
    let titles: Vec<String> = list_with_cache(&project)
        .unwrap()
        .summaries
        .into_iter()
        .map(|summary| summary.title)
        .collect();
    assert_eq!(titles, ["From the cache", "From the cache"]);
}

#[test]
fn an_edited_entry_and_a_new_one_are_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let (project, _) = listed(folder.path());
    poison(&project);
    withdraw(&project, &plan("flash").id, "a reason", &circumstances()).unwrap();
    let ledger = ledger_folder(&project, &plan("other").id);
    let entry = std::fs::read_dir(&ledger).unwrap().next().unwrap().unwrap().path();
    let text = std::fs::read_to_string(&entry).unwrap();
    std::fs::write(&entry, text.replacen("other", "ether", 1)).unwrap();
    let all = list_with_cache(&project).unwrap().summaries;
    assert_eq!(all[0].title, "Flash attention");
    assert!(all[0].withdrawn.as_ref().unwrap().ends_with("a reason"));
    assert!(matches!(&all[1].state, SummaryState::Unreadable { why } if why.contains("changed")));
}

#[test]
fn a_cache_that_is_not_to_be_understood_or_not_to_be_written_does_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let (project, first) = listed(folder.path());
    for entry in std::fs::read_dir(project.cache.join("listings")).unwrap() {
        std::fs::write(entry.unwrap().path(), "{\"program\"").unwrap();
    }
    assert_eq!(list_with_cache(&project).unwrap(), first);
    let nowhere = Project { cache: folder.path().join("runner.toml/cache"), ..project };
    std::fs::write(folder.path().join("runner.toml"), "schema = 1\n").unwrap();
    assert_eq!(list_with_cache(&nowhere).unwrap(), first);
}

#[test]
fn what_was_taken_away_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let (project, _) = listed(folder.path());
    std::fs::remove_dir_all(experiment_folder(&project, &plan("flash").id)).unwrap();
    let ids: Vec<String> = list_with_cache(&project)
        .unwrap()
        .summaries
        .iter()
        .map(|summary| summary.id.to_string())
        .collect();
    assert_eq!(ids, ["other"]);
}
