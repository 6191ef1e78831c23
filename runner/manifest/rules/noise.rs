//! What is known of the noise: stated, or read from a stored run.

use std::collections::BTreeSet;

use crate::manifest::checked::CheckedTable;
use crate::manifest::code::Code;
use crate::manifest::diagnostics::Diagnostic;
use crate::manifest::draft::{ArmDraft, SettingsDraft};
use crate::manifest::faults::Faults;
use crate::manifest::number::two_digits;
use crate::manifest::plan::{
    MeasurementClass, Metric, ModelChoice, Noise, NoiseSource, Plan, Role, TimedWork,
};
use crate::manifest::scalar::shorten;
use crate::manifest::span::{Span, Spot};
use crate::manifest::suggest::nearest;
use crate::manifest::surroundings::{NoNoise, NoiseFacts, Surroundings};

use super::work::{Work, at_values};

const ASSUMED: [&str; 2] = ["assumed_round_sd_percent", "assumed_block_sd_percent"];
const SOURCES: [&str; 2] = ["record", "pilot"];

/// Under so many degrees of freedom the spread may truly be a third greater than it looks
/// (upper 80 % limit: 1.31 times at 8).
const FEW_FREEDOM: u32 = 8;

/// What the noise is compared with: the work of this manifest.
pub(super) struct Here<'manifest> {
    pub root: &'manifest CheckedTable,
    pub arms: &'manifest [ArmDraft],
    pub engine: &'manifest SettingsDraft,
    pub work: Option<&'manifest Work>,
}

/// The noise, where it is known.
pub(super) fn hold(
    here: &Here<'_>,
    surroundings: &dyn Surroundings,
    faults: &mut Faults,
) -> Option<Noise> {
    let noise = here.root.table("noise")?;
    let expected = noise.real("expected_effect_percent");
    if !one_way(noise, faults) {
        return None;
    }
    let Some(source) = source(noise) else {
        return Some(Noise {
            assumed_round_sd_percent: noise.real(ASSUMED[0])?.value,
            assumed_block_sd_percent: noise.real(ASSUMED[1])?.value,
            expected_effect_percent: expected?.value,
            source: None,
        });
    };
    let facts = match surroundings.noise(&source.value) {
        Ok(facts) => facts,
        Err(why) => {
            faults.push(none(&source, why, surroundings));
            return None;
        }
    };
    doubts(here, &source, &facts, faults);
    let (round, block) = (facts.round_sd_percent, facts.block_sd_percent);
    Some(Noise::measured(source.value, round, block, expected?.value))
}

/// Both numbers, or one run: whether it is so. Says what is wrong.
fn one_way(noise: &CheckedTable, faults: &mut Faults) -> bool {
    let written = |keys: [&'static str; 2]| keys.map(|key| Some((key, noise.wrote(key)?)));
    let assumed: Vec<_> = written(ASSUMED).into_iter().flatten().collect();
    let sources: Vec<_> = written(SOURCES).into_iter().flatten().collect();
    let exclusive = |(first, there): &(&str, Span), (second, place): &(&str, Span)| {
        Diagnostic::error(
            Code::EXCLUSIVE_KEYS,
            place.clone(),
            format!("`{first}` and `{second}` exclude each other"),
        )
        .also(there.clone(), "the other one")
    };
    match (assumed.as_slice(), sources.as_slice()) {
        ([_, _], []) | ([], [_]) => true,
        ([], []) => {
            faults.push(
                Diagnostic::error(
                    Code::MISSING_KEY,
                    noise.span.clone(),
                    "`[noise]` does not say how much two identical arms differ",
                )
                .help("add `pilot = \"…\"` (`runner try` prints the name), `record = \"<id>/<run>\"`, or both `assumed_round_sd_percent = 0.8` and `assumed_block_sd_percent = 3.0`"),
            );
            false
        }
        ([(key, place)], []) => {
            let missing = if *key == ASSUMED[0] {
                "assumed_block_sd_percent = 3.0"
            } else {
                "assumed_round_sd_percent = 0.8"
            };
            let name = missing.split(" = ").next().unwrap_or(missing);
            faults.push(
                Diagnostic::error(
                    Code::MISSING_KEY,
                    place.clone(),
                    format!("`{key}` needs `{name}` beside it"),
                )
                .help(format!("add `{missing}`")),
            );
            false
        }
        ([], [record, pilot]) => {
            faults.push(
                exclusive(record, pilot)
                    .help("the noise comes from one run: leave one of them out"),
            );
            false
        }
        (assumed, sources) => {
            for (source, number) in
                sources.iter().flat_map(|source| assumed.iter().map(move |number| (source, number)))
            {
                faults.push(exclusive(source, number).help(
                    "a run that is named says how much its arms differ: leave the numbers out, or the run",
                ));
            }
            false
        }
    }
}

fn source(noise: &CheckedTable) -> Option<Spot<NoiseSource>> {
    let record = noise.text("record");
    let pilot = noise.text("pilot");
    let record =
        record.map(|name| Spot { value: NoiseSource::Record(name.value), span: name.span });
    // `runner try` prints the folder in front
    let bare = |name: String| name.strip_prefix("pilots/").map_or(name.clone(), str::to_owned);
    let pilot =
        || pilot.map(|name| Spot { value: NoiseSource::Pilot(bare(name.value)), span: name.span });
    record.or_else(pilot)
}

/// `record` or `pilot`, and its name.
fn words(source: &NoiseSource) -> (&'static str, &str) {
    match source {
        NoiseSource::Record(name) => ("record", name),
        NoiseSource::Pilot(name) => ("pilot", name),
    }
}

fn none(source: &Spot<NoiseSource>, why: NoNoise, surroundings: &dyn Surroundings) -> Diagnostic {
    let (kind, name) = words(&source.value);
    let short = shorten(name);
    match why {
        NoNoise::Unknown(why) => {
            let fault = Diagnostic::error(
                Code::UNKNOWN_NOISE_SOURCE,
                source.span.clone(),
                format!("there is no {kind} `{short}`: {why}"),
            );
            let known = surroundings.noise_sources(&source.value);
            let near = nearest(name, known.iter().map(String::as_str));
            fault.help(match (near, known.last()) {
                (Some(near), _) => format!("did you mean `{kind} = \"{near}\"`?"),
                (None, Some(last)) => format!("the last one is `{kind} = \"{last}\"`"),
                (None, None) => format!(
                    "there are no {kind}s here: `runner try` makes a pilot, or write both `assumed_…` numbers"
                ),
            })
        }
        NoNoise::Unreadable(failure) => Diagnostic::error(
            Code::BAD_NOISE_SOURCE,
            source.span.clone(),
            format!("the {kind} `{short}` cannot be used"),
        )
        .retell(failure),
        NoNoise::TooFewRounds => Diagnostic::error(
            Code::NOISE_OF_TOO_FEW_ROUNDS,
            source.span.clone(),
            format!("the {kind} `{short}` has fewer than two whole rounds of `off` and `aa`"),
        )
        .help("look for longer (`runner try … --minutes 5`), or write both `assumed_…` numbers"),
    }
}

/// Everything that speaks against taking a run's noise for this work.
fn doubts(here: &Here<'_>, source: &Spot<NoiseSource>, facts: &NoiseFacts, faults: &mut Faults) {
    let (kind, name) = words(&source.value);
    let metric = here.root.table("metric").and_then(|metric| metric.choice::<Metric>("primary"));
    let theirs = facts.plan.metric.primary;
    if let Some(metric) = metric
        && metric.value != theirs
    {
        faults.push(
            Diagnostic::error(
                Code::NOISE_OF_OTHER_WORK,
                source.span.clone(),
                format!("the {kind} `{name}` measured `{}`", theirs.key()),
            )
            .also(metric.span, format!("`{}` is judged here", metric.value.key()))
            .help("decoding and prefill differ in their noise: name a run of the same metric"),
        );
        return;
    }
    let differences = differences(here, &facts.plan);
    if !differences.is_empty() {
        faults.push(
            Diagnostic::warning(
                Code::NOISE_OF_OTHER_WORK,
                source.span.clone(),
                format!("the noise of the {kind} `{name}` was measured on other work"),
            )
            .here(differences.join("; "))
            .help("the noise may be another here: measure it on this work with `runner try`"),
        );
    }
    if let Some(why) = &facts.contamination {
        faults.push(
            Diagnostic::warning(
                Code::NOISE_CONTAMINATED,
                source.span.clone(),
                format!("the {kind} `{name}` is void: {why}"),
            )
            .help("its noise is that of a busy machine: take a quieter run"),
        );
    }
    if facts.round_freedom < FEW_FREEDOM {
        faults.push(barely_known(source, facts));
    }
}

fn barely_known(source: &Spot<NoiseSource>, facts: &NoiseFacts) -> Diagnostic {
    let (kind, name) = words(&source.value);
    let blocks = f64::from(facts.plan.design.blocks_per_round.max(1));
    let (round, block) = (facts.round_sd_percent, facts.block_sd_percent);
    let seen = libm::sqrt(round * round + block * block / blocks);
    let degrees = match facts.round_freedom {
        1 => "1 degree of freedom".to_owned(),
        more => format!("{more} degrees of freedom"),
    };
    let factor = facts.upper_round_value_sd_percent / seen;
    let limit = if factor.is_finite() && factor > 1.0 {
        format!("the true spread may be up to {} times this", two_digits(factor))
    } else if facts.upper_round_value_sd_percent > 0.0 {
        format!(
            "the true spread of a round may be up to {} %",
            two_digits(facts.upper_round_value_sd_percent)
        )
    } else {
        "no spread at all was seen".to_owned()
    };
    Diagnostic::warning(
        Code::NOISE_BARELY_KNOWN,
        source.span.clone(),
        format!("the noise of the {kind} `{name}` is barely known"),
    )
    .here(format!("from {degrees}: {limit}"))
    .help(format!(
        "{} % between rounds and {} % between blocks are taken for the truth: look for longer (`runner try … --minutes 10`), or plan with more rounds",
        two_digits(round),
        two_digits(block)
    ))
}

/// `threads 1 there, 2 here` for all in which the run's work is another.
fn differences(here: &Here<'_>, there: &Plan) -> Vec<String> {
    let works_there: Vec<(u32, TimedWork)> = there
        .condition_values()
        .into_iter()
        .map(|value| (there.depth_at(value), there.work_at(value)))
        .collect();
    let works_here: Vec<(u64, TimedWork)> = here
        .work
        .map(|work| {
            at_values(here.root, work).into_iter().map(|(depth, work, _)| (depth, work)).collect()
        })
        .unwrap_or_default();
    let facts = [
        ("model", one(model_here(here)), one(Some(model_there(there)))),
        ("class", one(class_here(here)), one(key_of(&there.workload.class))),
        (
            "timed tokens",
            works_here.iter().map(|(_, work)| timed(*work).to_string()).collect(),
            works_there.iter().map(|(_, work)| timed(*work).to_string()).collect(),
        ),
        (
            "chunk_tokens",
            works_here.iter().filter_map(|(_, work)| chunk(*work)).collect(),
            works_there.iter().filter_map(|(_, work)| chunk(*work)).collect(),
        ),
        (
            "depth_tokens",
            works_here.iter().map(|(depth, _)| depth.to_string()).collect(),
            works_there.iter().map(|(depth, _)| depth.to_string()).collect(),
        ),
        (
            "blocks_per_round",
            one(blocks_here(here)),
            one(Some(there.design.blocks_per_round.to_string())),
        ),
        ("threads", one(threads_here(here)), one(Some(threads_there(there)))),
    ];
    facts
        .into_iter()
        .filter(|(_, here, there)| !here.is_subset(there))
        .map(|(name, here, there)| format!("{name} {} there, {} here", list(there), list(here)))
        .collect()
}

type Facts = BTreeSet<String>;

fn one(fact: Option<String>) -> Facts {
    fact.into_iter().collect()
}

fn list(facts: Facts) -> String {
    facts.into_iter().collect::<Vec<_>>().join(" and ")
}

fn timed(work: TimedWork) -> u32 {
    match work {
        TimedWork::Decode { decode_tokens, .. } => decode_tokens,
        TimedWork::Prefill { prefill_tokens } => prefill_tokens,
    }
}

fn chunk(work: TimedWork) -> Option<String> {
    match work {
        TimedWork::Decode { chunk_tokens, .. } => Some(chunk_tokens.to_string()),
        TimedWork::Prefill { .. } => None,
    }
}

fn model_here(here: &Here<'_>) -> Option<String> {
    let engine = here.root.table("engine")?;
    let file = || engine.text("model_sha256").map(|sha256| short_hash(&sha256.value));
    engine.text("model").map(|name| name.value).or_else(file)
}

fn model_there(there: &Plan) -> String {
    match &there.engine.model {
        ModelChoice::Named(name) => name.clone(),
        ModelChoice::File { sha256, .. } => short_hash(sha256),
    }
}

fn short_hash(sha256: &str) -> String {
    sha256.chars().take(12).collect()
}

fn class_here(here: &Here<'_>) -> Option<String> {
    key_of(&here.root.table("workload")?.choice::<MeasurementClass>("class")?.value)
}

fn key_of(class: &MeasurementClass) -> Option<String> {
    Some(serde_json::to_value(class).ok()?.as_str()?.to_owned())
}

fn blocks_here(here: &Here<'_>) -> Option<String> {
    Some(here.root.table("design")?.whole("blocks_per_round")?.value.to_string())
}

fn threads_here(here: &Here<'_>) -> Option<String> {
    let off = |arm: &&ArmDraft| arm.role.as_ref().is_some_and(|role| role.value == Role::Off);
    let off = here.arms.iter().find(off)?;
    Some(number_of(here.engine.settings.overlaid(&off.settings.settings).threads))
}

fn threads_there(there: &Plan) -> String {
    let off = there.arms.get(there.off());
    number_of(off.and_then(|off| there.settings_of(off).threads))
}

fn number_of(threads: Option<u32>) -> String {
    threads.map_or_else(|| "by default".to_owned(), |threads| threads.to_string())
}
