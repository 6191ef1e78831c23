//! Where two arms part: whether it was a near-tie. Stated, never forgiven.

use engine_protocol::Token;

use super::logits::shown;
use crate::verdict::{ContractFinding, NamedFigure};

/// What each side's logits say at the place where two generations part, over their common text.
#[derive(Debug, Clone, PartialEq)]
pub struct Forked {
    /// Off's token.
    pub off: Token,
    /// The arm's.
    pub arm: Token,
    /// On off: the logit of its own token less that of the arm's; `None` where it cannot be told.
    pub off_lead: Option<f64>,
    /// What the arm's own logits say.
    pub arm_side: ArmSide,
}

/// The arm's side of the place.
#[derive(Debug, Clone, PartialEq)]
pub enum ArmSide {
    /// The logit of its own token less that of off's; `None` where it cannot be told.
    Lead(Option<f64>),
    /// It drafts: asked for logits it drafts nothing, and they would say nothing of its batches.
    Drafts,
}

impl Forked {
    /// The lead of `own` over `other` in a row of logits; `None` when the row has not both, or
    /// not as numbers.
    #[must_use]
    pub fn lead(row: &[f32], own: Token, other: Token) -> Option<f64> {
        let logit = |token: Token| row.get(usize::try_from(token).ok()?).copied().map(f64::from);
        let lead = logit(own)? - logit(other)?;
        lead.is_finite().then_some(lead)
    }

    /// Adds words and figures to the finding that named the place.
    pub fn add_to(&self, finding: &mut ContractFinding) {
        let (arm, arm_lead) = match self.arm_side {
            ArmSide::Lead(lead) => (
                format!(
                    "those of `{}` token {} before token {} by {}",
                    finding.arm,
                    self.arm,
                    self.off,
                    shown(lead)
                ),
                lead,
            ),
            ArmSide::Drafts => (
                format!(
                    "`{}` drafts, and logits asked of it are those of plain decoding",
                    finding.arm
                ),
                None,
            ),
        };
        finding.detail.push_str(&format!(
            "; where they part, off's logits put token {} before token {} by {}, {arm}",
            self.off,
            self.arm,
            shown(self.off_lead),
        ));
        let figures = [("fork_margin_off", self.off_lead), ("fork_margin_arm", arm_lead)];
        let figures = figures.map(|(name, value)| NamedFigure { name: name.to_owned(), value });
        finding.figures.extend(figures);
    }
}

#[cfg(test)]
mod tests {
    use super::Forked;

    #[test]
    fn a_lead_needs_both_tokens_as_numbers() {
        let row = [1.0, 3.5, f32::NAN];
        assert_eq!(Forked::lead(&row, 1, 0), Some(2.5));
        assert_eq!(Forked::lead(&row, 0, 1), Some(-2.5));
        assert_eq!(Forked::lead(&row, 1, 2), None);
        assert_eq!(Forked::lead(&row, 1, 3), None);
        assert_eq!(Forked::lead(&row, -1, 0), None);
    }
}
