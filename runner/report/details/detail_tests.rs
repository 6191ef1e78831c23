//! What details hold, and what never breaks them.

use super::super::example::{described, win};
use super::super::{Detail, Style, markdown_table, record_json, terminal_table};
use crate::verdict::LookOutcome;

#[test]
fn a_record_of_the_first_rules_has_no_details() {
    let record = win();
    let text = |detail| terminal_table(&record, 80, Style::Plain, detail);
    assert_eq!(text(Detail::Short), text(Detail::All));
    assert!(!markdown_table(&record).contains("## Details"));
    assert!(record_json(&record)["figures"]["comparisons"][0].get("description").is_none());
}

#[test]
fn no_line_of_details_is_wider_than_the_terminal() {
    let mut record = described();
    record.sealed.analysis.comparisons[0].condition = "prefill_tokens=131072".to_owned();
    for width in [60, 80, 100, 200] {
        let text = terminal_table(&record, width, Style::Plain, Detail::All);
        for line in text.lines() {
            assert!(line.chars().count() <= width, "{width}: {line}");
        }
    }
}

#[test]
fn what_should_make_a_reader_careful_is_a_warning_in_short_too() {
    let mut record = described();
    let comparison = &mut record.sealed.analysis.comparisons[0];
    let course = comparison.description.as_mut().unwrap().course.as_mut().unwrap();
    course.places_p = Some(0.000_2);
    course.lag_1 = Some(0.93);
    let shift = course.shift.as_mut().unwrap();
    shift.size = 0.11;
    let text = terminal_table(&record, 200, Style::Plain, Detail::Short);
    let warnings: Vec<&str> =
        text.lines().filter_map(|line| line.trim().strip_prefix("warning: ")).collect();
    assert_eq!(
        warnings,
        [
            "the log ratio drifts by +1.2 % over the run, p 0.0030",
            "off's own speed shifts by +11.6 % after 12 blocks, p < 0.0001 over rounds: \
             warm-up had not ended when the run began",
            "neighbouring rounds are alike (correlation 0.93), so 8 units are worth 6.3: the \
             interval is too narrow",
            "the place within a chunk matters: fastest over slowest +0.8 %, p 0.0002",
        ]
    );
}

#[test]
fn of_a_class_of_inputs_other_estimators_are_not_compared() {
    let mut record = described();
    let comparison = &mut record.sealed.analysis.comparisons[0];
    let others = &mut comparison.description.as_mut().unwrap().estimators[1..];
    others.iter_mut().for_each(|figure| figure.decision = None);
    let text = terminal_table(&record, 200, Style::Plain, Detail::All);
    let sentence = "estimators: the registered one decides win; the others are not compared: these \
                    intervals do not allow for the choice of inputs";
    assert!(text.contains(sentence), "{text}");
    assert!(!text.contains("disagree") && !text.contains("agree with the registered"), "{text}");
    let row = |name: &str| text.lines().find(|line| line.trim().starts_with(name)).unwrap();
    assert!(row("mean rounds").ends_with("not compared"));
    assert!(row("BCa bootstrap rounds").ends_with("nothing"), "it has no interval");
    assert!(row("trimmed rounds (registered)").ends_with("win"));
    let json = record_json(&record);
    let listed = &json["figures"]["comparisons"][0]["description"]["estimators"];
    assert!(listed[1]["decision_reason"].as_str().unwrap().starts_with("not compared"));
    assert!(listed[3]["decision_reason"].as_str().unwrap().starts_with("too few"));
}

#[test]
fn a_calm_course_warns_of_nothing() {
    let mut record = described();
    let comparison = &mut record.sealed.analysis.comparisons[0];
    let course = comparison.description.as_mut().unwrap().course.as_mut().unwrap();
    course.trend_p = Some(0.01);
    course.shift = None;
    course.lag_1 = Some(-0.95);
    let text = terminal_table(&record, 200, Style::Plain, Detail::All);
    assert!(!text.contains("warning"), "{text}");
    assert!(text.contains("shift: none found"));
}

#[test]
fn a_hostile_name_stays_within_its_heading() {
    let mut record = described();
    record.sealed.analysis.comparisons[0].arm = "a|b\n```\n# x".to_owned();
    let text = markdown_table(&record);
    assert!(text.contains("## Details of a\\|b \\`\\`\\` \\# x"), "{text}");
    assert!(!text.lines().any(|line| line.starts_with("# x")));
    let fences = text.lines().filter(|line| line.starts_with("```")).count();
    assert_eq!(fences, 2);
}

#[test]
fn of_many_looks_the_open_ones_in_the_middle_are_counted() {
    let mut record = described();
    let looks = &mut record.sealed.analysis.comparisons[0].looks;
    let first = looks[0].clone();
    *looks = (0..40)
        .map(|place| crate::verdict::LookFigure { look: place + 1, ..first.clone() })
        .collect();
    looks[20].outcome = LookOutcome::Futile;
    let text = terminal_table(&record, 200, Style::Plain, Detail::Short);
    let shown: Vec<&str> = text.lines().filter(|line| line.contains("look")).collect();
    let starts: Vec<String> =
        shown.iter().map(|line| line.trim().chars().take(14).collect()).collect();
    assert_eq!(
        starts,
        [
            "look 1: 8 roun",
            "19 more looks,",
            "look 21: 8 rou",
            "16 more looks,",
            "look 38: 8 rou",
            "look 39: 8 rou",
            "look 40: 8 rou",
            "corrected for ",
            "every pair, es"
        ]
    );
}

#[test]
fn json_holds_the_whole_description_with_a_reason_beside_each_null() {
    let mut record = described();
    let comparison = &mut record.sealed.analysis.comparisons[0];
    let description = comparison.description.as_mut().unwrap();
    description.outliers = None;
    description.rounds[0].blocks.clear();
    description.rounds[1].blocks[0] = f64::INFINITY;
    let json = record_json(&record);
    let figures = &json["figures"]["comparisons"][0];
    let described = &figures["description"];
    assert!(described["outliers"].is_null());
    assert_eq!(described["outliers_reason"], "no spread beyond what the clock resolves");
    assert!(described["rounds"][0]["blocks"].is_null());
    assert!(described["rounds"][0]["blocks_reason"].is_string());
    assert_eq!(described["rounds"][2]["blocks"].as_array().unwrap().len(), 6);
    let bca = &described["estimators"][3];
    assert_eq!(bca["estimator"], "bca_rounds");
    assert!(bca["lo"].is_null() && bca["reason"].is_string() && bca["decision_reason"].is_string());
    assert_eq!(described["estimators"][1]["decision"], "undecided");
    assert_eq!(figures["looks"][0]["outcome"], "go_on");
    assert!(figures["looks"][1]["chance_of_decision_reason"].is_string());
    assert_eq!(described["course"]["shift"]["series"], "off");
    assert!(described["tests"][2]["p"].is_null());
    assert!(!serde_json::to_string(&json).unwrap().contains("NaN"));
}
