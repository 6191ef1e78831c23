//! A ladder's finding in a sentence, with the numbers.

use super::super::analysis::Effect;
use super::super::words::{confidence, interval, percent, signed};
use super::finding::{LadderCode, LadderFinding, RungFigure};
use crate::manifest::{AssumedCurve, LadderStop};
use crate::rule::Stopping;

/// What the finding comes to; its own text is not read. `margin` is a log ratio.
pub(super) fn reason(
    rule: LadderStop,
    margin: f64,
    stopped: Stopping,
    finding: &LadderFinding,
) -> String {
    let what = format!("the rule (a {} buys under {} %)", rule.under.unit(), rule.under.percent());
    let mut text = match (stopped, finding.reason.code) {
        (Stopping::Unknown(place), _) => {
            let arm =
                finding.places.get(place).map_or("the lowest place", |figure| figure.arm.as_str());
            return format!(
                "{what} would climb to `{arm}`, and no figure of it counts{}",
                why(finding, place)
            );
        }
        (Stopping::Nowhere, _) => {
            format!("{what} stops nowhere: every step bought enough; best is {}", best(finding))
        }
        (Stopping::At(place), code) => {
            let mut text = format!("{what} stops at {}", stop(rule, finding.places.get(place)));
            text.push_str(&match code {
                _ if finding.rival.is_none() => format!("; best is {}", best(finding)),
                LadderCode::LadderRuleStopsBeforeBest => {
                    format!(
                        ", and {} by {}",
                        over_kept(finding, "is better than"),
                        by(finding, margin)
                    )
                }
                LadderCode::LadderRuleFindsBest => format!(
                    "; {} by more than the margin: {}",
                    over_kept(finding, "is not better than"),
                    by(finding, margin)
                ),
                _ => format!(
                    "; whether {} the samples do not tell: {}",
                    over_kept(finding, "is better than"),
                    by(finding, margin)
                ),
            });
            text
        }
    };
    if let Some(later) = &finding.later_step {
        text.push_str(&format!("; a plateau, then a step at `{later}`"));
        text.push_str(match rule.assumes {
            AssumedCurve::Diminishing => ": the returns do not diminish as the rule assumes",
            AssumedCurve::Unknown => "",
        });
    }
    let lost: Vec<String> = finding
        .places
        .iter()
        .filter(|figure| figure.left_out.is_some())
        .map(|figure| format!("`{}`", figure.arm))
        .collect();
    if !lost.is_empty() {
        text.push_str(&format!("; no figure counts of {}", lost.join(", ")));
    }
    text
}

/// `` `threads=16`, where a doubling bought +1.00 % ``.
fn stop(rule: LadderStop, figure: Option<&RungFigure>) -> String {
    let Some(figure) = figure else { return "an unknown place".to_owned() };
    match &figure.step {
        Some(step) => format!(
            "`{}`, where a {} bought {}",
            figure.arm,
            rule.under.unit(),
            signed(step.bought_percent)
        ),
        None => format!("`{}`", figure.arm),
    }
}

/// `` `threads=64` is better than `threads=16`, the best up to there, ``.
fn over_kept(finding: &LadderFinding, how: &str) -> String {
    let name = |arm: &Option<String>| arm.clone().unwrap_or_default();
    let seen = if finding.kept == finding.stops_at { "" } else { ", the best up to there," };
    format!("`{}` {how} `{}`{seen}", name(&finding.rival), name(&finding.kept))
}

/// `+14.80 % (+12.10 to +17.60 %, 99.17 % confidence; the margin is 5.00 %)`.
fn by(finding: &LadderFinding, margin: f64) -> String {
    let Some(effect) = &finding.rival_over_kept else { return "no estimate".to_owned() };
    let margin = percent(margin);
    let margin = margin.trim_start_matches('+');
    format!("{} ({}; the margin is {margin})", percent(effect.log_ratio), told(effect))
}

fn told(effect: &Effect) -> String {
    match effect.lo {
        Some(_) => {
            format!("{}, {} % confidence", interval(effect), confidence(effect.confidence_percent))
        }
        None => "no interval".to_owned(),
    }
}

fn best(finding: &LadderFinding) -> String {
    let arm = finding.best.clone().unwrap_or_default();
    let figure = finding.places.iter().find(|figure| figure.arm == arm);
    match figure.and_then(|figure| figure.effect.as_ref()) {
        Some(effect) => {
            format!("`{arm}`, {} to off ({})", percent(effect.log_ratio), told(effect))
        }
        None => format!("`{arm}` itself"),
    }
}

/// `` : `threads=16` is void, arm_fault ``.
fn why(finding: &LadderFinding, place: usize) -> String {
    let code = finding.places.get(place).and_then(|figure| figure.left_out);
    let word = code.and_then(|code| serde_json::to_value(code).ok());
    match word.as_ref().and_then(serde_json::Value::as_str) {
        Some(word) => format!(" ({word})"),
        None => String::new(),
    }
}
