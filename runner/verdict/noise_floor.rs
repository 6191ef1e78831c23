//! The aa arm: two identical arms show what the instrument makes of nothing.

use super::analysis::{AaFinding, Reason, ReasonCode};
use super::blocks::Blocks;
use super::estimate::{Estimate, estimate, leaves_out_zero};
use super::pairs::pair;
use super::words::{interval, percent};
use crate::design::AA_CONFIDENCE_PERCENT;
use crate::manifest::{Plan, Role};

/// What the aa arms of one condition say.
pub(super) struct NoiseFloor {
    pub findings: Vec<AaFinding>,
    /// An aa arm differs from off: nothing of this condition can be believed.
    pub bias: Option<Reason>,
    /// Why `level` cannot be concluded here, if it cannot.
    pub too_wide_for_level: Option<Reason>,
}

/// Judges every aa arm at a condition; `margin` is a log ratio.
pub(super) fn noise_floor(
    plan: &Plan,
    blocks: &Blocks,
    condition: u32,
    label: &str,
    margin: f64,
) -> NoiseFloor {
    let mut floor = NoiseFloor { findings: Vec::new(), bias: None, too_wide_for_level: None };
    let Some(off) = plan.arms.get(plan.off()) else { return floor };
    for arm in plan.arms.iter().filter(|arm| arm.role == Role::Aa) {
        let name = arm.name.as_str();
        let pairs = pair(blocks, condition, off.name.as_str(), name, plan.design.blocks_per_round);
        let found = estimate(&pairs.accepted(), AA_CONFIDENCE_PERCENT);
        let biased = found.as_ref().is_some_and(|found| {
            leaves_out_zero(&found.effect) && found.effect.log_ratio.abs() > margin / 2.0
        });
        if let (true, Some(found)) = (biased, &found) {
            floor.bias.get_or_insert_with(|| {
                Reason::new(
                    ReasonCode::AaBias,
                    format!(
                        "`{name}` is `{}` again, yet differs by {} (99 % interval {}), over half \
                         the margin of {}",
                        off.name,
                        percent(found.effect.log_ratio),
                        interval(&found.effect),
                        percent(margin)
                    ),
                )
            });
        }
        let half_width = found.as_ref().and_then(Estimate::half_width);
        if half_width.is_none_or(|half_width| half_width > margin) {
            let width = match half_width {
                Some(half_width) => format!("is {} wide on either side", percent(half_width)),
                None => "does not exist".to_owned(),
            };
            floor.too_wide_for_level.get_or_insert_with(|| {
                Reason::new(
                    ReasonCode::AaTooWideForLevel,
                    format!(
                        "the 99 % interval of `{name}` over `{}` {width}, and the margin is {}: \
                         the instrument cannot show that two arms are level",
                        off.name,
                        percent(margin)
                    ),
                )
            });
        }
        floor.findings.push(AaFinding {
            arm: name.to_owned(),
            condition: label.to_owned(),
            effect: found.map(|found| found.effect),
            biased,
        });
    }
    floor
}
