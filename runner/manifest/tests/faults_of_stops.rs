//! Faults of stopping rules.

use insta::assert_snapshot;

use super::support::{altered, codes, plan, shown};
use crate::manifest::{Spending, Stop};

const FIXED: &str = "[stop.fixed]\ncap_minutes = 20";

/// A group-sequential rule over twelve rounds in place of the fixed one.
fn sequential(looks: &str, rest: &str) -> String {
    format!("[stop.group_sequential]\nlooks_at_rounds = {looks}\n{rest}\ncap_minutes = 20")
}

fn shown_with(rule: &str) -> String {
    shown(&[(FIXED, rule)])
}

fn codes_with(rule: &str) -> Vec<&'static str> {
    codes(&[(FIXED, rule)])
}

fn plan_with(rounds: u32, rule: &str) -> Stop {
    plan(&altered(&[("rounds = 12", &format!("rounds = {rounds}")), (FIXED, rule)])).stop
}

const NAMED: &str = "spending = \"pocock\"";

#[test]
fn two_rules_or_none() {
    assert_snapshot!(shown(&[(
        "[stop.fixed]",
        "[stop.confidence_sequence]\ncap_minutes = 5\n[stop.fixed]",
    )]), @r#"
    error[exclusive-keys]: `[stop.fixed]` and `[stop.confidence_sequence]` exclude each other
      --> m.toml:45:7
       |
    45 | [stop.confidence_sequence]
       |       ^^^^^^^^^^^^^^^^^^^
    46 | cap_minutes = 5
    47 | [stop.fixed]
       |       ----- the other one
       |
       = help: one rule says when to stop: leave one of them out

    m.toml: 1 error
    "#);
    assert_snapshot!(shown_with("[stop]"), @r#"
    error[missing-table]: `[stop]` does not say when to stop
      --> m.toml:45:1
       |
    45 | [stop]
       | ^^^^^^
       |
       = help: add `[stop.fixed]` with `cap_minutes = 20`; or `[stop.group_sequential]` or `[stop.confidence_sequence]` to stop early

    m.toml: 1 error
    "#);
    assert_snapshot!(shown_with(""), @r#"
    error[missing-table]: the table `[stop]` is missing
     --> m.toml:1:1
      |
    1 | schema = 1
      | ^^^^^^^^^^
      |
      = help: add, for example:
              [stop.fixed]
              cap_minutes = 20

    m.toml: 1 error
    "#);
    let all = "[stop.confidence_sequence]\ncap_minutes = 5\n[stop.group_sequential]\nlooks_at_rounds = [8, 12]\nspending = \"pocock\"\ncap_minutes = 1\n[stop.fixed]";
    assert_eq!(codes(&[("[stop.fixed]", all)]), ["exclusive-keys", "exclusive-keys"]);
}

#[test]
fn looks_out_of_order_or_twice() {
    assert_snapshot!(shown_with(&sequential("[8, 10, 9, 9, 12]", NAMED)), @r#"
    error[bad-looks]: a look at 9 rounds cannot follow one at 10
      --> m.toml:46:27
       |
    46 | looks_at_rounds = [8, 10, 9, 9, 12]
       |                       --  ^ this look
       |                       |
       |                       the one before
       |
       = help: looks increase: write them in the order in which they come

    error[duplicate-value]: the look at 9 rounds occurs twice
      --> m.toml:46:30
       |
    46 | looks_at_rounds = [8, 10, 9, 9, 12]
       |                           -  ^ this look
       |                           |
       |                           the one before
       |
       = help: looks increase: write them in the order in which they come

    m.toml: 2 errors
    "#);
}

#[test]
fn looks_that_come_too_early_or_miss_the_last_round() {
    assert_snapshot!(shown_with(&sequential("[4, 12]", NAMED)), @r#"
    error[bad-looks]: a look at 4 rounds comes too early
      --> m.toml:46:20
       |
    46 | looks_at_rounds = [4, 12]
       |                    ^ at least 8
       |
       = help: under 8 rounds the spread is not known well enough to stop by; write, for example, `looks_at_rounds = [8, 12]`

    m.toml: 1 error
    "#);
    assert_snapshot!(shown_with(&sequential("[8, 10]", NAMED)), @r#"
    error[bad-looks]: the last look leaves rounds unseen: it is at 10, and the design has 12
      --> m.toml:46:23
       |
    41 | rounds = 12
       |          -- rounds
    ...
    46 | looks_at_rounds = [8, 10]
       |                       ^^ last look
       |
       = help: end the list with 12, or write `rounds = 10`

    m.toml: 1 error
    "#);
    assert_snapshot!(shown_with(&sequential("[8, 16]", NAMED)), @r#"
    error[bad-looks]: the last look comes after the last round: it is at 16, and the design has 12
      --> m.toml:46:23
       |
    41 | rounds = 12
       |          -- rounds
    ...
    46 | looks_at_rounds = [8, 16]
       |                       ^^ last look
       |
       = help: end the list with 12, or write `rounds = 16`

    m.toml: 1 error
    "#);
    assert_snapshot!(
        shown(&[("rounds = 12", "rounds = 4"), (FIXED, &sequential("[4]", NAMED))]),
        @r#"
    error[bad-looks]: a single look stops nothing early
      --> m.toml:46:20
       |
    46 | looks_at_rounds = [4]
       |                    ^
       |
       = help: add a look before the last, or write `[stop.fixed]` with `cap_minutes`

    error[bad-looks]: a look at 4 rounds comes too early
      --> m.toml:46:20
       |
    46 | looks_at_rounds = [4]
       |                    ^ at least 8
       |
       = help: under 8 rounds the spread is not known well enough to stop by; write, for example, `rounds = 16` and `looks_at_rounds = [8, 16]`

    m.toml: 2 errors
    "#
    );
}

#[test]
fn one_look_or_too_many() {
    assert_snapshot!(shown_with(&sequential("[12]", NAMED)), @r#"
    error[bad-looks]: a single look stops nothing early
      --> m.toml:46:20
       |
    46 | looks_at_rounds = [12]
       |                    ^^
       |
       = help: add a look before the last, or write `[stop.fixed]` with `cap_minutes`

    m.toml: 1 error
    "#);
    let eleven = "[8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18]";
    let changes = [("rounds = 12", "rounds = 18"), (FIXED, &*sequential(eleven, NAMED))];
    assert_snapshot!(shown(&changes), @r#"
    error[bad-looks]: 11 looks; a rule has 10 at most
      --> m.toml:46:19
       |
    46 | looks_at_rounds = [8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18]
       |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: take fewer: each look widens the interval of all, or `[stop.confidence_sequence]`

    m.toml: 1 error
    "#);
    let ten = "[9, 10, 11, 12, 13, 14, 15, 16, 17, 18]";
    plan_with(18, &sequential(ten, NAMED));
}

#[test]
fn looks_that_are_no_numbers_of_rounds() {
    assert_eq!(codes_with(&sequential("[]", NAMED)), ["empty-list"]);
    assert_snapshot!(shown_with(&sequential("[1000000000, 12]", NAMED)), @r#"
    error[out-of-range]: `looks_at_rounds` cannot be 1000000000
      --> m.toml:46:20
       |
    46 | looks_at_rounds = [1000000000, 12]
       |                    ^^^^^^^^^^ at most 10000
       |
       = help: it is a whole number, 1 to 10000, for example `looks_at_rounds = [8, 16]`

    m.toml: 1 error
    "#);
    for looks in ["[0, 12]", "[-8, 12]", "[99999999999999999999, 12]"] {
        assert_eq!(codes_with(&sequential(looks, NAMED)), ["out-of-range"], "{looks}");
    }
    for looks in ["[8.5, 12]", "[nan, 12]", "[\"8\", 12]", "12", "[[8], 12]"] {
        assert_eq!(codes_with(&sequential(looks, NAMED)), ["wrong-type"], "{looks}");
    }
}

#[test]
fn spending_both_ways_or_neither() {
    let both = "spending = \"pocock\"\nspent_percent = [50, 100]";
    assert_snapshot!(shown_with(&sequential("[8, 12]", both)), @r#"
    error[exclusive-keys]: `spending` and `spent_percent` exclude each other
      --> m.toml:48:1
       |
    47 | spending = "pocock"
       | -------- the other one
    48 | spent_percent = [50, 100]
       | ^^^^^^^^^^^^^
       |
       = help: leave one of them out

    m.toml: 1 error
    "#);
    assert_snapshot!(shown_with(&sequential("[8, 12]", "")), @r#"
    error[missing-key]: `[stop.group_sequential]` does not say how the error is shared out
      --> m.toml:45:1
       |
    45 | [stop.group_sequential]
       | ^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: add `spending = "obrien_fleming"`, or `spent_percent` with one entry a look

    m.toml: 1 error
    "#);
    assert_snapshot!(shown_with(&sequential("[8, 12]", "spending = \"obrien-fleming\"")), @r#"
    error[unknown-value]: `spending` cannot be "obrien-fleming"
      --> m.toml:47:12
       |
    47 | spending = "obrien-fleming"
       |            ^^^^^^^^^^^^^^^^ one of "obrien_fleming", "pocock", "exact_obrien_fleming", "exact_pocock"
       |
       = help: did you mean `spending = "obrien_fleming"`?

    m.toml: 1 error
    "#);
}

#[test]
fn spending_over_alpha() {
    assert_snapshot!(shown_with(&sequential("[8, 12]", "spent_percent = [60, 120]")), @r#"
    error[spending-over-alpha]: 120 % of the error cannot be spent
      --> m.toml:47:22
       |
    47 | spent_percent = [60, 120]
       |                      ^^^ at most 100
       |
       = help: `spent_percent` is cumulative, of the whole error: 100 is all of it, and stands last

    m.toml: 1 error
    "#);
}

#[test]
fn spending_that_falls_stops_short_or_does_not_fit_the_looks() {
    assert_snapshot!(
        shown_with(&sequential("[8, 10, 12]", "spent_percent = [60, 80, 90]")),
        @r#"
    error[bad-spending]: only 90 % of the error is spent at the last look
      --> m.toml:47:26
       |
    47 | spent_percent = [60, 80, 90]
       |                          ^^
       |
       = help: end the list with 100: what is left over would be given away

    m.toml: 1 error
    "#
    );
    assert_snapshot!(shown_with(&sequential("[8, 12]", "spent_percent = [10, 50, 100]")), @r#"
    error[bad-spending]: 2 looks, and 3 entries of what is spent
      --> m.toml:47:17
       |
    46 | looks_at_rounds = [8, 12]
       |                   ------- 2 looks
    47 | spent_percent = [10, 50, 100]
       |                 ^^^^^^^^^^^^^ 3 entries
       |
       = help: write one entry for each look

    m.toml: 1 error
    "#);
    for (spent, codes) in [
        ("[50, 50]", &["bad-spending"][..]),
        ("[60, 40]", &["bad-spending"]),
        ("[60, 80]", &["bad-spending"]),
        ("[100, 100]", &["bad-spending"]),
        ("[0, 100]", &["out-of-range"]),
        ("[-5, 100]", &["out-of-range"]),
        ("[5, 1e300]", &["out-of-range"]),
        ("[nan, 100]", &["not-finite"]),
        ("[5, inf]", &["not-finite"]),
        ("[]", &["empty-list"]),
        ("\"all\"", &["wrong-type"]),
    ] {
        let rule = sequential("[8, 12]", &format!("spent_percent = {spent}"));
        assert_eq!(codes_with(&rule), codes, "{spent}");
    }
}

#[test]
fn futility_that_would_stop_nothing_or_everything() {
    assert_snapshot!(
        shown_with(&sequential("[8, 12]", "spending = \"pocock\"\nfutility_percent = 50")),
        @r#"
    error[out-of-range]: `futility_percent` cannot be 50
      --> m.toml:48:20
       |
    48 | futility_percent = 50
       |                    ^^ above 0, below 50
       |
       = help: write, for example, `futility_percent = 10`

    m.toml: 1 error
    "#
    );
    for percent in ["0", "-1", "100", "1e300"] {
        let rest = format!("spending = \"pocock\"\nfutility_percent = {percent}");
        assert_eq!(codes_with(&sequential("[8, 12]", &rest)), ["out-of-range"], "{percent}");
    }
    assert_eq!(
        codes(&[(FIXED, "[stop.fixed]\ncap_minutes = 20\nfutility_percent = 10")]),
        ["key-in-wrong-table"]
    );
}

#[test]
fn a_confidence_sequence_of_too_few_or_too_many_rounds() {
    let rule = "[stop.confidence_sequence]\ncap_minutes = 20";
    assert_snapshot!(shown_with(rule), @r#"
    error[out-of-range]: a confidence sequence first looks after 20 rounds, and the design has 12
      --> m.toml:41:10
       |
    41 | rounds = 12
       |          ^^ rounds
    ...
    45 | [stop.confidence_sequence]
       | -------------------------- the rule
       |
       = help: write `rounds = 20` or more, or take `[stop.group_sequential]` (8 rounds or more) or `[stop.fixed]`

    m.toml: 1 error
    "#);
    let changes = [("rounds = 12", "rounds = 1001"), (FIXED, rule)];
    assert_snapshot!(shown(&changes), @r#"
    error[out-of-range]: a confidence sequence runs 1000 rounds at most, and the design has 1001
      --> m.toml:41:10
       |
    41 | rounds = 1001
       |          ^^^^ rounds
    ...
    45 | [stop.confidence_sequence]
       | -------------------------- the rule
       |
       = help: write `rounds = 1000` or fewer

    m.toml: 1 error
    "#);
    plan_with(20, rule);
    plan_with(1000, rule);
}

#[test]
fn rules_that_are_right() {
    let rest = "spending = \"exact_obrien_fleming\"\nfutility_percent = 49.9";
    assert_eq!(
        plan_with(16, &sequential("[8, 16]", rest)),
        Stop::GroupSequential {
            looks_at_rounds: vec![8, 16],
            spending: Spending::ExactOBrienFleming,
            futility_percent: Some(49.9),
            cap_minutes: 20.0,
        }
    );
    assert_eq!(
        plan_with(24, &sequential("[8, 9, 24]", "spent_percent = [5, 30.5, 100]")),
        Stop::GroupSequential {
            looks_at_rounds: vec![8, 9, 24],
            spending: Spending::Listed { cumulative_percent: vec![5.0, 30.5, 100.0] },
            futility_percent: None,
            cap_minutes: 20.0,
        }
    );
    for (text, spending) in [
        ("obrien_fleming", Spending::OBrienFleming),
        ("pocock", Spending::Pocock),
        ("exact_pocock", Spending::ExactPocock),
    ] {
        let rule = sequential("[8, 12]", &format!("spending = \"{text}\""));
        let Stop::GroupSequential { spending: found, .. } = plan_with(12, &rule) else {
            panic!("{rule}")
        };
        assert_eq!(found, spending);
    }
    assert_eq!(
        plan_with(20, "[stop.confidence_sequence]\ncap_minutes = 90\nfutility_percent = 5"),
        Stop::ConfidenceSequence { futility_percent: Some(5.0), cap_minutes: 90.0 }
    );
}

/// The language may not name the rule, so its numbers stand there again.
#[test]
fn the_earliest_looks_are_those_of_the_rule() {
    use crate::manifest::rules;
    assert_eq!(rules::looks::EARLIEST_LOOK, crate::rule::EARLIEST_LOOK);
    assert_eq!(rules::stop::EARLIEST_SEQUENCE_LOOK, crate::rule::EARLIEST_SEQUENCE_LOOK);
}
