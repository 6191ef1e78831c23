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
    /// On the arm: the logit of its own token less that of off's.
    pub arm_lead: Option<f64>,
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
        finding.detail.push_str(&format!(
            "; where they part, off's logits put token {} before token {} by {}, those of `{}` \
             token {} before token {} by {}",
            self.off,
            self.arm,
            shown(self.off_lead),
            finding.arm,
            self.arm,
            self.off,
            shown(self.arm_lead),
        ));
        let figures = [("fork_margin_off", self.off_lead), ("fork_margin_arm", self.arm_lead)];
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
