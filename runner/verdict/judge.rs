//! The judgement as a whole: a total, pure function of a plan and its evidence.

use std::collections::BTreeSet;

use super::analysis::{Analysis, Comparison, RunSummary, Verdict};
use super::blocks::{Blocks, gather};
use super::bounds::{BoundReached, Counted, reached};
use super::comparison::Case;
use super::course;
use super::evidence::{Evidence, RunEnd};
use super::ladder;
use super::pairs::{Pairs, pair};
use super::rules::Rules;
use super::secondary::secondary;
use super::setting::{Describing, Frame, Setting};
use super::standing::standings;
use crate::manifest::{Arm, Plan, Role};
use crate::stats::holm;

/// Judges a run by the rule that its plan registered, under the rules that are followed now.
/// `docs/decision-rule.md` writes them out.
#[must_use]
pub fn judge(plan: &Plan, evidence: &Evidence) -> Analysis {
    judged_by(&Frame::new(Rules::NOW, plan), evidence)
}

/// The judgement under a version of the rules, byte for byte what that version concluded; `None`
/// for a version that this program does not know.
#[must_use]
pub fn judge_under(version: u32, plan: &Plan, evidence: &Evidence) -> Option<Analysis> {
    Some(judged_by(&Frame::new(Rules::of(version)?, plan), evidence))
}

pub(super) fn judged_by(frame: &Frame<'_>, evidence: &Evidence) -> Analysis {
    let (plan, rules) = (frame.plan, frame.rules);
    let blocks = gather(&evidence.samples, frame.reading());
    let settings = frame.settings(&blocks);
    let paired = paired(plan, &settings);
    let cases: Vec<Case<'_>> =
        paired.iter().map(|(setting, arm, pairs)| Case::new(setting, arm, pairs)).collect();
    let standings = standings(frame, &cases, &evidence.facts.arm_faults);
    let bounds = bounds_reached(frame, evidence);
    let mut judged = Vec::new();
    let mut described = Vec::new();
    for case in &cases {
        let compared = case.compare(evidence, &standings, &bounds);
        if case.arm.role == Role::Treatment {
            judged.push(compared);
        } else {
            described.push(compared.0);
        }
    }
    let adjusted = holm(&judged.iter().map(|(_, p)| *p).collect::<Vec<_>>());
    let comparisons: Vec<Comparison> = judged
        .into_iter()
        .zip(adjusted)
        .map(|((comparison, _), holm_p)| Comparison { holm_p, ..comparison })
        .collect();
    let whole_rounds = whole_rounds(plan, &blocks);
    let flags = course::flag_counts(&blocks);
    Analysis {
        rules_version: rules.version(),
        rounds_judged: whole_rounds.len() as u32,
        blocks: blocks.len() as u32,
        blocks_flagged: blocks.values().filter(|block| block.is_flagged()).count() as u32,
        flags: course::flag_lines(&flags),
        ladder: match frame.describing {
            Describing::All => ladder::findings(frame, &settings, &comparisons),
            Describing::Nothing => Vec::new(),
        },
        summary: summary(&comparisons, &evidence.facts.end),
        comparisons,
        described,
        secondary: secondary(plan, evidence, &whole_rounds),
        bounds,
        aa: settings.iter().flat_map(|setting| setting.floor.findings.iter().cloned()).collect(),
    }
}

/// What each arm reached of the bounds that the evidence holds.
fn bounds_reached(frame: &Frame<'_>, evidence: &Evidence) -> Vec<BoundReached> {
    let facts = &evidence.facts;
    match (frame.rules, &facts.bounds) {
        (Rules::One | Rules::Two, _) | (Rules::Three, None) => Vec::new(),
        (Rules::Three, Some(bounds)) => {
            let counted =
                Counted { speculation: &facts.speculation, primitives: &facts.primitives };
            reached(frame.plan, &evidence.samples, bounds, counted)
        }
    }
}

/// Every comparison, judged or described, in manifest order: by arm, then by condition value.
pub(super) fn paired<'a>(
    plan: &'a Plan,
    settings: &'a [Setting<'a>],
) -> Vec<(&'a Setting<'a>, &'a Arm, Pairs)> {
    plan.arms
        .iter()
        .filter(|arm| !matches!(arm.role, Role::Off | Role::Aa))
        .flat_map(|arm| settings.iter().map(move |setting| (setting, arm, setting.pairs(arm))))
        .collect()
}

/// Rounds in which off has every registered block at every condition value.
fn whole_rounds(plan: &Plan, blocks: &Blocks) -> BTreeSet<u32> {
    let off = plan.arms.get(plan.off()).map_or("", |off| off.name.as_str());
    let mut whole: Option<BTreeSet<u32>> = None;
    for condition in 0..plan.condition_values().len() as u32 {
        let here = pair(blocks, condition, off, off, plan.design.blocks_per_round).whole_rounds;
        whole = Some(match whole {
            Some(before) => before.intersection(&here).copied().collect(),
            None => here,
        });
    }
    whole.unwrap_or_default()
}

/// The worst state over the comparisons; with none to speak for it, the end of the run.
fn summary(comparisons: &[Comparison], end: &RunEnd) -> RunSummary {
    let any = |verdict: Verdict| comparisons.iter().any(|found| found.verdict == verdict);
    let broken = matches!(end, RunEnd::Broken { .. });
    if any(Verdict::Incomplete) || broken {
        RunSummary::Incomplete
    } else if any(Verdict::Void) {
        RunSummary::Void
    } else {
        RunSummary::Judged
    }
}
