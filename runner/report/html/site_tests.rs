//! The index of all records.

use super::page_tests::{assert_harmless, hostile, struck};
use super::{SiteRecord, html_index};
use crate::record::Life;
use crate::report::example;

fn listed() -> Vec<SiteRecord> {
    let current = Life::default();
    let gone = struck("the kernel changed");
    let mut older = example::void();
    older.provenance.start.utc = "2026-01-02T03:04:05Z".to_owned();
    vec![
        SiteRecord::of(&older, &gone, "void/1.html"),
        SiteRecord::of(&example::win(), &current, "win/1.html"),
        SiteRecord::of(&example::parked_ladder(), &current, "ladder/1.html"),
    ]
}

#[test]
fn the_whole_list_is_there_without_a_script() {
    let page = html_index(&listed(), &example::summaries()).unwrap();
    for text in [
        "<a href=\"void/1.html\">",
        "<a href=\"win/1.html\">",
        "3 records with 5 comparisons",
        "data-verdict=\" void \"",
        "data-verdict=\" loss parked win \"",
        "<strong>struck</strong>: this record was struck on 2026-12-01: the kernel changed",
        "contract broken",
        "<strong>never-run</strong>",
        "2026-01-02 03:04 UTC",
    ] {
        assert!(page.contains(text), "{text:?} is missing:\n{page}");
    }
    // shown by the script that serves it
    assert!(
        page.contains("<form class=\"filter\" id=\"filter\" role=\"search\" hidden>"),
        "{page}"
    );
    let newest = page.find("win/1.html").unwrap();
    assert!(newest < page.find("void/1.html").unwrap(), "not newest first");
}

#[test]
fn what_can_be_chosen_is_what_is_there() {
    let page = html_index(&listed(), &[]).unwrap();
    for (name, value) in [("verdict", "void"), ("state", "struck"), ("state", "current")] {
        let (_, select) = page.split_once(&format!("data-by=\"{name}\"")).unwrap();
        let (options, _) = select.split_once("</select>").unwrap();
        assert!(options.contains(&format!("<option value=\"{value}\">")), "{options}");
        assert!(!options.contains("superseded") && !options.contains("refused"), "{options}");
    }
}

#[test]
fn no_text_of_a_record_becomes_markup_in_the_index() {
    let hostile = hostile();
    let state = struck(&hostile.plan.title);
    let mut summaries = example::summaries();
    for summary in &mut summaries {
        summary.title = hostile.plan.title.clone();
    }
    let records = [SiteRecord::of(&hostile, &state, "a/b.html")];
    let page = html_index(&records, &summaries).unwrap();
    assert_harmless(&page, 1);
    assert!(page.matches("alert(1)").count() > 8, "{page}");
}

#[test]
fn an_empty_project_has_an_index() {
    let page = html_index(&[], &[]).unwrap();
    assert!(page.contains("0 records with 0 comparisons"), "{page}");
}
