//! Slices of the model, what is claimed of them, and what is cited.

use super::support::{GOOD, altered, codes, plan, shown, try_read};
use crate::manifest::{ExperimentId, question_key, scope_differences};

const SLICED: (&str, &str) = ("context_tokens = 1024", "context_tokens = 1024\nlayers = 4");

fn regime(keys: &str) -> (&'static str, String) {
    ("[engine]", format!("[regime]\n{keys}\n\n[engine]"))
}

fn citing(record: &str) -> String {
    let cited = format!("[[prior_art]]\nrecord = \"{record}\"\nscope = \"s\"\n\n[engine]");
    altered(&[("[engine]", &cited)])
}

/// Codes and texts of the warnings of what must be right.
fn warnings(source: &str) -> Vec<(&'static str, String)> {
    let list = try_read(source).unwrap().warnings.list;
    list.into_iter().map(|warning| (warning.code.text, warning.message)).collect()
}

#[test]
fn layers_hold_for_all_arms_and_are_of_the_question() {
    let sliced = plan(&altered(&[SLICED]));
    assert!(sliced.arms.iter().all(|arm| sliced.layers_of(arm) == Some(4)));
    let fewer = plan(&altered(&[(SLICED.0, "context_tokens = 1024\nlayers = 2")]));
    let keys = [plan(GOOD), sliced, fewer].map(|plan| question_key(&plan));
    assert!(keys[0] != keys[1] && keys[1] != keys[2] && keys[0] != keys[2]);
}

#[test]
fn l23_an_arm_that_skips_layers_is_no_treatment() {
    let fewer = [("threads = 2\n", "layers = 2\n")];
    assert_eq!(codes(&fewer), ["layers-differ"]);
    let words = shown(&fewer);
    assert!(words.contains("`two` runs the first 2 layers, and `off` all layers"), "{words}");
    let other = [SLICED, ("threads = 2\n", "threads = 2\nlayers = 3\n")];
    assert_eq!(codes(&other), ["layers-differ"]);
    assert_eq!(codes(&[("role = \"aa\"", "role = \"aa\"\nlayers = 2")]), ["aa-differs"]);
    assert_eq!(codes(&[("role = \"off\"", "role = \"off\"\nlayers = 2")]).len(), 2);
    for role in ["ceiling", "control"] {
        let arm = format!("[[arm]]\nname = \"less\"\nrole = \"{role}\"\nlayers = 2\n\n[metric]");
        let plan = plan(&altered(&[("[metric]", &arm)]));
        assert_eq!(plan.arms.last().unwrap().layers, Some(2));
    }
}

#[test]
fn numbers_of_layers_that_are_none() {
    assert_eq!(codes(&[(SLICED.0, "context_tokens = 1024\nlayers = 0")]), ["out-of-range"]);
    assert_eq!(codes(&[(SLICED.0, "context_tokens = 1024\nlayers = \"4\"")]), ["wrong-type"]);
}

#[test]
fn l23_a_claim_outside_its_regime_is_refused() {
    let (place, whole) = regime("claims = \"whole_model\"");
    assert_eq!(codes(&[SLICED, (place, &whole)]), ["claim-outside-regime"]);
    let words = shown(&[SLICED, (place, &whole)]);
    assert!(words.contains("the arms run its first 4 layers"), "{words}");
    plan(&altered(&[(place, &whole)]));
    let file = format!("model_file = \"there\"\nmodel_sha256 = \"{}\"", "a".repeat(64));
    let own = [("model = \"builtin-tiny\"", file.as_str()), (place, &whole)];
    assert_eq!(codes(&own), ["claim-outside-regime"]);
    let (place, slice) = regime("claims = \"slice\"");
    assert_eq!(codes(&[(place, &slice)]), ["claim-outside-regime"]);
    plan(&altered(&[SLICED, (place, &slice)]));
}

#[test]
fn only_a_slice_predicts_and_nothing_predicts_itself() {
    let (place, predicts) = regime("predicts = \"the-whole\"");
    assert_eq!(codes(&[(place, &predicts)]), ["predicts-nothing"]);
    let (_, itself) = regime("predicts = \"good\"");
    assert_eq!(codes(&[SLICED, (place, &itself)]), ["predicts-nothing"]);
    let sliced = altered(&[SLICED, (place, &predicts)]);
    let whole = ExperimentId::try_from("the-whole".to_owned()).unwrap();
    assert_eq!(plan(&sliced).predicts(), Some(&whole));
    assert_eq!(warnings(&sliced), []);
    assert_eq!(plan(&altered(&[(place, "[regime]\n\n[engine]")])).regime, None);
}

#[test]
fn what_is_predicted_must_differ_in_its_layers_alone() {
    let of = |id: &str| {
        let (place, predicts) = regime(&format!("predicts = \"{id}\""));
        warnings(&altered(&[SLICED, (place, &predicts)]))
    };
    let [(code, words)] = of("another-whole").try_into().unwrap();
    assert_eq!(code, "other-scope");
    assert!(words.contains("in more than its layers: threads 4 there, 1 here"), "{words}");
    let [(code, _)] = of("not-here").try_into().unwrap();
    assert_eq!(code, "unknown-record");
}

#[test]
fn l22_a_record_of_another_scope_is_cited_with_a_warning() {
    assert_eq!(warnings(&citing("the-whole")), []);
    assert_eq!(warnings(&citing("earlier/20261101-100000")), []);
    let [(code, words)] = warnings(&citing("a-slice/20261101-100000")).try_into().unwrap();
    assert_eq!(code, "other-scope");
    assert!(words.ends_with("layers the first 4 there, all here"), "{words}");
    let [(code, words)] = warnings(&citing("lookups/20261109-100000")).try_into().unwrap();
    assert_eq!(code, "other-scope");
    assert!(words.contains("treatments ") && words.ends_with("threads=2 here"), "{words}");
    assert!(words.contains("draft_source=prompt_lookup, draft_tokens=4"), "{words}");
    let codes = ["none/20261101-100000", "no id", "torn/20261105-100000"]
        .map(|record| warnings(&citing(record)).remove(0).0);
    assert_eq!(codes, ["unknown-record"; 3]);
}

#[test]
fn a_scope_covers_what_is_asked_or_not() {
    let one = plan(GOOD);
    assert_eq!(scope_differences(&one, &one), []);
    let condition = "[condition]\nsetting = \"depth_tokens\"\nvalues = [0, 128]\n\n[metric]";
    let deep = plan(&altered(&[("[metric]", condition)]));
    assert_eq!(scope_differences(&one, &deep), []);
    let differences = scope_differences(&deep, &one);
    assert_eq!(differences.len(), 1);
    assert_eq!((differences[0].what, differences[0].here.as_str()), ("depth_tokens", "0 and 128"));
}
