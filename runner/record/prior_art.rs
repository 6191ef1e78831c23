//! Earlier records that speak of a manifest's question, of its arms, or of one of them: each with
//! the scope in which it holds. Pure comparison of plans.

use std::collections::BTreeSet;

use super::imported::{SeriesKind, imports, model_of_plan, same_model, shapes_of_plan};
use super::list::{FinishedSummary, RunSummary, SummaryState, list};
use super::pilots::{self, PilotEffect, StoredPilot};
use super::registered_plan;
use crate::failure::Failure;
use crate::manifest::{
    Plan, QuestionKey, Role, ScopeDifference, compared_arms, from_canonical, question_key,
    scope_differences, works,
};
use crate::project::Project;
use crate::verdict::{Effect, Verdict};

/// How near an earlier one is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Nearness {
    /// Arms, model, metric, class and work are the same.
    SameQuestion,
    /// All arms are there; model, class, depth or something else is another.
    SameArms,
    /// At least one arm is there.
    OneArm,
}

impl Nearness {
    /// All of them, nearest first.
    pub const ALL: [Nearness; 3] = [Nearness::SameQuestion, Nearness::SameArms, Nearness::OneArm];

    /// The heading of its section.
    #[must_use]
    pub fn heading(self) -> &'static str {
        match self {
            Nearness::SameQuestion => "same question",
            Nearness::SameArms => "same arms, another model, class, depth or engine",
            Nearness::OneArm => "an arm in common",
        }
    }
}

/// An earlier record, registration or pilot.
#[derive(Debug, Clone, PartialEq)]
pub struct PriorArtFound {
    /// How near it is.
    pub nearness: Nearness,
    /// `id/run`, `id` where it was never run, `pilots/run`.
    pub place: String,
    /// What was found there.
    pub found: Found,
    /// In which scope it holds, in words.
    pub scope: String,
    /// Where the manifest's scope goes beyond it.
    pub differs: Vec<ScopeDifference>,
    /// Arms of the manifest that it has too: in what each differs from off.
    pub arms: Vec<String>,
}

/// What an earlier one says.
#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    /// Comparisons of a record.
    Outcomes(Vec<Outcome>),
    /// Effects of a pilot, which never has a verdict.
    Pilot(Vec<PilotEffect>),
    /// Nothing: why, in words.
    Nothing(String),
}

/// A comparison of a record.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The treatment.
    pub arm: String,
    /// The condition; empty without one.
    pub condition: String,
    /// What came out.
    pub verdict: Verdict,
    /// The registered estimate.
    pub effect: Option<Effect>,
    /// `current`, or what became of it.
    pub state: String,
}

/// An import that measured the manifest's work on its model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportFound {
    /// `imported/name`.
    pub place: String,
    /// The tool.
    pub tool: String,
    /// Its tests of that work.
    pub labels: Vec<String>,
    /// Whether any of them has samples.
    pub has_samples: bool,
}

/// All that is stored of like questions.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PriorArtList {
    /// Records, registrations and pilots: nearest first, then by place.
    pub found: Vec<PriorArtFound>,
    /// Imports.
    pub imports: Vec<ImportFound>,
}

/// Looks for what is stored of a plan's question and arms. The plan's own id is left out.
///
/// # Errors
/// When results/ cannot be read. What cannot be read in it is left out: `record verify` says what is
/// wrong with it.
pub fn prior_art(project: &Project, plan: &Plan) -> Result<PriorArtList, Failure> {
    let asked = Asked { plan, key: question_key(plan), arms: compared_arms(plan) };
    let mut found = Vec::new();
    for summary in list(project)?.summaries.iter().filter(|one| one.id != plan.id) {
        let Ok(Some(earlier)) = registered_plan(project, &summary.id) else { continue };
        found.extend(asked.held_against(&earlier).map(|near| of_summary(summary, &earlier, near)));
    }
    for name in pilots::pilot_names(project)? {
        let Ok(Some(pilot)) = pilots::pilot_head(project, &name) else { continue };
        let Ok(earlier) = from_canonical(&pilot.canonical_manifest) else { continue };
        found.extend(asked.held_against(&earlier).map(|near| of_pilot(&pilot, &earlier, near)));
    }
    found.sort_by(|one, other| (one.nearness, &one.place).cmp(&(other.nearness, &other.place)));
    Ok(PriorArtList { found, imports: imports_of(project, plan)? })
}

struct Asked<'plan> {
    plan: &'plan Plan,
    key: QuestionKey,
    arms: BTreeSet<String>,
}

/// Nearness, differences of scope, arms in common.
type Held = (Nearness, Vec<ScopeDifference>, Vec<String>);

impl Asked<'_> {
    fn held_against(&self, earlier: &Plan) -> Option<Held> {
        let theirs = compared_arms(earlier);
        let common: Vec<String> = self.arms.intersection(&theirs).cloned().collect();
        let nearness = if question_key(earlier) == self.key {
            Nearness::SameQuestion
        } else if common.is_empty() {
            return None;
        } else if common.len() == self.arms.len() {
            Nearness::SameArms
        } else {
            Nearness::OneArm
        };
        Some((nearness, scope_differences(self.plan, earlier), common))
    }
}

fn of_summary(summary: &RunSummary, plan: &Plan, (nearness, differs, arms): Held) -> PriorArtFound {
    let place = match &summary.run {
        Some(run) => format!("{}/{run}", summary.id),
        None => summary.id.to_string(),
    };
    let nothing = |why: &str| (Found::Nothing(why.to_owned()), scope_of_plan(plan));
    let (found, scope) = match &summary.state {
        SummaryState::Finished(finished) => (outcomes(finished), scope_of_record(finished, plan)),
        SummaryState::RegisteredOnly => {
            nothing(summary.withdrawn.as_deref().unwrap_or("registered, never run"))
        }
        SummaryState::Searched(what) => nothing(what),
        SummaryState::Unfinished(_) => nothing("unfinished"),
        SummaryState::Newer(head) => {
            nothing(&format!("a record of version {}", head.format_version))
        }
        SummaryState::Unreadable { why } => nothing(&format!("unreadable: {why}")),
    };
    PriorArtFound { nearness, place, found, scope, differs, arms }
}

fn outcomes(finished: &FinishedSummary) -> Found {
    let outcome = |row: &super::list::SummaryRow| Outcome {
        arm: row.arm.clone(),
        condition: row.condition.clone(),
        verdict: row.verdict,
        effect: row.effect.clone(),
        state: row.figure.said(),
    };
    Found::Outcomes(finished.rows.iter().map(outcome).collect())
}

/// `smollm2 as F16, whole model, dense_throughput, decode at depth 512, CPU, on AMD EPYC, 2026-11-30`.
fn scope_of_record(finished: &FinishedSummary, plan: &Plan) -> String {
    let backends = finished.backends.join("+");
    let parts = [
        finished.model.clone(),
        finished.extent.replace('_', " "),
        finished.class.clone(),
        work_at(plan),
        if backends.is_empty() { "backend unknown".to_owned() } else { backends },
        format!("on {}", finished.machine),
        finished.started.chars().take(10).collect(),
    ];
    parts.join(", ")
}

/// What is known of one that has no record.
fn scope_of_plan(plan: &Plan) -> String {
    format!("{}, {}, {}", model_of_plan(plan), plan.workload.class.key(), work_at(plan))
}

/// `decode at depth 0, 512`.
fn work_at(plan: &Plan) -> String {
    let work = works(plan).into_iter().collect::<Vec<String>>().join(" and ");
    let values = plan.condition_values();
    let depths: BTreeSet<u32> = values.iter().map(|value| plan.depth_at(*value)).collect();
    if depths == BTreeSet::from([0]) {
        return work;
    }
    let depths: Vec<String> = depths.iter().map(u32::to_string).collect();
    format!("{work} at depth {}", depths.join(", "))
}

fn of_pilot(pilot: &StoredPilot, plan: &Plan, (nearness, differs, arms): Held) -> PriorArtFound {
    let day: String = pilot.at.chars().take(10).collect();
    let is_aa =
        |name: &str| plan.arms.iter().any(|arm| arm.role == Role::Aa && arm.name.as_str() == name);
    PriorArtFound {
        nearness,
        place: format!("{}/{}", pilots::PILOTS_FOLDER, pilot.run),
        found: Found::Pilot(
            pilot.effects.iter().filter(|effect| !is_aa(&effect.arm)).cloned().collect(),
        ),
        scope: format!("{}, on {}, {day}", scope_of_plan(plan), pilot.machine),
        differs,
        arms,
    }
}

/// Imports with a test of the plan's work on its model.
fn imports_of(project: &Project, plan: &Plan) -> Result<Vec<ImportFound>, Failure> {
    let shapes = shapes_of_plan(plan);
    let model = model_of_plan(plan);
    let mut found = Vec::new();
    for row in imports(project)? {
        let Ok(imported) = row.read else { continue };
        let of_it = imported.series.iter().filter(|series| {
            let same = series.model.as_ref().is_some_and(|name| same_model(name, &model));
            same && shapes.contains(&series.shape)
        });
        let of_it: Vec<&super::imported::Series> = of_it.collect();
        if of_it.is_empty() {
            continue;
        }
        found.push(ImportFound {
            place: format!("imported/{}", row.name),
            tool: imported.tool.clone(),
            labels: of_it.iter().map(|series| series.label.clone()).collect(),
            has_samples: of_it.iter().any(|series| series.kind == SeriesKind::Samples),
        });
    }
    Ok(found)
}
