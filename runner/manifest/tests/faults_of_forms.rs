//! Forms of the model: in every arm, in one arm, and as rungs.

use engine_protocol::Form;
use insta::assert_snapshot;

use super::support::{GOOD, altered, codes, plan, shown};
use crate::manifest::question_key;

/// The good manifest whose treatment differs by its form alone.
fn by_form(engine: &str, off_again: &str, treatment: &str) -> Vec<(&'static str, String)> {
    vec![
        ("context_tokens = 1024", format!("context_tokens = 1024{engine}")),
        ("role = \"aa\"", format!("role = \"aa\"{off_again}")),
        ("threads = 2", treatment.to_owned()),
    ]
}

fn borrowed<'text>(changes: &'text [(&'static str, String)]) -> Vec<(&'text str, &'text str)> {
    changes.iter().map(|(old, new)| (*old, new.as_str())).collect()
}

#[test]
fn a_form_holds_for_all_arms_and_an_arms_own_over_it() {
    let changes = by_form("\nform = \"f16\"", "", "form = \"q8_0\"");
    let plan = plan(&altered(&borrowed(&changes)));
    let forms: Vec<_> = plan.arms.iter().map(|arm| plan.form_of(arm)).collect();
    assert_eq!(forms, [Some(Form::F16), Some(Form::F16), Some(Form::Q8_0)]);
}

#[test]
fn a_form_that_is_none() {
    let changes = by_form("", "", "form = \"q8-0\"");
    assert_snapshot!(shown(&borrowed(&changes)), @r##"
    error[unknown-value]: `form` cannot be "q8-0"
      --> m.toml:29:8
       |
    29 | form = "q8-0"
       |        ^^^^^^ one of "f32", "f16", "bf16", "q8_0", "q6_k", "q5_k", "q5_1", "q5_0", "q4_k", "q4_1", "q4_0", "iq4_nl"
       |
       = help: did you mean `form = "q8_0"`?

    m.toml: 1 error
    "##);
}

#[test]
fn a_form_equal_to_offs_and_an_aa_arm_in_another() {
    let changes = by_form("\nform = \"f16\"", "", "form = \"f16\"");
    assert_snapshot!(shown(&borrowed(&changes)), @r#"
    error[arm-equals-off]: `two` does the same as `off`
      --> m.toml:28:8
       |
    20 | name = "off"
       |        ----- the same settings, worker and form are in force here
    ...
    28 | name = "two"
       |        ^^^^^
       |
       = help: give it a setting or a worker of its own, or, if it is `off` again, `role = "aa"`

    m.toml: 1 error
    "#);
    let changes = by_form("", "\nform = \"f16\"", "threads = 2");
    assert!(shown(&borrowed(&changes)).contains("is `aa`, but differs from `off` in `form`"));
}

const LADDER: (&str, &str) = (
    "[metric]",
    "[ladder]\nsetting = \"form\"\nrungs = [\"q8_0\", \"q4_0\"]\ncontract.identical.of = \"tokens\"\n[metric]",
);

#[test]
fn rungs_may_be_forms_and_off_may_have_one_of_its_own() {
    let ladder = plan(&altered(&[LADDER]));
    let rungs: Vec<_> = ladder.arms[3..].iter().map(|arm| (arm.name.as_str(), arm.form)).collect();
    assert_eq!(rungs, [("form=q8_0", Some(Form::Q8_0)), ("form=q4_0", Some(Form::Q4_0))]);
    let own = ("role = \"off\"", "role = \"off\"\nform = \"f16\"");
    let again = ("role = \"aa\"", "role = \"aa\"\nform = \"f16\"");
    assert_eq!(plan(&altered(&[LADDER, own, again])).ladder.unwrap().setting, "form");
    let threads = LADDER.1.replace("\"form\"", "\"threads\"").replace("\"q8_0\", \"q4_0\"", "3, 4");
    assert_eq!(codes(&[("[metric]", &threads), own, again]), ["confounded-ladder"]);
}

#[test]
fn rungs_that_are_no_forms() {
    let rungs = LADDER.1.replace("\"q4_0\"", "\"q4\", 4");
    assert_eq!(codes(&[("[metric]", &rungs)]), ["unknown-value", "unknown-value"]);
    let near = LADDER.1.replace("setting = \"form\"", "setting = \"forms\"");
    assert!(shown(&[("[metric]", &near)]).contains("did you mean `setting = \"form\"`?"));
}

#[test]
fn a_form_is_of_the_question() {
    let without = question_key(&plan(GOOD));
    let key = |engine: &str, treatment: &str| {
        question_key(&plan(&altered(&borrowed(&by_form(engine, "", treatment)))))
    };
    let q8 = key("", "threads = 2\nform = \"q8_0\"");
    assert_ne!(without, q8);
    assert_ne!(q8, key("", "threads = 2\nform = \"q4_0\""));
    assert_ne!(without, key("\nform = \"f16\"", "threads = 2"));
}
