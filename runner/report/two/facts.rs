//! What two records have in common and what not.

use std::collections::{BTreeMap, BTreeSet};

use crate::manifest::{compared_arms, scope_differences};
use crate::record::{Record, STACK_MACHINE_FACTS};

/// What a fact is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    /// What the figures speak of.
    Scope,
    /// How they were measured.
    Method,
    /// What they depend on: machine and engine.
    Stack,
    /// When, and at which commit: never the same.
    Run,
}

/// A fact of both records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fact {
    pub about: About,
    pub name: String,
    pub first: String,
    pub second: String,
}

impl Fact {
    pub fn is_same(&self) -> bool {
        self.first == self.second
    }
}

const NONE: &str = "none";

/// All facts, in a fixed order; one that neither record has is left out.
pub(super) fn facts(first: &Record, second: &Record) -> Vec<Fact> {
    let (one, other) = (facts_of(first), facts_of(second));
    let mut names: Vec<(About, String)> = Vec::new();
    for (about, name, _) in one.iter().chain(&other) {
        if !names.iter().any(|(_, known)| known == name) {
            names.push((*about, name.clone()));
        }
    }
    let value = |facts: &[(About, String, String)], name: &str| {
        let found = facts.iter().find(|(_, other, _)| other == name);
        found.map_or_else(|| NONE.to_owned(), |(_, _, value)| value.clone())
    };
    let mut all: Vec<Fact> = names
        .into_iter()
        .map(|(about, name)| Fact {
            first: value(&one, &name),
            second: value(&other, &name),
            about,
            name,
        })
        .collect();
    all.extend(scope(first, second));
    all.extend(flags(first, second));
    all.sort_by_key(|fact| match fact.about {
        About::Scope => 0,
        About::Method => 1,
        About::Stack => 2,
        About::Run => 3,
    });
    all
}

/// Differences that follow from the plans: work, depth, workers and threads of off.
fn scope(first: &Record, second: &Record) -> Vec<Fact> {
    const STATED: [&str; 4] = ["model", "class", "threads", "treatments"]; // among the facts already
    let mut found: BTreeMap<&str, Fact> = BTreeMap::new();
    let mut add = |what: &'static str, first: String, second: String| {
        if !STATED.contains(&what) {
            let fact = Fact { about: About::Scope, name: what.to_owned(), first, second };
            found.entry(what).or_insert(fact);
        }
    };
    for one in scope_differences(&first.plan, &second.plan) {
        add(one.what, one.here, one.there);
    }
    for one in scope_differences(&second.plan, &first.plan) {
        add(one.what, one.there, one.here);
    }
    found.into_values().collect()
}

fn facts_of(record: &Record) -> Vec<(About, String, String)> {
    let (plan, provenance) = (&record.plan, &record.provenance);
    let mut facts = Vec::new();
    let mut add = |about: About, name: &str, value: String| {
        facts.push((about, name.to_owned(), value));
    };
    let hash: String = provenance.model.sha256.chars().take(12).collect();
    add(About::Scope, "model", format!("{} ({hash})", provenance.model.name));
    add(About::Scope, "extent", provenance.regime.extent.replace('_', " "));
    add(About::Scope, "class", provenance.regime.class.clone());
    let inputs: String = provenance.workload.blake3.chars().take(12).collect();
    add(About::Scope, "inputs", format!("{} ({inputs})", provenance.workload.name));
    add(About::Scope, "backends", provenance.regime.backends.join(", "));
    add(About::Scope, "metric", plan.metric.primary.key().to_owned());
    let arms: Vec<String> = compared_arms(plan).into_iter().collect();
    add(About::Scope, "arms", arms.join("; "));
    if let Some(off) = plan.arms.get(plan.off()) {
        let settings = serde_json::to_value(plan.settings_of(off)).unwrap_or_default();
        for (key, value) in settings.as_object().into_iter().flatten() {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            add(About::Scope, &format!("off: {key}"), value);
        }
    }
    add(About::Method, "rounds", record.sealed.analysis.rounds_judged.to_string());
    add(About::Method, "blocks a round", plan.design.blocks_per_round.to_string());
    add(About::Method, "margin", format!("{} %", plan.decision.margin_percent));
    add(About::Method, "confidence", format!("{} %", plan.decision.confidence_percent));
    add(About::Method, "rules version", record.sealed.rules_version.to_string());
    for name in STACK_MACHINE_FACTS {
        if let Some(value) = provenance.start.machine.get(*name) {
            add(About::Stack, name, value.clone());
        }
    }
    if let Some(scheduler) = &provenance.scheduler {
        add(About::Stack, "scheduler", scheduler.words());
    }
    for engine in &provenance.engines {
        let of = |what: &str| {
            let only = provenance.engines.len() == 1;
            if only { what.to_owned() } else { format!("{what} of {}", engine.worker) }
        };
        let facts = &engine.facts;
        let source: String = facts.source_blake3.chars().take(12).collect();
        add(About::Stack, &of("engine"), format!("{} {}", facts.name, facts.version));
        add(About::Stack, &of("engine's source"), source);
        add(About::Stack, &of("compiler"), facts.compiler.clone());
        let isa: BTreeSet<&String> = facts.instruction_set.iter().collect();
        let isa: Vec<&str> = isa.into_iter().map(String::as_str).collect();
        add(About::Stack, &of("instruction set"), isa.join(" "));
    }
    let commit = provenance.repository.commit.as_deref().unwrap_or("unknown");
    add(About::Run, "commit", commit.chars().take(12).collect());
    add(About::Run, "started", provenance.start.utc.chars().take(16).collect());
    add(About::Run, "attempt", record.sealed.attempt.to_string());
    facts
}

/// Compilers' flags that one has and the other has not, where both ran engines of the same names.
fn flags(first: &Record, second: &Record) -> Option<Fact> {
    const MOST: usize = 6; // what a line of a table still shows
    let of = |record: &Record| -> BTreeSet<String> {
        let engines = record.provenance.engines.iter();
        let flags = engines.flat_map(|engine| engine.facts.flags.iter());
        flags
            .flat_map(|(component, flags)| {
                flags.iter().map(move |flag| format!("{component} {flag}"))
            })
            .collect()
    };
    let (one, other) = (of(first), of(second));
    if one == other {
        return None;
    }
    let alone = |own: &BTreeSet<String>, others: &BTreeSet<String>| {
        let alone: Vec<&str> = own.difference(others).map(String::as_str).collect();
        match alone.len() {
            0 => NONE.to_owned(),
            all if all > MOST => format!("{all} that the other has not"),
            _ => alone.join(", "),
        }
    };
    Some(Fact {
        about: About::Stack,
        name: "flags".to_owned(),
        first: alone(&one, &other),
        second: alone(&other, &one),
    })
}
