//! What a registered look saw, for who watches. Nothing is decided by it: the rule decided before.

use super::finish;
use super::observer::SeenAtLook;
use super::run::Run;
use crate::verdict::{Evidence, LookTaken, RunEnd, judge};

/// The figures of a look, as the record will state them; none of an arm that ended by a fault.
pub(super) fn seen(run: &Run<'_, '_>, look: &LookTaken) -> Vec<SeenAtLook> {
    let state = &run.desk.state;
    let evidence = Evidence {
        samples: state.samples.clone(),
        facts: finish::facts(state, &[], RunEnd::Completed),
    };
    let comparisons = judge(run.job.plan, &evidence).comparisons.into_iter();
    let seen = comparisons.filter_map(|comparison| {
        let figure = comparison.looks.into_iter().find(|figure| figure.look == look.look)?;
        Some(SeenAtLook { arm: comparison.arm, condition: comparison.condition, figure })
    });
    let stands = |one: &SeenAtLook| {
        look.standings
            .iter()
            .any(|standing| standing.arm == one.arm && standing.condition == one.condition)
    };
    seen.filter(stands).collect()
}
