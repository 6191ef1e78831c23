//! What a control that keeps no draft says of an arm that drafts: whether its rollback is exact,
//! and whether batches choose what single tokens do.

use engine_protocol::DraftAcceptance;

use super::evidence::{ContractFinding, ContractState, RunFacts};
use crate::manifest::{Arm, Plan};

/// How near off's two logits lie where two part of which we say that batching parts them, in
/// logits. Kernels for batches differ by rounding alone; a wrong rollback parts anywhere.
const NEAR_TIE: f64 = 0.05;

/// What is exact and what is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Isolation {
    /// Arm and control put out what off does.
    BothExact,
    /// The arm puts out what off does; the control, whose batches are no wider, does not.
    BatchingNot,
    /// The arm puts out what off does; the control, whose batches are wider, does not.
    WiderControlNot,
    /// The control puts out what off does, the arm does not. The control rolls back by the same
    /// code, so that does not say that the rollback is at fault.
    ArmAloneNot,
    /// Neither does; both part from off at the same place with the same token, at a near tie.
    BatchingNotAsSeen,
    /// Neither does, at different places or where off's logits do not nearly tie.
    Undecided,
    /// There is nothing to say: no control, or one of the two was not compared.
    NotKnown,
}

impl Isolation {
    fn of(arm: &Side<'_>, control: &Side<'_>) -> Isolation {
        match (arm.finding.state, control.finding.state) {
            (ContractState::Kept, ContractState::Kept) => Isolation::BothExact,
            (ContractState::Kept, ContractState::Broken) if arm.width >= control.width => {
                Isolation::BatchingNot
            }
            (ContractState::Kept, ContractState::Broken) => Isolation::WiderControlNot,
            (ContractState::Broken, ContractState::Kept) => Isolation::ArmAloneNot,
            (ContractState::Broken, ContractState::Broken) => {
                let place = &arm.finding.first_divergence;
                let same = place.is_some() && *place == control.finding.first_divergence;
                let near = margin(arm.finding).is_some_and(|margin| margin <= NEAR_TIE);
                if same && near { Isolation::BatchingNotAsSeen } else { Isolation::Undecided }
            }
            _ => Isolation::NotKnown,
        }
    }

    /// In a few words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Isolation::BothExact => "rollback exact, batching exact",
            Isolation::BatchingNot => "rollback exact, batching not",
            Isolation::WiderControlNot => {
                "rollback exact; wider batches than its own are not exact"
            }
            Isolation::ArmAloneNot => {
                "the arm parts and batches whose drafts are all rejected do not: a narrower width, \
                 acceptance or the rollback"
            }
            Isolation::BatchingNotAsSeen => "batching not exact, no fault of the rollback seen",
            Isolation::Undecided => "undecided: rollback or batching",
            Isolation::NotKnown => "rollback and batching not told apart",
        }
    }
}

/// An arm's tokens against off's, and its widest batch in tokens.
struct Side<'a> {
    finding: &'a ContractFinding,
    width: u32,
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
            let width = drafting.tokens.saturating_add(1);
            Some(one(plan, facts, arm, &Side { finding, width }))
        })
        .collect()
}

fn one(plan: &Plan, facts: &RunFacts, arm: &Arm, own: &Side<'_>) -> Isolated {
    let name = arm.name.to_string();
    let Some((control, of_control)) = control(plan, facts, own.width) else {
        let isolation = match own.finding.state {
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
    let isolation = Isolation::of(own, &of_control);
    let own_width = match own.width == of_control.width {
        true => String::new(),
        false => format!("in batches of up to {} ", own.width),
    };
    let sentence = format!(
        "{name}: {}; {own_width}it {}, and `{control}`, which keeps one token of each batch of {}, {}",
        isolation.words(),
        put_out(own.finding),
        of_control.width,
        put_out(of_control.finding)
    );
    Isolated { arm: name, control: Some(control), isolation, sentence }
}

fn put_out(finding: &ContractFinding) -> String {
    match finding.state {
        ContractState::Kept => "puts out what off does".to_owned(),
        ContractState::Broken => match (&finding.first_divergence, margin(finding)) {
            (Some(place), Some(margin)) => {
                format!("parts from off ({place}; off's logits of the two lie {margin:.2e} apart)")
            }
            (Some(place), None) => format!("parts from off ({place})"),
            (None, _) => "parts from off".to_owned(),
        },
        ContractState::NotSelfEqual => "does not equal itself".to_owned(),
        ContractState::NotRun => "was not compared".to_owned(),
    }
}

/// How far apart off's logits of the two tokens lie where the two part, where that was looked at.
fn margin(finding: &ContractFinding) -> Option<f64> {
    let known = finding.figures.iter().find(|figure| figure.name == "fork_margin_off")?;
    known.value.map(f64::abs)
}

/// The control whose width is nearest, the narrower one of two.
fn control<'a>(plan: &Plan, facts: &'a RunFacts, width: u32) -> Option<(String, Side<'a>)> {
    plan.arms
        .iter()
        .filter_map(|arm| {
            let drafting = plan
                .drafting_of(arm)
                .filter(|drafting| drafting.acceptance == DraftAcceptance::Nothing)?;
            let finding = identical(&facts.draft_controls, arm.name.as_str())?;
            let width = drafting.tokens.saturating_add(1);
            Some((arm.name.to_string(), Side { finding, width }))
        })
        .min_by_key(|(_, side)| (side.width.abs_diff(width), side.width))
}

fn identical<'a>(findings: &'a [ContractFinding], arm: &str) -> Option<&'a ContractFinding> {
    findings.iter().find(|finding| finding.arm == arm && finding.contract == "identical")
}
