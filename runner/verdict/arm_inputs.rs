//! An arm that is only shown may work on a set of its own. It is paired with off by position: in
//! each block it worked on the item that stands where off's item stands.

use serde::{Deserialize, Serialize};

use super::analysis::{Reason, ReasonCode};
use super::blocks::{Blocks, at_condition};
use super::evidence::RunFacts;
use crate::manifest::{Arm, Plan, Role};

/// What an arm with a set of its own worked on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnInputs {
    /// The arm.
    pub arm: String,
    /// Name of its set.
    pub set: String,
    /// For each item of the workload that was timed, in the order of the set.
    pub items: Vec<ItemBeside>,
}

/// Items at the same place of two sets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ItemBeside {
    /// What the other arms worked on.
    pub of_workload: String,
    /// What the arm worked on.
    pub own: String,
}

/// That an arm worked on a set of its own, and what that makes of its figures; `None` of an arm
/// that worked on the workload's inputs. `works` is the verb: `works`, or `worked`.
#[must_use]
pub fn own_inputs_words(plan: &Plan, arm: &str, works: &str) -> Option<String> {
    let arm = plan.arms.iter().find(|one| one.name.as_str() == arm)?;
    let set = file_name(&arm.inputs.as_ref()?.name);
    let what = match arm.role {
        Role::Control => "a control",
        Role::Off | Role::Aa | Role::Treatment | Role::Peer | Role::Ceiling => "a best case",
    };
    Some(format!(
        "`{}` {works} on `{set}`, {what} that nothing is judged on; off {works} on `{}`",
        arm.name,
        file_name(&plan.workload.inputs)
    ))
}

/// Claims are published: no folders in them.
fn file_name(set: &str) -> &str {
    set.rsplit(['/', '\\']).next().unwrap_or(set)
}

/// The first block in which the arm did not work on the item of its own set that stands where
/// off's does.
pub(super) fn out_of_place(
    arm: &Arm,
    facts: &RunFacts,
    (blocks, condition, off): (&Blocks, u32, &str),
) -> Option<Reason> {
    arm.inputs.as_ref()?;
    let name = arm.name.as_str();
    let own = facts.arm_inputs.iter().find(|own| own.arm == name);
    let items = own.map_or(&[][..], |own| &own.items);
    let text = at_condition(blocks, condition).find_map(|(key, block)| {
        let (off_side, arm_side) = (block.arms.get(off)?, block.arms.get(name)?);
        let beside = items.iter().find(|item| item.of_workload == off_side.input);
        if beside.is_some_and(|item| item.own == arm_side.input) {
            return None;
        }
        let wanted = beside.map_or("unknown", |item| item.own.as_str());
        Some(format!(
            "in round {}, block {} `{off}` worked on input `{}` and `{name}` on `{}`; of its own \
             set that is `{wanted}`",
            key.round, key.block, off_side.input, arm_side.input
        ))
    })?;
    Some(Reason::new(ReasonCode::UnequalWork, text))
}

#[cfg(test)]
mod tests {
    use super::{ItemBeside, OwnInputs};
    use crate::design::test_plan::{arm, plan};
    use crate::manifest::{ArmInputs, Plan, Role};
    use crate::verdict::test_evidence::{World, evidence};
    use crate::verdict::{Evidence, ReasonCode, judge};

    /// `own` works on another set, item by item at off's place.
    fn beside() -> (Plan, Evidence) {
        let mut plan = plan(8, 6);
        let mut own = arm("own", Role::Ceiling);
        own.inputs = Some(ArmInputs { name: "sets/own.toml".to_owned(), blake3: "00".repeat(32) });
        plan.arms.push(own);
        let mut evidence = evidence(&plan, &World::quiet(1, &[]));
        let of_own = evidence.samples.iter_mut().filter(|row| row.arm == "own");
        of_own.for_each(|row| row.input = row.input.replace("item", "own"));
        let items = (0..48).map(|place| ItemBeside {
            of_workload: format!("item-{place}"),
            own: format!("own-{place}"),
        });
        evidence.facts.arm_inputs = vec![OwnInputs {
            arm: "own".to_owned(),
            set: "own.toml".to_owned(),
            items: items.collect(),
        }];
        (plan, evidence)
    }

    fn found(plan: &Plan, evidence: &Evidence) -> (ReasonCode, String) {
        let analysis = judge(plan, evidence);
        assert!(analysis.comparisons[0].reason.code != ReasonCode::UnequalWork);
        let own = analysis.described.iter().find(|one| one.arm == "own").unwrap();
        (own.reason.code, own.reason.text.clone())
    }

    #[test]
    fn an_arm_with_inputs_of_its_own_is_paired_by_position() {
        let (plan, evidence) = beside();
        let (code, text) = found(&plan, &evidence);
        assert_eq!(code, ReasonCode::DescribedOnly);
        // without folders
        assert!(text.contains("`own` worked on `own.toml`, a best case"), "{text}");
    }

    #[test]
    fn an_item_out_of_place_and_an_unknown_one_are_unequal_work() {
        let (plan, mut evidence) = beside();
        let known = evidence.facts.arm_inputs.clone();
        evidence.facts.arm_inputs.clear();
        let (code, text) = found(&plan, &evidence);
        assert_eq!(code, ReasonCode::UnequalWork);
        assert!(text.ends_with("of its own set that is `unknown`"), "{text}");
        evidence.facts.arm_inputs = known;
        let last = evidence.samples.iter_mut().rfind(|row| row.arm == "own").unwrap();
        last.input = "own-elsewhere".to_owned();
        assert_eq!(found(&plan, &evidence).0, ReasonCode::UnequalWork);
    }
}
