//! The rule of a ladder: one that these rungs can be held against, and that could be wrong.

use crate::manifest::checked::CheckedTable;
use crate::manifest::code::Code;
use crate::manifest::diagnostics::Diagnostic;
use crate::manifest::draft::{ArmDraft, ArmOrigin, SettingsDraft};
use crate::manifest::faults::Faults;
use crate::manifest::plan::{LadderStop, LeastStep, Role};
use crate::manifest::span::{Span, Spot};

/// Fewest places on the ladder: a rule over two could stop at the last alone, and never be wrong.
const FEWEST_PLACES: usize = 3;

/// The rule, where it is right.
pub(super) fn hold(
    root: &CheckedTable,
    arms: &[ArmDraft],
    engine: &SettingsDraft,
    faults: &mut Faults,
) -> Option<LadderStop> {
    let ladder = root.table("ladder")?;
    let rule = ladder.table("stop")?;
    let under = least_step(rule, faults);
    looks(root, rule, faults);
    let setting = ladder.text("setting")?;
    let rungs: Vec<&ArmDraft> = arms.iter().filter(|arm| arm.from == ArmOrigin::Rung).collect();
    // Rungs with faults of their own are not here, so that nothing can be said of the rest.
    if ladder.list("rungs").is_some_and(|list| list.value.len() == rungs.len()) {
        let numbers: Option<Vec<Spot<u64>>> =
            rungs.iter().map(|rung| number(rung, &setting.value, engine)).collect();
        let off = arms.iter().find(|arm| arm.role.as_ref().is_some_and(|of| of.value == Role::Off));
        let off = off.and_then(|off| number(off, &setting.value, engine));
        match &numbers {
            Some(numbers) => order(numbers, rule, faults),
            None => no_numbers(under.as_ref(), &setting, faults),
        }
        let off = off.filter(|_| numbers.is_some());
        if let Some(under) = &under {
            doublings(under, numbers.iter().flatten().chain(&off), faults);
        }
        few(rungs.len() + usize::from(off.is_some()), rule, faults);
    }
    Some(LadderStop { assumes: rule.choice("assumes")?.value, under: under?.value })
}

/// Exactly one of the two thresholds.
fn least_step(rule: &CheckedTable, faults: &mut Faults) -> Option<Spot<LeastStep>> {
    let (doubling, step) = ("under_percent_per_doubling", "under_percent_per_step");
    match (rule.wrote(doubling), rule.wrote(step)) {
        (Some(first), Some(second)) => {
            faults.push(
                Diagnostic::error(
                    Code::EXCLUSIVE_KEYS,
                    second,
                    format!("`{doubling}` and `{step}` exclude each other"),
                )
                .also(first, "the other one")
                .help("leave one of them out"),
            );
            None
        }
        (None, None) => {
            faults.push(
                Diagnostic::error(
                    Code::MISSING_KEY,
                    rule.span.clone(),
                    "the ladder's rule does not say when it stops",
                )
                .help(format!("add `stop.{doubling} = 5.0`, or `stop.{step}`")),
            );
            None
        }
        (Some(span), None) => {
            let value = LeastStep::PercentPerDoubling(rule.real(doubling)?.value);
            Some(Spot { value, span })
        }
        (None, Some(span)) => {
            let value = LeastStep::PercentPerStep(rule.real(step)?.value);
            Some(Spot { value, span })
        }
    }
}

/// The rule is held against all rounds, at one confidence: looks would end comparisons one by one.
fn looks(root: &CheckedTable, rule: &CheckedTable, faults: &mut Faults) {
    let Some(stop) = root.table("stop") else { return };
    for other in ["group_sequential", "confidence_sequence"] {
        let Some(place) = stop.wrote(other) else { continue };
        faults.push(
            Diagnostic::error(
                Code::EXCLUSIVE_KEYS,
                rule.span.clone(),
                format!("a ladder's rule and `[stop.{other}]` exclude each other"),
            )
            .also(place, "looks end comparisons one by one")
            .help("the rule is held against the same rounds of every rung: write `[stop.fixed]` with `cap_minutes`"),
        );
    }
}

/// The number at which an arm stands on the ladder; `None` for texts, and where nothing says it.
fn number(arm: &ArmDraft, setting: &str, engine: &SettingsDraft) -> Option<Spot<u64>> {
    let settings = engine.settings.overlaid(&arm.settings.settings);
    let value = serde_json::to_value(settings).ok()?.get(setting)?.as_u64()?;
    let places = [&arm.settings.places, &engine.places];
    let span = places.into_iter().find_map(|places| places.get(setting)).unwrap_or(&arm.span);
    Some(Spot { value, span: span.clone() })
}

fn order(numbers: &[Spot<u64>], rule: &CheckedTable, faults: &mut Faults) {
    for pair in numbers.windows(2) {
        let [before, after] = pair else { continue };
        if after.value > before.value {
            continue;
        }
        faults.push(
            Diagnostic::error(
                Code::BAD_RUNGS,
                after.span.clone(),
                format!("the rung {} cannot follow {}", after.value, before.value),
            )
            .here("this rung")
            .also(before.span.clone(), "the one before")
            .also(rule.span.clone(), "climbs them in order")
            .help("a rule climbs the ladder: write its rungs in ascending order"),
        );
    }
}

fn no_numbers(under: Option<&Spot<LeastStep>>, setting: &Spot<String>, faults: &mut Faults) {
    let Some(under) = under else { return };
    if matches!(under.value, LeastStep::PercentPerStep(_)) {
        return;
    }
    faults.push(
        Diagnostic::error(
            Code::BAD_RUNGS,
            under.span.clone(),
            format!("values of `{}` have no double", setting.value),
        )
        .also(setting.span.clone(), "its values are words")
        .help("write `stop.under_percent_per_step` instead"),
    );
}

fn doublings<'a>(
    under: &Spot<LeastStep>,
    numbers: impl Iterator<Item = &'a Spot<u64>>,
    faults: &mut Faults,
) {
    if matches!(under.value, LeastStep::PercentPerStep(_)) {
        return;
    }
    for zero in numbers.filter(|number| number.value == 0) {
        let place: Span = zero.span.clone();
        faults.push(
            Diagnostic::error(Code::BAD_RUNGS, place, "0 has no double")
                .also(under.span.clone(), "counts doublings")
                .help("write `stop.under_percent_per_step` instead"),
        );
    }
}

fn few(places: usize, rule: &CheckedTable, faults: &mut Faults) {
    if places >= FEWEST_PLACES {
        return;
    }
    faults.push(
        Diagnostic::error(
            Code::UNREACHABLE_OUTCOME,
            rule.span.clone(),
            format!("a rule over {places} places of a ladder can never stop before the best"),
        )
        .help(format!(
            "add rungs: it takes {FEWEST_PLACES} places, off among them where the manifest says at which number off stands"
        )),
    );
}
