//! Evidence as it may be published. To be applied before the evidence is judged, so that the
//! verdict's words follow from the stored evidence.

use std::path::Path;

use super::privacy::without_private_paths;
use crate::verdict::{RunEnd, RunFacts};

/// The facts with every absolute path in their texts made relative to `root`, or a mere file name
/// (a worker's standard error names the model's path, for one).
#[must_use]
pub fn publishable_facts(mut facts: RunFacts, root: &Path) -> RunFacts {
    let clean = |text: &mut String| *text = without_private_paths(text, root);
    match &mut facts.end {
        RunEnd::Completed => {}
        RunEnd::StoppedAtLook { detail, .. }
        | RunEnd::OverBudget { detail }
        | RunEnd::NeverQuiet { detail }
        | RunEnd::Broken { detail } => clean(detail),
    }
    facts.arm_faults.iter_mut().for_each(|fault| clean(&mut fault.detail));
    for finding in facts.contracts.iter_mut().chain(&mut facts.draft_controls) {
        clean(&mut finding.detail);
        if let Some(divergence) = &mut finding.first_divergence {
            clean(divergence);
        }
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::example;
    use crate::verdict::{ArmFault, ArmFaultKind};

    #[test]
    fn a_workers_last_words_lose_their_paths() {
        let mut facts = example::evidence().facts;
        facts.end =
            RunEnd::Broken { detail: "no space for /home/ada/project/results/x".to_owned() };
        facts.arm_faults.push(ArmFault {
            arm: "flash".to_owned(),
            kind: ArmFaultKind::Crashed,
            detail: "cannot map '/home/ada/models/tiny.gguf'".to_owned(),
            round: None,
        });
        let facts = publishable_facts(facts, Path::new("/home/ada/project"));
        assert_eq!(facts.end, RunEnd::Broken { detail: "no space for results/x".to_owned() });
        assert_eq!(facts.arm_faults[0].detail, "cannot map 'tiny.gguf'");
        assert_eq!(facts.contracts, example::evidence().facts.contracts);
    }
}
