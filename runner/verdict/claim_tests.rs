//! What the sentences name.

use super::test_evidence::{World, evidence};
use super::{judge, judge_under};
use crate::design::test_plan::{plan, with_depths};
use crate::manifest::{InputScope, Plan};

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
