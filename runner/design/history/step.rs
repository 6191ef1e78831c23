//! A step's plan: an ordinary experiment, derived from the history's.

use super::search::most_steps;
use crate::failure::Failure;
use crate::manifest::{
    Build, BuildName, BuildSource, BuildSpec, ExperimentId, Plan, Role, WorkerChoice, manifest_hash,
};

/// Of which commit, and which step it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommitOfStep<'step> {
    /// From 1.
    pub number: u32,
    /// Hash of the good commit.
    pub good: &'step str,
    /// Hash of the commit that the treatment runs.
    pub commit: &'step str,
    /// How many commits are searched.
    pub commits: usize,
}

/// Digits of a commit in names.
const DIGITS: usize = 7;

/// The plan of a step: the history's own rule, decision and design; `off` and `aa` run the good
/// commit, the treatment another; held to a confidence with which all steps together keep the
/// registered one (Bonferroni over the greatest number of them).
///
/// # Errors
/// A usage failure when the plan is no history, or the confidence would be higher than any rule takes.
pub fn step_plan(history: &Plan, step: CommitOfStep<'_>) -> Result<Plan, Failure> {
    let at = || format!("experiment {}", history.id);
    let asked =
        history.history.as_ref().ok_or_else(|| Failure::usage("it has no `[history]`").at(at()))?;
    let most = most_steps(step.commits, asked.repeats_at_most);
    let confidence = shared(history.decision.confidence_percent, most);
    if confidence > HIGHEST {
        return Err(Failure::usage(format!(
            "{most} steps would each need a confidence of {confidence} %, and {HIGHEST} % is the highest"
        ))
        .at(at())
        .hint("lower `confidence_percent` or `repeats_at_most`, or take fewer commits"));
    }
    let build = |commit: &str| -> Result<WorkerChoice, Failure> {
        let name = BuildName::try_from(format!("commit-{}", short(commit)));
        Ok(WorkerChoice::Build(Box::new(Build {
            name: name.map_err(|bad| Failure::usage(bad.why).at(at()))?,
            spec: BuildSpec {
                source: BuildSource::Revision {
                    checkout: asked.checkout.clone(),
                    revision: commit.to_owned(),
                },
                ..BuildSpec::default()
            },
        })))
    };
    let (good, candidate) = (build(step.good)?, build(step.commit)?);
    let id = format!("{}-{}-{}", history.id, step.number, short(step.commit));
    let mut plan = history.clone();
    plan.id = ExperimentId::try_from(id).map_err(|bad| Failure::usage(bad.why).at(at()))?;
    plan.title = format!("{}: step {}", history.title, step.number);
    let before = history.mechanism.as_ref().map_or_else(String::new, |text| format!("{text}; "));
    plan.mechanism = Some(format!(
        "{before}step {} of the history `{}` ({}): commit {} against {}; of at most {most} steps, each is \
         held to {confidence} %, so that all keep {} %",
        step.number,
        history.id,
        manifest_hash(history),
        step.commit,
        step.good,
        history.decision.confidence_percent
    ));
    plan.decision.confidence_percent = confidence;
    plan.history = None;
    for arm in &mut plan.arms {
        let worker = if arm.role == Role::Treatment { &candidate } else { &good };
        arm.worker = Some(worker.clone());
    }
    Ok(plan)
}

/// Highest confidence that the language takes.
const HIGHEST: f64 = 99.9;

/// The confidence of one of so many, percent, with four digits after the point, rounded up.
fn shared(confidence_percent: f64, steps: u32) -> f64 {
    let error = (100.0 - confidence_percent) / f64::from(steps.max(1));
    let kept = libm::floor(error * 10_000.0);
    (1_000_000.0 - kept) / 10_000.0
}

fn short(commit: &str) -> &str {
    commit.get(..DIGITS).unwrap_or(commit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::test_plan::plan;
    use crate::manifest::History;

    fn history() -> Plan {
        let mut plan = plan(8, 4);
        plan.history = Some(History {
            checkout: "../a tree".to_owned(),
            good: "v1".to_owned(),
            bad: "v2".to_owned(),
            repeats_at_most: 2,
        });
        plan
    }

    #[test]
    fn a_step_is_an_ordinary_experiment_at_a_shared_confidence() {
        let (good, commit) = ("a".repeat(40), "b".repeat(40));
        let step = CommitOfStep { number: 3, good: &good, commit: &commit, commits: 8 };
        let plan = step_plan(&history(), step).unwrap();
        assert_eq!(plan.id.as_str(), "test-plan-3-bbbbbbb");
        assert_eq!(plan.history, None);
        // 5 % over twelve, rounded to the careful side
        assert_eq!(plan.decision.confidence_percent, 99.5834);
        let workers: Vec<_> = plan.arms.iter().map(|arm| plan.worker_of(arm)).collect();
        assert_eq!(workers[0], workers[1]);
        assert_ne!(workers[0], workers[2]);
        assert!(plan.mechanism.is_some_and(|text| text.contains("at most 12 steps")));
        assert_eq!(shared(95.0, 1), 95.0);
        assert!(step_plan(&crate::design::test_plan::plan(8, 4), step).is_err());
    }
}
