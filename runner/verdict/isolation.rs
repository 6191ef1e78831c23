//! What a control that keeps no draft says of an arm that drafts: whether its rollback is exact,
//! and whether batches choose what single tokens do.

use engine_protocol::DraftAcceptance;

use super::evidence::{ContractFinding, ContractState, RunFacts};
use crate::manifest::{Arm, Plan};

/// What is exact and what is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Isolation {
    /// Arm and control put out what off does.
    BothExact,
    /// The arm puts out what off does, the control does not.
    BatchingNot,
    /// The control puts out what off does, the arm does not.
    RollbackNot,
    /// Neither does, and both part from off at the same place with the same token.
    BatchingNotAsSeen,
    /// Neither does, at different places.
    Undecided,
    /// There is nothing to say: no control, or one of the two was not compared.
    NotKnown,
}

impl Isolation {
    /// In a few words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Isolation::BothExact => "rollback exact, batching exact",
            Isolation::BatchingNot => "rollback exact, batching not",
            Isolation::RollbackNot => "rollback broken, batching exact",
            Isolation::BatchingNotAsSeen => "batching not exact, no fault of the rollback seen",
            Isolation::Undecided => "undecided: rollback or batching",
            Isolation::NotKnown => "rollback and batching not told apart",
        }
    }
}

/// An arm that drafts with what its control says.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Isolated {
    /// The arm.
    pub arm: String,
    /// The control of the nearest width.
    pub control: Option<String>,
    /// What is exact.
    pub isolation: Isolation,
    /// One sentence.
    pub sentence: String,
}

/// One for each arm that keeps drafts and whose tokens were compared with off's, in manifest
/// order.
#[must_use]
pub fn isolated(plan: &Plan, facts: &RunFacts) -> Vec<Isolated> {
    plan.arms
        .iter()
        .filter_map(|arm| {
            let drafting = plan.drafting_of(arm)?;
            if drafting.acceptance == DraftAcceptance::Nothing {
                return None;
            }
            let name = arm.name.as_str();
            let finding = identical(&facts.contracts, name)
                .or_else(|| identical(&facts.draft_controls, name))?;
            Some(one(plan, facts, arm, drafting.tokens, finding))
        })
        .collect()
}

fn one(
    plan: &Plan,
    facts: &RunFacts,
    arm: &Arm,
    tokens: u32,
    finding: &ContractFinding,
) -> Isolated {
    let name = arm.name.to_string();
    let Some((control, width, of_control)) = control(plan, facts, tokens) else {
        let isolation = match finding.state {
            ContractState::Kept => Isolation::BothExact,
            _ => Isolation::NotKnown,
        };
        let why = match isolation {
            Isolation::BothExact => "on these texts it puts out what off does",
            _ => {
                "there is no control of its width; an arm with `role = \"control\"` and \
                 `draft_acceptance = \"nothing\"` tells them apart"
            }
        };
        let sentence = format!("{name}: {}; {why}", isolation.words());
        return Isolated { arm: name, control: None, isolation, sentence };
    };
    let isolation = match (finding.state, of_control.state) {
        (ContractState::Kept, ContractState::Kept) => Isolation::BothExact,
        (ContractState::Kept, ContractState::Broken) => Isolation::BatchingNot,
        (ContractState::Broken, ContractState::Kept) => Isolation::RollbackNot,
        (ContractState::Broken, ContractState::Broken) => {
            let same = finding.first_divergence.is_some()
                && finding.first_divergence == of_control.first_divergence;
            if same { Isolation::BatchingNotAsSeen } else { Isolation::Undecided }
        }
        _ => Isolation::NotKnown,
    };
    let side = |finding: &ContractFinding| match finding.state {
        ContractState::Kept => "puts out what off does".to_owned(),
        ContractState::Broken => match &finding.first_divergence {
            Some(place) => format!("parts from off ({place}{})", margin(finding)),
            None => "parts from off".to_owned(),
        },
        ContractState::NotSelfEqual => "does not equal itself".to_owned(),
        ContractState::NotRun => "was not compared".to_owned(),
    };
    let sentence = format!(
        "{name}: {}; it {}, and `{control}`, which keeps one token of each batch of {width}, {}",
        isolation.words(),
        side(finding),
        side(of_control)
    );
    Isolated { arm: name, control: Some(control), isolation, sentence }
}

/// How near to a tie off was where the two part, where that was looked at: batches part at near
/// ties, a wrong rollback anywhere.
fn margin(finding: &ContractFinding) -> String {
    let known = finding.figures.iter().find(|figure| figure.name == "fork_margin_off");
    match known.and_then(|figure| figure.value) {
        Some(margin) => {
            format!("; off's logits of the two lie {:.2e} apart", margin.abs())
        }
        None => String::new(),
    }
}

/// The control whose width is nearest, the narrower one of two, with its width.
fn control<'a>(
    plan: &Plan,
    facts: &'a RunFacts,
    tokens: u32,
) -> Option<(String, u32, &'a ContractFinding)> {
    plan.arms
        .iter()
        .filter_map(|arm| {
            let drafting = plan
                .drafting_of(arm)
                .filter(|drafting| drafting.acceptance == DraftAcceptance::Nothing)?;
            let finding = identical(&facts.draft_controls, arm.name.as_str())?;
            Some((drafting.tokens, arm.name.to_string(), finding))
        })
        .min_by_key(|(width, _, _)| (width.abs_diff(tokens), *width))
        .map(|(width, name, finding)| (name, width.saturating_add(1), finding))
}

fn identical<'a>(findings: &'a [ContractFinding], arm: &str) -> Option<&'a ContractFinding> {
    findings.iter().find(|finding| finding.arm == arm && finding.contract == "identical")
}
