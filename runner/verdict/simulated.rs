//! The rule of a plan, prepared once and asked many times: for simulations of thousands of runs.

use sample_table::SampleRow;

use super::analysis::Analysis;
use super::evidence::Evidence;
use super::judge::judged_by;
use super::look_taken::{LookTaken, look_of};
use super::rules::Rules;
use super::setting::{Describing, Frame};
use crate::manifest::Plan;

/// A plan's rule with its looks worked out.
pub struct SimulatedRule<'plan> {
    frame: Frame<'plan>,
}

impl std::fmt::Debug for SimulatedRule<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("SimulatedRule").field("plan", &self.frame.plan.id).finish()
    }
}

impl<'plan> SimulatedRule<'plan> {
    /// Of the rules that are followed now.
    #[must_use]
    pub fn of(plan: &'plan Plan) -> SimulatedRule<'plan> {
        let frame = Frame { describing: Describing::Nothing, ..Frame::new(Rules::NOW, plan) };
        SimulatedRule { frame }
    }

    /// What [`super::judge`] says, without what is described beside it.
    #[must_use]
    pub fn judge(&self, evidence: &Evidence) -> Analysis {
        judged_by(&self.frame, evidence)
    }

    /// What [`super::look_after`] says where no arm ended with a fault.
    #[must_use]
    pub fn look_after(&self, samples: &[SampleRow], rounds_done: u32) -> Option<LookTaken> {
        look_of(&self.frame, samples, &[], rounds_done)
    }
}

#[cfg(test)]
mod tests {
    use super::SimulatedRule;
    use crate::design::test_plan::plan;
    use crate::verdict::judge;
    use crate::verdict::test_evidence::{World, evidence};

    #[test]
    fn it_judges_as_the_judgement_does() {
        let plan = plan(8, 6);
        let evidence = evidence(&plan, &World::quiet(5, &[("fast", 0.05)]));
        let mut whole = judge(&plan, &evidence);
        for comparison in whole.comparisons.iter_mut().chain(&mut whole.described) {
            assert!(comparison.description.take().is_some());
            comparison.adjusted = None;
        }
        assert_eq!(SimulatedRule::of(&plan).judge(&evidence), whole);
    }
}
