//! How the run went: its end, faults of arms, whole rounds, contamination.

use std::collections::BTreeMap;

use super::analysis::{Reason, ReasonCode};
use super::blocks::{Blocks, MeasuredBlock, at_condition};
use super::evidence::{ArmFault, ArmFaultKind, RunEnd, RunFacts};
use super::pairs::Pairs;
use super::standing::Standings;
use super::words::counted;
use crate::manifest::{Arm, Plan, Role};

/// How a comparison came to its end before the run did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// A look decided it, or found it futile.
    AtALook,
}

/// What the end of the run says against a comparison. One that had `ended` before does not share in
/// a run that found no more time or quiet for the others.
pub(super) fn end(facts: &RunFacts, ended: Option<Ended>) -> Option<Reason> {
    match &facts.end {
        RunEnd::OverBudget { .. } | RunEnd::NeverQuiet { .. } if ended.is_some() => None,
        RunEnd::Completed | RunEnd::StoppedAtLook { .. } => None,
        RunEnd::OverBudget { detail } => Some(Reason::new(
            ReasonCode::OverBudget,
            format!("the registered time ran out: {detail}"),
        )),
        RunEnd::NeverQuiet { detail } => Some(Reason::new(
            ReasonCode::NeverQuiet,
            format!("the machine did not become quiet: {detail}"),
        )),
        RunEnd::Broken { detail } => {
            Some(Reason::new(ReasonCode::RunBroken, format!("the run ended early: {detail}")))
        }
    }
}

/// Faults: of an arm that every comparison needs (off, aa), they break the run; of the arm
/// itself, they end its comparison alone.
pub(super) fn faults(plan: &Plan, arm: &Arm, facts: &RunFacts) -> Vec<Reason> {
    facts
        .arm_faults
        .iter()
        .filter_map(|fault| {
            let text = fault_text(fault);
            if fault.arm == arm.name.as_str() {
                return Some(Reason::new(ReasonCode::ArmFault, text));
            }
            let needed_by_all = plan.arms.iter().any(|other| {
                other.name.as_str() == fault.arm && matches!(other.role, Role::Off | Role::Aa)
            });
            needed_by_all.then(|| Reason::new(ReasonCode::RunBroken, text))
        })
        .collect()
}

fn fault_text(fault: &ArmFault) -> String {
    let what = match fault.kind {
        ArmFaultKind::Crashed => "crashed",
        ArmFaultKind::Hung => "hung past its limit",
        ArmFaultKind::OutOfMemory => "ran out of memory",
        ArmFaultKind::BrokenProtocol => "broke the protocol",
        ArmFaultKind::Unsupported => "is not supported here",
        ArmFaultKind::Failed => "failed",
    };
    let when = match fault.round {
        Some(round) => format!("in round {round}"),
        None => "before the first round".to_owned(),
    };
    format!("arm `{}` {what} {when}: {}", fault.arm, fault.detail)
}

/// A run that says it completed has every registered block of every round; one that says its rule
/// stopped it at a look has those of the look, and the samples themselves must say so:
/// `standings` are those of all comparisons that no fault ended.
pub(super) fn shortfall(
    plan: &Plan,
    arm: &str,
    facts: &RunFacts,
    pairs: &Pairs,
    standings: &Standings<'_>,
) -> Option<Reason> {
    if facts.arm_faults.iter().any(|fault| fault.arm == arm) {
        return None;
    }
    let whole = pairs.whole_rounds.len();
    let registered = counted(plan.design.rounds, "registered round");
    let broken = |text: String| Some(Reason::new(ReasonCode::RunBroken, text));
    match &facts.end {
        RunEnd::Completed if whole < plan.design.rounds as usize => broken(format!(
            "only {whole} of {registered} hold every registered block of `{arm}` and off"
        )),
        RunEnd::StoppedAtLook { look, rounds, .. } if whole != *rounds as usize => broken(format!(
            "the run says that it stopped at look {look} after {}, and {whole} of {registered} \
             hold every registered block of `{arm}` and off",
            counted(*rounds, "round")
        )),
        RunEnd::StoppedAtLook { look, rounds, .. } if !standings.stop_at(*look, *rounds) => {
            broken(format!(
                "the run says that it stopped at look {look} after {}, and there the registered \
                 rule goes on",
                counted(*rounds, "round")
            ))
        }
        _ => None,
    }
}

/// Flags over a run: how many blocks each sensor flagged.
pub(super) fn flag_counts(blocks: &Blocks) -> BTreeMap<String, u32> {
    let mut counts = BTreeMap::new();
    for flag in blocks.values().flat_map(MeasuredBlock::flags) {
        *counts.entry(flag.to_owned()).or_default() += 1;
    }
    counts
}

/// `pressure: 3` for each sensor, in order of name.
pub(super) fn flag_lines(counts: &BTreeMap<String, u32>) -> Vec<String> {
    counts.iter().map(|(sensor, count)| format!("{sensor}: {count}")).collect()
}

/// Too large a share of flagged blocks voids the run.
pub(super) fn contamination(plan: &Plan, blocks: &Blocks) -> Option<Reason> {
    let flagged = blocks.values().filter(|block| block.is_flagged()).count();
    let share = 100.0 * flagged as f64 / blocks.len().max(1) as f64;
    let cap = plan.gate.contaminated_percent;
    (flagged > 0 && share > cap).then(|| {
        Reason::new(
            ReasonCode::ContaminatedOverCap,
            format!(
                "{flagged} of {} blocks were flagged ({share:.1} %, cap {cap} %): {}",
                blocks.len(),
                flag_lines(&flag_counts(blocks)).join(", ")
            ),
        )
    })
}

/// Flags that differ between the arms of one block void its condition: exclusion would depend
/// on the arm.
pub(super) fn flags_by_arm(blocks: &Blocks, condition: u32) -> Option<Reason> {
    at_condition(blocks, condition).find(|(_, block)| block.flags_differ_by_arm()).map(
        |(key, _)| {
            Reason::new(
                ReasonCode::ContaminationDiffersByArm,
                format!(
                    "the arms of round {}, block {} carry different flags",
                    key.round, key.block
                ),
            )
        },
    )
}

/// Whole rounds without a single block that may be judged.
pub(super) fn nothing_accepted(blocks: &Blocks, pairs: &Pairs) -> Option<Reason> {
    let of = pairs.blocks_of_whole_rounds;
    (of > 0 && pairs.accepted().is_empty()).then(|| {
        let flagged = pairs.blocks.iter().filter(|block| block.flagged).count();
        let sensors = flag_lines(&flag_counts(blocks)).join(", ");
        let sensors = if sensors.is_empty() { sensors } else { format!(" ({sensors})") };
        Reason::new(
            ReasonCode::NoAcceptedBlock,
            format!(
                "no accepted block: of {of}, {flagged} flagged{sensors}, {} without a number",
                pairs.without_number.len()
            ),
        )
    })
}
