//! What the sentences name.

use super::test_evidence::{World, evidence};
use super::{ArmForm, ArmSlice, judge, judge_under};
use crate::design::test_plan::{plan, with_depths};
use crate::manifest::{Build, BuildSpec, InputScope, Plan, Role, WorkerChoice};
use engine_protocol::Form;

/// The first comparison's claim, under the rules of now and those of version 1.
fn claims(plan: &Plan) -> [String; 2] {
    let run = evidence(plan, &World::quiet(1, &[("fast", 0.05)]));
    let old = judge_under(1, plan, &run).unwrap();
    [judge(plan, &run), old].map(|mut analysis| analysis.comparisons.remove(0).claim)
}

#[test]
fn the_depth_is_named_wherever_there_is_one() {
    let mut deep = plan(8, 6);
    deep.workload.depth_tokens = 512;
    let [now, old] = claims(&deep);
    assert!(now.contains("(prose-48) at depth_tokens=512 with builtin-tiny"), "{now}");
    assert!(old.contains("(prose-48) with builtin-tiny"), "{old}");
    // The condition names it already, and a depth of none is none.
    let [now, old] = claims(&with_depths(plan(8, 6), &[256, 512]));
    assert!(now.contains("(prose-48) at depth_tokens=256 with builtin-tiny"), "{now}");
    assert_eq!(now, old);
    let [now, old] = claims(&plan(8, 6));
    assert_eq!(now, old);
}

#[test]
fn a_class_is_claimed_only_where_the_interval_allows_for_it() {
    let mut class = plan(8, 6);
    class.design.input_scope = InputScope::Class;
    let [now, old] = claims(&class);
    let words =
        "on inputs of the class dense_throughput (as sampled by prose-48) with builtin-tiny";
    assert!(now.contains(words), "{now}");
    assert!(old.contains("on these inputs (prose-48, a sample of their class)"), "{old}");
}

#[test]
fn forms_of_the_model_are_named_with_what_they_derive_from() {
    let mut plan = plan(8, 6);
    let mut run = evidence(&plan, &World::quiet(1, &[("fast", 0.05)]));
    let claim = |plan: &Plan, run: &super::Evidence| judge(plan, run).comparisons.remove(0).claim;
    let form = |arm: &str, form, derivation: &str| ArmForm {
        arm: arm.to_owned(),
        form,
        derivation: derivation.to_owned(),
    };
    run.facts.forms = vec![form("fast", Form::Q8_0, "requantised from Q4_1")];
    let one = claim(&plan, &run);
    let words = "with builtin-tiny as Q8_0 (requantised from Q4_1) against the file as it is (";
    assert!(one.contains(words), "{one}");
    run.facts.forms.push(form("off", Form::F16, "dequantised from Q4_1"));
    let two = claim(&plan, &run);
    assert!(two.contains("against F16 (dequantised from Q4_1) ("), "{two}");
    run.facts.forms[0] = form("fast", Form::F16, "dequantised from Q4_1");
    let same = claim(&plan, &run);
    assert!(same.contains("builtin-tiny as F16 (dequantised from Q4_1) ("), "{same}");
    plan.claim.win = Some("faster.".to_owned());
    let worded = claim(&plan, &run);
    assert!(worded.ends_with("; F16 (dequantised from Q4_1))."), "{worded}");
}

#[test]
fn l23_a_slice_is_named_in_every_claim_whoever_words_it() {
    let mut plan = plan(8, 6);
    let mut run = evidence(&plan, &World::quiet(1, &[("fast", 0.05)]));
    let claim = |plan: &Plan, run: &super::Evidence| judge(plan, run).comparisons.remove(0).claim;
    let slice = |arm: &str, layers| ArmSlice { arm: arm.to_owned(), layers, of_layers: 30 };
    run.facts.slices = ["off", "off-again", "fast"].map(|arm| slice(arm, 4)).to_vec();
    let words = claim(&plan, &run);
    assert!(words.contains("with builtin-tiny on the first 4 of 30 layers (9"), "{words}");
    let old = judge_under(1, &plan, &run).unwrap().comparisons.remove(0).claim;
    assert!(old.contains("on the first 4 of 30 layers"), "{old}");
    plan.claim.win = Some("the whole model is faster.".to_owned());
    let worded = claim(&plan, &run);
    assert!(worded.ends_with("; on the first 4 of 30 layers)."), "{worded}");
    run.facts.slices.truncate(2);
    let against = claim(&plan, &run);
    let both = "; on the whole model against the first 4 of 30 layers).";
    assert!(against.ends_with(both), "{against}");
}

#[test]
fn builds_are_two_binaries_until_an_arm_shows_what_layout_alone_does() {
    let build = |name: &str, spec| {
        let name = name.to_owned().try_into().unwrap();
        WorkerChoice::Build(Box::new(Build { name, spec }))
    };
    let mut plan = plan(8, 6);
    plan.engine.worker = build("standalone", BuildSpec::default());
    let [same, _] = claims(&plan);
    assert!(!same.contains("binaries"), "{same}");
    let other = BuildSpec { instruction_set: Some("x86-64-v3".to_owned()), ..BuildSpec::default() };
    let fast = plan.arms.iter().position(|arm| arm.name.as_str() == "fast").unwrap();
    plan.arms[fast].worker = Some(build("v3", other));
    let [alone, _] = claims(&plan);
    assert!(alone.contains("; of these two binaries: no arm shows"), "{alone}");
    let mut relinked = plan.arms[fast].clone();
    relinked.name = "relinked".to_owned().try_into().unwrap();
    relinked.role = Role::Control;
    let order = BuildSpec { link_order_seed: Some(1), ..BuildSpec::default() };
    relinked.worker = Some(build("relinked", order));
    plan.arms.push(relinked);
    let [beside, _] = claims(&plan);
    assert!(beside.contains("; of these builds; `relinked`, the same objects"), "{beside}");
}
