//! One comparison with its verdict.

use std::collections::BTreeSet;

use super::adjusted::{LooksTaken, adjusted};
use super::analysis::{Agreement, Comparison, Reason, ReasonCode, Spread};
use super::arm_inputs::{self, own_inputs_words};
use super::blocks::value_of;
use super::bounds::{BoundReached, passed};
use super::claims::{Beside, claim};
use super::course::{self, Ended};
use super::describe::{DescribeInputs, describe};
use super::description::{Description, LookFigure};
use super::engagement;
use super::estimate::{inputs_agree, pooled, spread, units_agree};
use super::evidence::Evidence;
use super::follow::{Followed, follow};
use super::loaded::LoadedWords;
use super::pairs::{PairedBlock, Pairs};
use super::primitives;
use super::promises;
use super::rules::Rules;
use super::ruling::rule;
use super::setting::{Describing, Setting};
use super::standing::{Standing, Standings};
use crate::manifest::{Arm, Plan, Role};

/// One arm against off at one condition value, with what its samples come to.
pub(super) struct Case<'a> {
    pub setting: &'a Setting<'a>,
    pub arm: &'a Arm,
    pub pairs: &'a Pairs,
    pub followed: Followed<'a>,
}

impl<'a> Case<'a> {
    pub fn new(setting: &'a Setting<'a>, arm: &'a Arm, pairs: &'a Pairs) -> Case<'a> {
        let followed = follow(&setting.question(arm), pairs);
        Case { setting, arm, pairs, followed }
    }

    /// Where it stands after the looks so far.
    pub fn standing(&self) -> Standing {
        Standing {
            arm: self.arm.name.to_string(),
            condition: self.setting.label.clone(),
            look: self.followed.looks.last().map_or(0, |look| look.look),
            outcome: self.followed.outcome(),
        }
    }

    /// Judges it, with the p that enters Holm's family.
    pub fn compare(
        &self,
        evidence: &Evidence,
        standings: &Standings<'_>,
        bounds: &[BoundReached],
    ) -> (Comparison, Option<f64>) {
        let Case { setting, arm, followed, .. } = self;
        let (plan, rules) = (setting.frame.plan, setting.frame.rules);
        let metric = plan.metric.primary;
        let question = setting.question(arm);
        let reason = self
            .objections(evidence, standings, bounds)
            .into_iter()
            .min_by_key(|reason| reason.code)
            .unwrap_or_else(|| {
                if arm.role == Role::Treatment {
                    rule(plan, &question, followed)
                } else {
                    let own = own_inputs_words(plan, arm.name.as_str(), "worked");
                    let own = own.map_or_else(String::new, |words| format!(": {words}"));
                    Reason::new(ReasonCode::DescribedOnly, format!("described, not judged{own}"))
                }
            });
        let accepted = &followed.accepted;
        let registered = followed.registered.as_ref();
        let direction = registered.map_or(0.0, |found| found.effect.log_ratio);
        let none = Agreement { agree: 0, of: 0 };
        let looks = question.timing.looks();
        let last_taken = followed.look.as_ref().map_or(0, |look| look.number as usize);
        let taken = LooksTaken {
            stop: &plan.stop,
            scope: question.scope,
            looks: looks.get(..last_taken).unwrap_or(looks),
            figures: &followed.looks,
            margin: question.margin,
            confidence_percent: question.confidence_percent,
        };
        let mut comparison = Comparison {
            arm: arm.name.to_string(),
            condition: setting.label.clone(),
            metric: metric.key().to_owned(),
            rounds: rounds_of(accepted),
            blocks: accepted.len() as u32,
            blocks_without_number: self.blocks_without_number(),
            off: self.values(evidence, Side::Off),
            treatment: self.values(evidence, Side::Arm),
            effect: registered.map(|found| found.effect.clone()),
            effect_with_flagged: followed.with_flagged.clone(),
            rounds_agree: registered.map_or(none, units_agree),
            inputs_agree: inputs_agree(accepted, direction),
            pooled: pooled(accepted, question.confidence_percent),
            holm_p: None,
            looks: stored(plan, &followed.looks),
            adjusted: match setting.frame.describing {
                Describing::All => adjusted(&taken, registered),
                Describing::Nothing => None,
            },
            class_intervals: followed.class_intervals.clone(),
            description: self.description(evidence, question.confidence_percent),
            verdict: reason.code.verdict(),
            reason,
            claim: String::new(),
        };
        let off = self.off();
        let loaded = LoadedWords::of(&evidence.facts, &comparison.arm, off);
        let names = (off, arm.name.as_str());
        let regimes = primitives::regimes(plan, &evidence.facts, setting.condition, names);
        // a primitive has no inputs
        let regimes = regimes.or_else(|| own_inputs_words(plan, arm.name.as_str(), "worked"));
        let beside = Beside { loaded: &loaded, regimes: regimes.as_deref() };
        comparison.claim = claim(rules, plan, &comparison, looks.len(), beside);
        (comparison, registered.and_then(|found| found.p))
    }

    fn off(&self) -> &str {
        let plan = self.setting.frame.plan;
        plan.arms.get(plan.off()).map_or("off", |off| off.name.as_str())
    }

    /// A side's values over the accepted blocks, in the metric's unit; `None` where its scale is not
    /// known.
    fn values(&self, evidence: &Evidence, side: Side) -> Option<Spread> {
        let (metric, condition) = (self.setting.frame.plan.metric.primary, self.setting.condition);
        let name = match side {
            Side::Off => self.off(),
            Side::Arm => self.arm.name.as_str(),
        };
        let scale = primitives::scale(metric, &evidence.facts, name, condition)?;
        let of = |block: &&PairedBlock| match side {
            Side::Off => value_of(metric, &block.off) * scale,
            Side::Arm => value_of(metric, &block.arm) * scale,
        };
        spread(&self.followed.accepted.iter().map(of).collect::<Vec<f64>>())
    }

    /// Blocks of the judged rounds without a number on either side.
    fn blocks_without_number(&self) -> u32 {
        let judged = |round: &&u32| match &self.followed.look {
            Some(look) => **round < look.rounds,
            None => true,
        };
        self.pairs.without_number.iter().filter(judged).count() as u32
    }

    fn description(&self, evidence: &Evidence, confidence_percent: f64) -> Option<Description> {
        let frame = self.setting.frame;
        // at a look the others get the error that the registered interval has there
        let confidence_percent = match &self.followed.look {
            Some(look) => 100.0 * (1.0 - look.nominal_p),
            None => confidence_percent,
        };
        match (frame.rules, frame.describing) {
            (Rules::One, _) | (_, Describing::Nothing) => None,
            (Rules::Two | Rules::Three, Describing::All) => Some(describe(&DescribeInputs {
                plan: frame.plan,
                pairs: &self.followed.accepted,
                samples: &evidence.samples,
                arm: self.arm.name.as_str(),
                condition: self.setting.condition,
                confidence_percent,
                margin: frame.margin,
                registered: self.followed.registered.as_ref()?,
            })),
        }
    }

    /// Everything that speaks against the comparison's being decided at all, on all samples of
    /// the run.
    fn objections(
        &self,
        evidence: &Evidence,
        standings: &Standings<'_>,
        bounds: &[BoundReached],
    ) -> Vec<Reason> {
        let Case { setting, arm, pairs, .. } = self;
        let (plan, facts) = (setting.frame.plan, &evidence.facts);
        let mut found = Vec::new();
        if let Some(off) = plan.arms.get(plan.off()) {
            found.extend(promises::contracts(arm, off, facts, setting.condition));
        }
        let outside = pairs.outside_support.clone();
        found.extend(outside.map(|text| Reason::new(ReasonCode::OutsideSupport, text)));
        found.extend(passed(plan, bounds, arm, &setting.label));
        let ended_before =
            self.followed.look.is_some() && self.followed.outcome().ends_comparison();
        found.extend(course::end(facts, ended_before.then_some(Ended::AtALook)));
        found.extend(course::faults(plan, arm, facts));
        found.extend(course::shortfall(plan, arm.name.as_str(), facts, pairs, standings));
        found.extend(setting.floor.bias.clone());
        found.extend(promises::engagement(arm, facts));
        found.extend(engagement::devices(arm, facts));
        found.extend(engagement::buffers(arm, facts));
        found.extend(promises::accepted(arm, facts, setting.condition));
        let names = (self.off(), arm.name.as_str());
        found.extend(primitives::objection(plan, facts, setting.condition, names));
        for (side, name) in [(Side::Off, names.0), (Side::Arm, names.1)] {
            let greatest = self.values(evidence, side).map(|values| values.greatest);
            found.extend(primitives::outside_support(plan.metric.primary, name, greatest));
        }
        let unequal = pairs.unequal_work.clone();
        found.extend(unequal.map(|text| Reason::new(ReasonCode::UnequalWork, text)));
        let here = (setting.blocks, setting.condition, names.0);
        found.extend(arm_inputs::out_of_place(arm, facts, here));
        found.extend(course::flags_by_arm(setting.blocks, setting.condition));
        match setting.frame.rules {
            Rules::One => {}
            Rules::Two | Rules::Three => {
                let one_sided = pairs.one_sided.clone();
                found.extend(
                    one_sided.map(|text| Reason::new(ReasonCode::ExclusionDiffersByArm, text)),
                );
            }
        }
        found.extend(course::nothing_accepted(setting.blocks, pairs));
        found.extend(course::contamination(plan, setting.blocks));
        found
    }
}

/// Most looks that are stored one by one.
const LOOKS_STORED: usize = 40;

/// Beyond [`LOOKS_STORED`], every fifth look is stored, with the one that ended the comparison and
/// the last.
const LOOKS_APART: u32 = 5;

fn stored(plan: &Plan, looks: &[LookFigure]) -> Vec<LookFigure> {
    use crate::manifest::Stop;
    match plan.stop {
        Stop::ConfidenceSequence { .. } if looks.len() > LOOKS_STORED => {}
        _ => return looks.to_vec(),
    }
    let last = looks.last().map_or(0, |look| look.look);
    let is_kept = |look: &&LookFigure| {
        look.look.is_multiple_of(LOOKS_APART) || look.look == last || look.outcome.ends_comparison()
    };
    looks.iter().filter(is_kept).cloned().collect()
}

#[derive(Clone, Copy)]
enum Side {
    Off,
    Arm,
}

fn rounds_of(blocks: &[&PairedBlock]) -> u32 {
    blocks.iter().map(|block| block.key.round).collect::<BTreeSet<_>>().len() as u32
}
