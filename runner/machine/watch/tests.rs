use std::collections::BTreeSet;

use super::*;
use crate::machine::fixture::Fixture;
use crate::machine::reading::Reading;

fn at(seconds: f64) -> Clocks {
    let nanoseconds = (seconds * 1e9) as u64;
    Clocks {
        monotonic_nanoseconds: nanoseconds,
        boottime_nanoseconds: Some(nanoseconds),
        utc_nanoseconds: Some(1_700_000_000_000_000_000 + nanoseconds),
    }
}

fn own() -> BTreeSet<u32> {
    BTreeSet::from([100])
}

/// Ours are 100 and its child 101, others are 200 and 201.
fn busy_machine() -> Fixture {
    let fixture = Fixture::new();
    fixture
        .cpu(1000, 50)
        .process(100, 1, "runner", 10, 20)
        .process(101, 100, "engine (worker)", 300, 0)
        .process(200, 1, "cc1plus", 40, 0)
        .process(201, 1, "idle one", 5, 0)
        .pressure(1_000_000)
        .memory(7, 0);
    fixture
}

#[test]
fn our_own_tree_is_taken_off_and_the_rest_has_a_name() {
    let fixture = busy_machine();
    let before = Snapshot::take(&fixture.root(), at(10.0), &own());
    // 2 s: 400 ticks in all, of which the worker had 290 and cc1plus 100.
    fixture
        .cpu(1400, 54)
        .process(101, 100, "engine (worker)", 590, 0)
        .process(200, 1, "cc1plus", 140, 0)
        .pressure(1_500_000)
        .memory(10, 0);
    let watch = Watch::between(&before, &Snapshot::take(&fixture.root(), at(12.0), &own()));
    assert_eq!(watch.others_cpu_percent, Reading::Known(55.0));
    assert_eq!(watch.resolution_percent, Reading::Known(1.5));
    assert_eq!(watch.pressure_percent, Reading::Known(25.0));
    assert_eq!(watch.steal_percent, Reading::Known(2.0));
    assert_eq!(watch.context_switches_per_second, Reading::Known(2000.0));
    assert_eq!(watch.major_faults, Reading::Known(3));
    assert_eq!(watch.swapped_pages, Reading::Known(0));
    assert_eq!(watch.suspended_milliseconds, Reading::Known(0.0));
    let foreign: Vec<(&str, f64)> =
        watch.foreign.iter().map(|other| (other.name.as_str(), other.cpu_percent)).collect();
    assert_eq!(foreign, [("cc1plus", 50.0)]);
}

#[test]
fn a_worker_that_ends_and_is_waited_for_stays_ours() {
    let fixture = busy_machine();
    let before = Snapshot::take(&fixture.root(), at(10.0), &own());
    fixture.remove("proc/101");
    fixture.cpu(1100, 50).process(100, 1, "runner", 10, 420);
    let watch = Watch::between(&before, &Snapshot::take(&fixture.root(), at(11.0), &own()));
    assert_eq!(watch.others_cpu_percent, Reading::Known(0.0));
}

#[test]
fn a_worker_that_vanishes_makes_the_reading_unknown() {
    let fixture = busy_machine();
    let before = Snapshot::take(&fixture.root(), at(10.0), &own());
    fixture.remove("proc/101");
    fixture.cpu(1100, 50);
    let watch = Watch::between(&before, &Snapshot::take(&fixture.root(), at(11.0), &own()));
    assert!(watch.others_cpu_percent.known().is_none());
}

#[test]
fn a_number_that_was_given_to_a_new_process_is_not_taken_for_the_old_one() {
    let fixture = busy_machine();
    let before = Snapshot::take(&fixture.root(), at(10.0), &own());
    let line = "200 (later) S 1 1 1 0 -1 0 0 0 0 0 30 0 0 0 20 0 1 0 9999 0\n";
    fixture.file("proc/200/stat", line);
    let watch = Watch::between(&before, &Snapshot::take(&fixture.root(), at(11.0), &own()));
    assert_eq!(watch.foreign[0].cpu_percent, 30.0);
}

#[test]
fn sleep_is_the_boot_clock_less_the_monotonic_one() {
    let fixture = busy_machine();
    let before = Snapshot::take(&fixture.root(), at(10.0), &own());
    let mut later = at(11.0);
    later.boottime_nanoseconds = later.boottime_nanoseconds.map(|time| time + 5_000_000_000);
    let watch = Watch::between(&before, &Snapshot::take(&fixture.root(), later, &own()));
    assert_eq!(watch.suspended_milliseconds, Reading::Known(5000.0));
}

#[test]
fn what_cannot_be_read_is_unknown_and_never_zero() {
    let fixture = Fixture::new();
    let before = Snapshot::take(&fixture.root(), at(1.0), &own());
    let watch = Watch::between(&before, &Snapshot::take(&fixture.root(), at(2.0), &own()));
    for reading in [
        &watch.others_cpu_percent,
        &watch.pressure_percent,
        &watch.steal_percent,
        &watch.context_switches_per_second,
    ] {
        assert!(reading.known().is_none());
    }
    assert!(watch.swapped_pages.known().is_none());
    // A hypervisor that reports no steal at all.
    let fixture = busy_machine();
    fixture.cpu(10, 0);
    let before = Snapshot::take(&fixture.root(), at(1.0), &own());
    let watch = Watch::between(&before, &Snapshot::take(&fixture.root(), at(2.0), &own()));
    assert!(watch.steal_percent.known().is_none());
}

#[test]
fn a_window_of_no_length_has_no_rates() {
    let fixture = busy_machine();
    let snapshot = Snapshot::take(&fixture.root(), at(1.0), &own());
    let watch = Watch::between(&snapshot, &snapshot);
    assert!(watch.others_cpu_percent.known().is_none());
    assert!(watch.foreign.is_empty());
}

#[test]
fn by_lists_of_children_only_our_own_tree_is_read_and_the_rest_is_still_told() {
    let fixture = busy_machine();
    fixture
        .file("proc/100/task/100/children", "101 \n")
        .file("proc/101/task/101/children", "\n")
        .file("proc/101/task/105/children", "\n");
    let take = |clocks| Snapshot::take_quickly(&fixture.root(), clocks, &own());
    let before = take(at(10.0));
    fixture
        .cpu(1400, 54)
        .process(101, 100, "engine (worker)", 590, 0)
        .process(200, 1, "cc1plus", 140, 0);
    let watch = Watch::between(&before, &take(at(12.0)));
    assert_eq!(watch.others_cpu_percent, Reading::Known(55.0));
    assert_eq!(watch.foreign, []);
    // a kernel without such lists
    fixture.folder("proc/101/task/106");
    let watch = Watch::between(&before, &take(at(12.0)));
    assert_eq!(watch.others_cpu_percent, Reading::Known(55.0));
}
