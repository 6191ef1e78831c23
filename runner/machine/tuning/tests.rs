use super::*;
use crate::machine::fixture::Fixture;

const CPU: &str = "sys/devices/system/cpu";

fn machine() -> Fixture {
    let fixture = Fixture::new();
    for number in 0..12 {
        let governor = if number == 10 { "schedutil\n" } else { "powersave\n" };
        fixture.file(&format!("{CPU}/cpu{number}/cpufreq/scaling_governor"), governor);
    }
    fixture.file(&format!("{CPU}/intel_pstate/no_turbo"), "0\n");
    fixture
}

fn text(fixture: &Fixture, path: &str) -> String {
    std::fs::read_to_string(fixture.root().path(path)).unwrap()
}

#[test]
fn what_is_applied_twice_goes_back_to_what_was_first() {
    let fixture = machine();
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("machine/old-values.json");
    let applied = apply(&fixture.root(), &journal).unwrap();
    assert_eq!((applied.changed.len(), applied.refused.len(), applied.already), (13, 0, 0));
    assert_eq!(text(&fixture, &format!("{CPU}/cpu10/cpufreq/scaling_governor")), "performance");
    assert_eq!(text(&fixture, &format!("{CPU}/intel_pstate/no_turbo")), "1");
    let first = std::fs::read_to_string(&journal).unwrap();

    // somebody changes one of them, and it is applied again
    fixture.file(&format!("{CPU}/cpu10/cpufreq/scaling_governor"), "ondemand\n");
    let applied = apply(&fixture.root(), &journal).unwrap();
    assert_eq!((applied.changed.len(), applied.already), (1, 12));
    assert_eq!(std::fs::read_to_string(&journal).unwrap(), first);

    let came_of_it = restore(&fixture.root(), &journal).unwrap();
    assert_eq!((came_of_it.restored.len(), came_of_it.refused.len()), (13, 0));
    assert_eq!(text(&fixture, &format!("{CPU}/cpu0/cpufreq/scaling_governor")), "powersave\n");
    assert_eq!(text(&fixture, &format!("{CPU}/cpu10/cpufreq/scaling_governor")), "schedutil\n");
    assert_eq!(text(&fixture, &format!("{CPU}/intel_pstate/no_turbo")), "0\n");
    assert!(!journal.exists());
    assert_eq!(restore(&fixture.root(), &journal).unwrap().restored, [""; 0]);
}

#[test]
fn a_journal_that_is_damaged_or_points_elsewhere_stops_everything() {
    let fixture = machine();
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("old-values.json");
    let elsewhere = r#"{"format":1,"values":[{"path":"sys/../etc/passwd","before":"x"}]}"#;
    let newer = r#"{"format":2,"values":[]}"#;
    for text in ["{", "", elsewhere, newer] {
        std::fs::write(&journal, text).unwrap();
        assert!(apply(&fixture.root(), &journal).is_err(), "{text}");
        assert!(restore(&fixture.root(), &journal).is_err(), "{text}");
        assert_eq!(std::fs::read_to_string(&journal).unwrap(), text);
    }
    let governor = format!("{CPU}/cpu0/cpufreq/scaling_governor");
    assert_eq!(text(&fixture, &governor), "powersave\n");
}
