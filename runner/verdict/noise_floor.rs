//! The aa arm: two identical arms show what the instrument makes of nothing.

use super::analysis::{AaFinding, Reason, ReasonCode};
use super::blocks::Blocks;
use super::estimate::{Estimate, Unit, estimate_of, leaves_out_zero, units};
use super::pairs::pair;
use super::words::{interval, percent};
use crate::manifest::{Plan, Role};
use crate::rule::{AA_CONFIDENCE_PERCENT, AaState, aa_state};

/// What the aa arms of one condition say.
pub(super) struct NoiseFloor {
    pub findings: Vec<AaFinding>,
    /// An aa arm differs from off: nothing of this condition can be believed.
    pub bias: Option<Reason>,
    arms: Vec<AaArm>,
    off: String,
    margin: f64,
}

struct AaArm {
    name: String,
    units: Vec<Unit>,
}

/// Judges every aa arm at a condition on all samples; `margin` is a log ratio.
pub(super) fn noise_floor(
    plan: &Plan,
    blocks: &Blocks,
    condition: u32,
    label: &str,
    margin: f64,
) -> NoiseFloor {
    let off = plan.arms.get(plan.off()).map_or("", |off| off.name.as_str());
    let mut floor = NoiseFloor {
        findings: Vec::new(),
        bias: None,
        arms: Vec::new(),
        off: off.to_owned(),
        margin,
    };
    for arm in plan.arms.iter().filter(|arm| arm.role == Role::Aa) {
        let name = arm.name.as_str();
        let pairs = pair(blocks, condition, off, name, plan.design.blocks_per_round);
        let units = units(&pairs.accepted());
        let found = estimate_of(&units, AA_CONFIDENCE_PERCENT);
        let biased = found.as_ref().is_some_and(|found| {
            leaves_out_zero(&found.effect) && found.effect.log_ratio.abs() > margin / 2.0
        });
        if let (true, Some(found)) = (biased, &found) {
            floor.bias.get_or_insert_with(|| {
                Reason::new(
                    ReasonCode::AaBias,
                    format!(
                        "`{name}` is `{off}` again, yet differs by {} (99 % interval {}), over half \
                         the margin of {}",
                        percent(found.effect.log_ratio),
                        interval(&found.effect),
                        percent(margin)
                    ),
                )
            });
        }
        floor.arms.push(AaArm { name: name.to_owned(), units });
        floor.findings.push(AaFinding {
            arm: name.to_owned(),
            condition: label.to_owned(),
            effect: found.map(|found| found.effect),
            biased,
        });
    }
    floor
}

impl NoiseFloor {
    /// What the first `rounds` rounds of every aa arm allow: that of the worst.
    pub fn state_at(&self, rounds: u32) -> AaState {
        let states: Vec<AaState> = self
            .arms
            .iter()
            .map(|arm| match estimate_of(arm.before(rounds), AA_CONFIDENCE_PERCENT) {
                Some(found) => {
                    let half_width = found.half_width().unwrap_or(f64::INFINITY);
                    aa_state(found.effect.log_ratio, half_width, self.margin)
                }
                None => AaState::TooWideForLevel,
            })
            .collect();
        if states.contains(&AaState::Biased) {
            AaState::Biased
        } else if states.contains(&AaState::TooWideForLevel) {
            AaState::TooWideForLevel
        } else {
            AaState::Sound
        }
    }

    /// Why `level` cannot be concluded from the first `rounds` rounds, or from all of them, if it
    /// cannot.
    pub fn too_wide_for_level(&self, rounds: Option<u32>) -> Option<Reason> {
        self.arms.iter().find_map(|arm| {
            let units = rounds.map_or(&arm.units[..], |rounds| arm.before(rounds));
            let found = estimate_of(units, AA_CONFIDENCE_PERCENT);
            let width = match found.as_ref().and_then(Estimate::half_width) {
                Some(half_width) if half_width > self.margin => {
                    format!("is {} wide on either side", percent(half_width))
                }
                Some(_) => return None,
                None => "does not exist".to_owned(),
            };
            Some(Reason::new(
                ReasonCode::AaTooWideForLevel,
                format!(
                    "the 99 % interval of `{}` over `{}` {width}, and the margin is {}: the \
                     instrument cannot show that two arms are level",
                    arm.name,
                    self.off,
                    percent(self.margin)
                ),
            ))
        })
    }
}

impl AaArm {
    fn before(&self, rounds: u32) -> &[Unit] {
        &self.units[..self.units.partition_point(|unit| unit.round < rounds)]
    }
}
