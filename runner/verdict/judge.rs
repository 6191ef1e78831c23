//! The judgement as a whole: a total, pure function of a plan and its evidence.

use std::collections::BTreeSet;

use super::analysis::{
    Agreement, Analysis, Comparison, Reason, ReasonCode, RunSummary, Spread, Verdict,
};
use super::blocks::{Blocks, gather, value_of, work_of};
use super::claims::claim;
use super::course;
use super::estimate::{Estimate, estimate, inputs_agree, pooled, spread, units_agree};
use super::evidence::{Evidence, RunEnd};
use super::noise_floor::{NoiseFloor, noise_floor};
use super::pairs::{PairedBlock, Pairs, pair};
use super::promises;
use super::ruling::rule;
use super::secondary::secondary;
use super::words::condition as condition_label;
use crate::manifest::{Arm, Metric, Plan, Role};
use crate::stats::{holm, log_of_percent, simultaneous_confidence_percent};

/// Version of the rules: raised whenever `stats/` or `verdict/` changes a result. A test over
/// committed analyses fails when the results change and this does not.
pub const RULES_VERSION: u32 = 1;

/// One condition value with what holds for all its comparisons.
struct Setting<'a> {
    plan: &'a Plan,
    evidence: &'a Evidence,
    blocks: &'a Blocks,
    condition: u32,
    label: String,
    margin: f64,
    floor: NoiseFloor,
}

/// Judges a run by the rule that its plan registered. `docs/decision-rule.md` writes it out.
#[must_use]
pub fn judge(plan: &Plan, evidence: &Evidence) -> Analysis {
    let metric = plan.metric.primary;
    let blocks = gather(&evidence.samples, work_of(metric));
    let margin = log_of_percent(plan.decision.margin_percent);
    let treatments = plan.arms.iter().filter(|arm| arm.role == Role::Treatment).count();
    let values = plan.condition_values();
    let together = simultaneous_confidence_percent(
        plan.decision.confidence_percent,
        treatments * values.len(),
    );
    let settings: Vec<Setting<'_>> = values
        .iter()
        .enumerate()
        .map(|(condition, &value)| {
            let condition = condition as u32;
            let label = condition_label(plan, value);
            let floor = noise_floor(plan, &blocks, condition, &label, margin);
            Setting { plan, evidence, blocks: &blocks, condition, label, margin, floor }
        })
        .collect();
    let mut judged = Vec::new();
    let mut described = Vec::new();
    // Manifest order: by arm, then by condition value.
    for arm in &plan.arms {
        for setting in &settings {
            match arm.role {
                Role::Off | Role::Aa => {}
                Role::Treatment => judged.push(compare(setting, arm, together)),
                Role::Control | Role::Peer | Role::Ceiling => {
                    described.push(compare(setting, arm, plan.decision.confidence_percent));
                }
            }
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
        rules_version: RULES_VERSION,
        rounds_judged: whole_rounds.len() as u32,
        blocks: blocks.len() as u32,
        blocks_flagged: blocks.values().filter(|block| block.is_flagged()).count() as u32,
        flags: course::flag_lines(&flags),
        summary: summary(&comparisons, &evidence.facts.end),
        comparisons,
        described: described.into_iter().map(|(comparison, _)| comparison).collect(),
        secondary: secondary(plan, evidence, &whole_rounds),
        aa: settings.into_iter().flat_map(|setting| setting.floor.findings).collect(),
    }
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

/// One comparison, with the p that enters Holm's family.
fn compare(setting: &Setting<'_>, arm: &Arm, confidence_percent: f64) -> (Comparison, Option<f64>) {
    let plan = setting.plan;
    let metric = plan.metric.primary;
    let off_name = plan.arms.get(plan.off()).map_or("", |off| off.name.as_str());
    let pairs = pair(
        setting.blocks,
        setting.condition,
        off_name,
        arm.name.as_str(),
        plan.design.blocks_per_round,
    );
    let accepted = pairs.accepted();
    let all = pairs.with_flagged();
    let registered = estimate(&accepted, confidence_percent);
    let with_flagged = (all.len() > accepted.len())
        .then(|| estimate(&all, confidence_percent))
        .flatten()
        .map(|estimate| estimate.effect);
    let reason = objections(setting, arm, &pairs)
        .into_iter()
        .min_by_key(|reason| reason.code)
        .unwrap_or_else(|| {
            if arm.role == Role::Treatment {
                rule(
                    plan,
                    registered.as_ref(),
                    with_flagged.as_ref(),
                    &setting.floor,
                    setting.margin,
                    confidence_percent,
                )
            } else {
                Reason::new(ReasonCode::DescribedOnly, "described, not judged")
            }
        });
    let direction = registered.as_ref().map_or(0.0, |found| found.effect.log_ratio);
    let none = Agreement { agree: 0, of: 0 };
    let mut comparison = Comparison {
        arm: arm.name.to_string(),
        condition: setting.label.clone(),
        metric: metric.key().to_owned(),
        rounds: rounds_of(&accepted),
        blocks: accepted.len() as u32,
        blocks_without_number: pairs.without_number,
        off: values(metric, &accepted, Side::Off),
        treatment: values(metric, &accepted, Side::Arm),
        effect: registered.as_ref().map(|found| found.effect.clone()),
        effect_with_flagged: with_flagged,
        rounds_agree: registered.as_ref().map_or(none, units_agree),
        inputs_agree: inputs_agree(&accepted, direction),
        pooled: pooled(&accepted, confidence_percent),
        holm_p: None,
        looks: Vec::new(),
        adjusted: None,
        class_intervals: None,
        description: None,
        verdict: reason.code.verdict(),
        reason,
        claim: String::new(),
    };
    comparison.claim = claim(plan, &comparison);
    (comparison, registered.and_then(|found: Estimate| found.p))
}

/// Everything that speaks against a comparison's being decided at all.
fn objections(setting: &Setting<'_>, arm: &Arm, pairs: &Pairs) -> Vec<Reason> {
    let plan = setting.plan;
    let facts = &setting.evidence.facts;
    let name = arm.name.as_str();
    let mut found = Vec::new();
    if let Some(off) = plan.arms.get(plan.off()) {
        found.extend(promises::contracts(arm, off, facts));
    }
    let outside = pairs.outside_support.clone();
    found.extend(outside.map(|text| Reason::new(ReasonCode::OutsideSupport, text)));
    found.extend(course::end(facts));
    found.extend(course::faults(plan, arm, facts));
    found.extend(course::shortfall(plan, name, facts, pairs));
    found.extend(setting.floor.bias.clone());
    found.extend(promises::engagement(arm, facts));
    let unequal = pairs.unequal_work.clone();
    found.extend(unequal.map(|text| Reason::new(ReasonCode::UnequalWork, text)));
    found.extend(course::flags_by_arm(setting.blocks, setting.condition));
    found.extend(course::nothing_accepted(setting.blocks, pairs));
    found.extend(course::contamination(plan, setting.blocks));
    found
}

#[derive(Clone, Copy)]
enum Side {
    Off,
    Arm,
}

fn values(metric: Metric, blocks: &[&PairedBlock], side: Side) -> Option<Spread> {
    let of = |block: &&PairedBlock| match side {
        Side::Off => value_of(metric, &block.off),
        Side::Arm => value_of(metric, &block.arm),
    };
    spread(&blocks.iter().map(of).collect::<Vec<f64>>())
}

fn rounds_of(blocks: &[&PairedBlock]) -> u32 {
    blocks.iter().map(|block| block.key.round).collect::<BTreeSet<_>>().len() as u32
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
