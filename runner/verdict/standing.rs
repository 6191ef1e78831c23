//! Where the comparisons of a run stand after the looks so far, and whether the run stops there.

use super::comparison::Case;
use super::description::LookOutcome;
use super::evidence::ArmFault;
use super::setting::Frame;
use crate::manifest::{Arm, Role};
use crate::rule::Look;

/// Where one comparison stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The treatment.
    pub arm: String,
    /// The condition, `depth_tokens=512`; empty without one.
    pub condition: String,
    /// Number of the look that ended it, or of the last that was taken; 0 before the first.
    pub look: u32,
    /// What that look came to.
    pub outcome: LookOutcome,
}

/// Where the judged comparisons stand, those left out whose arm ended by a fault.
pub(super) fn standings<'a>(
    frame: &'a Frame<'_>,
    cases: &[Case<'_>],
    faults: &[ArmFault],
) -> Standings<'a> {
    let ended = |arm: &Arm| faults.iter().any(|fault| fault.arm == arm.name.as_str());
    let each = cases
        .iter()
        .filter(|case| case.arm.role == Role::Treatment && !ended(case.arm))
        .map(Case::standing)
        .collect();
    Standings { looks: frame.timing.looks(), each }
}

/// Where all comparisons stand that no fault ended.
#[derive(Debug, Clone, Default)]
pub(super) struct Standings<'a> {
    pub looks: &'a [Look],
    pub each: Vec<Standing>,
}

impl Standings<'_> {
    /// Whether the rule stops the run at this look of so many rounds: every comparison was
    /// decided, or futile, there or before.
    pub fn stop_at(&self, number: u32, rounds: u32) -> bool {
        let is_registered =
            self.looks.iter().any(|look| look.number == number && look.rounds == rounds);
        is_registered
            && !self.each.is_empty()
            && self
                .each
                .iter()
                .all(|standing| standing.outcome.ends_comparison() && standing.look <= number)
    }
}

#[cfg(test)]
mod tests {
    use super::{Standing, Standings};
    use crate::rule::Look;
    use crate::verdict::LookOutcome;

    #[test]
    fn a_run_stops_when_its_last_comparison_does() {
        let look = |number| Look::new(number, 8 * number, 0.5, 0.02);
        let looks = [look(1), look(2), look(3)];
        let standing = |look, outcome| Standing {
            arm: "fast".to_owned(),
            condition: String::new(),
            look,
            outcome,
        };
        let each = vec![standing(1, LookOutcome::Win), standing(2, LookOutcome::Futile)];
        let mut standings = Standings { looks: &looks, each };
        assert!(!standings.stop_at(1, 8));
        assert!(standings.stop_at(2, 16));
        assert!(!standings.stop_at(2, 17), "no look has 17 rounds");
        standings.each[0].outcome = LookOutcome::GoOn;
        assert!(!standings.stop_at(2, 16));
        standings.each.clear();
        assert!(!standings.stop_at(2, 16), "nothing was compared");
    }
}
