//! Earlier records on like questions: whole for `list --like`, short for `plan` and `register`.

use serde_json::{Value, json};

use super::escape::plain_text;
use super::rows::{estimate, interval, name};
use super::terminal::wrapped;
use crate::record::{
    Found, ImportFound, Nearness, Outcome, PriorArtFound, PriorArtList, SeriesKind, verdict_word,
};

/// The most that `plan` and `register` show.
const MOST_SHORT: usize = 5;
const NO_VERDICT: &str = "never a verdict";

/// Everything, in sections. Ends with a newline.
#[must_use]
pub fn prior_art_text(list: &PriorArtList, width: usize) -> String {
    if list.found.is_empty() && list.imports.is_empty() {
        return "nothing like it is stored here\n".to_owned();
    }
    let mut out = Vec::new();
    for nearness in Nearness::ALL {
        let section: Vec<&PriorArtFound> =
            list.found.iter().filter(|found| found.nearness == nearness).collect();
        if section.is_empty() {
            continue;
        }
        out.push(format!("{}:", nearness.heading()));
        for found in section {
            for (place, said) in said(found) {
                out.push(wrapped(&format!("  {place}: {said}"), width, 6));
            }
            out.push(wrapped(&format!("    holds for {}", found.scope), width, 6));
            out.push(wrapped(&format!("    {}", differences(found)), width, 6));
            if nearness == Nearness::OneArm {
                out.push(wrapped(&format!("    in common: {}", found.arms.join("; ")), width, 6));
            }
        }
    }
    if !list.imports.is_empty() {
        out.push("imported, the same work on the same model:".to_owned());
        out.extend(
            list.imports.iter().map(|found| wrapped(&format!("  {}", import(found)), width, 6)),
        );
    }
    out.join("\n") + "\n"
}

/// At most five lines, and how many more there are; empty where there is nothing.
#[must_use]
pub fn prior_art_short(list: &PriorArtList, file: &str) -> Vec<String> {
    let all = list.found.len() + list.imports.len();
    let mut lines: Vec<String> = list
        .found
        .iter()
        .map(|found| {
            let of_it: Vec<String> = said(found).into_iter().map(|(_, said)| said).collect();
            let said = shortened(&of_it);
            let near = match found.nearness {
                Nearness::SameQuestion => "same question",
                Nearness::SameArms => "same arms",
                Nearness::OneArm => "an arm in common",
            };
            plain_text(&format!("{near}: {}: {said}; {}", found.place, differences(found)))
        })
        .chain(list.imports.iter().map(|found| plain_text(&import(found))))
        .take(MOST_SHORT)
        .collect();
    if all > lines.len() {
        lines.push(format!("and {} more: `runner list --like {file}`", all - lines.len()));
    }
    lines
}

/// The same for programs.
#[must_use]
pub fn prior_art_json(list: &PriorArtList) -> Value {
    let found = list.found.iter().map(|found| {
        let (outcomes, why) = match &found.found {
            Found::Outcomes(outcomes) => (outcomes.iter().map(outcome_json).collect(), None),
            Found::Pilot(effects) => {
                let effects = effects.iter().map(
                    |effect| json!({ "arm": effect.arm, "verdict": null, "effect": effect.effect }),
                );
                (effects.collect(), Some(NO_VERDICT))
            }
            Found::Nothing(why) => (Vec::new(), Some(why.as_str())),
        };
        json!({
            "nearness": found.nearness.heading(),
            "place": found.place,
            "outcomes": outcomes,
            "outcomes_reason": why,
            "scope": found.scope,
            "arms_in_common": found.arms,
            "differs": found.differs.iter().map(|one| json!({
                "what": one.what, "here": one.here, "there": one.there,
            })).collect::<Vec<Value>>(),
        })
    });
    let imports = list.imports.iter().map(|found| {
        json!({
            "place": found.place,
            "tool": found.tool,
            "tests": found.labels,
            "has_samples": found.has_samples,
        })
    });
    json!({ "found": found.collect::<Vec<Value>>(), "imported": imports.collect::<Vec<Value>>() })
}

fn outcome_json(outcome: &Outcome) -> Value {
    json!({
        "arm": outcome.arm,
        "condition": outcome.condition,
        "verdict": outcome.verdict,
        "effect": outcome.effect,
        "state": outcome.state,
    })
}

/// Place and outcome of each line of one that was found.
fn said(found: &PriorArtFound) -> Vec<(&str, String)> {
    let place = found.place.as_str();
    match &found.found {
        Found::Nothing(why) => vec![(place, why.clone())],
        Found::Outcomes(outcomes) if outcomes.is_empty() => {
            vec![(place, "no comparison was judged".to_owned())]
        }
        Found::Outcomes(outcomes) => {
            outcomes.iter().map(|outcome| (place, outcome_text(outcome))).collect()
        }
        Found::Pilot(effects) => effects
            .iter()
            .map(|one| {
                let effect = &one.effect;
                let figure = format!("{}, {}", estimate(effect), interval(Some(effect)));
                (place, format!("{} {figure}, {NO_VERDICT}", one.arm))
            })
            .collect(),
    }
}

fn outcome_text(outcome: &Outcome) -> String {
    let figure = outcome.effect.as_ref().map_or_else(
        || "no figure".to_owned(),
        |effect| format!("{}, {}", estimate(effect), interval(Some(effect))),
    );
    let verdict = verdict_word(outcome.verdict);
    let text = format!("{verdict} {} {figure}", name(&outcome.arm, &outcome.condition));
    if outcome.state == "current" { text } else { format!("{text} ({})", outcome.state) }
}

/// The first outcome of several stands for a line; how many more there are is said.
fn shortened(said: &[String]) -> String {
    match said {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        [first, rest @ ..] => format!("{first}, and {} more", rest.len()),
    }
}

fn differences(found: &PriorArtFound) -> String {
    if found.differs.is_empty() {
        return "covers the manifest's scope; the machine may be another".to_owned();
    }
    let each: Vec<String> = found
        .differs
        .iter()
        .map(|one| format!("{} {} there, {} here", one.what, one.there, one.here))
        .collect();
    format!("differs: {}", each.join("; "))
}

fn import(found: &ImportFound) -> String {
    let samples = if found.has_samples { "" } else { SeriesKind::SummaryOnly.label() };
    let samples = if samples.is_empty() { String::new() } else { format!(", {samples}") };
    format!("{}: {} of {}{samples}, {NO_VERDICT}", found.place, found.labels.join(", "), found.tool)
}
