//! `identical`: the same tokens, one by one.

use engine_protocol::Token;

use crate::verdict::{ContractFinding, ContractState, NamedFigure};

/// Compares pairs of token sequences as they come.
#[derive(Debug, Clone, Default)]
pub struct TokensComparison {
    figures: TokenFigures,
}

/// What comparing token sequences found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TokenFigures {
    /// Pairs of sequences.
    pub sequences: u64,
    /// Positions that both sides have.
    pub compared: u64,
    /// Of those, with the same token.
    pub equal: u64,
    /// Pairs of unequal length.
    pub unequal_lengths: u64,
    /// The first place where the two part.
    pub first_divergence: Option<TokenDivergence>,
}

/// Where two token sequences part. A side that has ended has no token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenDivergence {
    /// Which of the pairs, from 0.
    pub pair: u64,
    /// Id of the input.
    pub input: String,
    /// Position within the sequence, from 0.
    pub position: u64,
    /// The expected side's token.
    pub off: Option<Token>,
    /// The other side's.
    pub arm: Option<Token>,
}

impl std::fmt::Display for TokenDivergence {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let token = |token: Option<Token>| match token {
            Some(token) => format!("token {token}"),
            None => "the end".to_owned(),
        };
        write!(
            formatter,
            "input `{}`, position {}: {} here, {} there",
            self.input,
            self.position,
            token(self.off),
            token(self.arm)
        )
    }
}

impl TokensComparison {
    /// Nothing compared yet.
    #[must_use]
    pub fn new() -> TokensComparison {
        TokensComparison::default()
    }

    /// Compares the two sequences of one input.
    pub fn add(&mut self, input: &str, off: &[Token], arm: &[Token]) {
        let figures = &mut self.figures;
        figures.sequences += 1;
        figures.compared += off.len().min(arm.len()) as u64;
        figures.equal += off.iter().zip(arm).filter(|(left, right)| left == right).count() as u64;
        figures.unequal_lengths += u64::from(off.len() != arm.len());
        if figures.first_divergence.is_some() || off == arm {
            return;
        }
        let position = off.iter().zip(arm).take_while(|(left, right)| left == right).count();
        figures.first_divergence = Some(TokenDivergence {
            pair: figures.sequences - 1,
            input: input.to_owned(),
            position: position as u64,
            off: off.get(position).copied(),
            arm: arm.get(position).copied(),
        });
    }

    /// What was found.
    #[must_use]
    pub fn finish(self) -> TokenFigures {
        self.figures
    }
}

impl TokenFigures {
    /// The same tokens throughout, and at least one of them: zero tokens prove nothing.
    #[must_use]
    pub fn is_equal(&self) -> bool {
        self.compared > 0 && self.first_divergence.is_none()
    }

    fn summary(&self) -> String {
        if self.compared == 0 {
            return "no token was compared".to_owned();
        }
        let lengths = if self.unequal_lengths == 0 {
            String::new()
        } else {
            format!(", {} of unequal length", self.unequal_lengths)
        };
        format!(
            "{} of {} tokens equal over {} sequences{lengths}",
            self.equal, self.compared, self.sequences
        )
    }
}

/// The finding of `identical` for an arm. `off_again` and `arm_again` compare each side with
/// itself across two processes and come first: a side that does not repeat itself cannot be
/// asked to equal another.
#[must_use]
pub fn identical_finding(
    arm: &str,
    off_again: &TokenFigures,
    arm_again: &TokenFigures,
    between: &TokenFigures,
) -> ContractFinding {
    let finding = |state: ContractState, figures: &TokenFigures, detail: String| ContractFinding {
        arm: arm.to_owned(),
        contract: "identical".to_owned(),
        condition: None,
        state,
        compared: figures.compared,
        detail,
        first_divergence: figures.first_divergence.as_ref().map(ToString::to_string),
        figures: vec![
            NamedFigure {
                name: "tokens_equal".to_owned(),
                value: (figures.compared > 0).then_some(figures.equal as f64),
            },
            NamedFigure {
                name: "tokens_compared".to_owned(),
                value: Some(figures.compared as f64),
            },
        ],
    };
    for (side, again) in [("off", off_again), (arm, arm_again)] {
        if again.compared == 0 {
            let detail = format!("`{side}` against itself: no token was compared");
            return finding(ContractState::Broken, again, detail);
        }
        if !again.is_equal() {
            let detail = format!("`{side}` against itself: {}", again.summary());
            return finding(ContractState::NotSelfEqual, again, detail);
        }
    }
    let state = if between.is_equal() { ContractState::Kept } else { ContractState::Broken };
    finding(state, between, format!("off (here) and `{arm}` (there): {}", between.summary()))
}

#[cfg(test)]
mod tests {
    use super::{TokenFigures, TokensComparison, identical_finding};
    use crate::verdict::ContractState;

    fn compared(pairs: &[(&str, &[i32], &[i32])]) -> TokenFigures {
        let mut comparison = TokensComparison::new();
        for (input, off, arm) in pairs {
            comparison.add(input, off, arm);
        }
        comparison.finish()
    }

    #[test]
    fn both_sides_the_count_and_the_first_divergence_are_named() {
        let same = compared(&[("a", &[1, 2, 3], &[1, 2, 3])]);
        let other = compared(&[("a", &[1, 2, 3], &[1, 2, 3]), ("b", &[4, 5, 6], &[4, 9, 6])]);
        let found = identical_finding("fast", &same, &same, &other);
        assert_eq!(found.state, ContractState::Broken);
        assert_eq!(found.compared, 6);
        assert_eq!(
            found.detail,
            "off (here) and `fast` (there): 5 of 6 tokens equal over 2 sequences"
        );
        assert_eq!(
            found.first_divergence.unwrap(),
            "input `b`, position 1: token 5 here, token 9 there"
        );
        let kept = identical_finding("fast", &same, &same, &same);
        assert_eq!((kept.state, kept.first_divergence), (ContractState::Kept, None));
    }

    #[test]
    fn a_side_that_does_not_repeat_itself_cannot_be_asked() {
        let same = compared(&[("a", &[1, 2], &[1, 2])]);
        let unlike = compared(&[("a", &[1, 2], &[1, 3])]);
        let found = identical_finding("fast", &unlike, &same, &same);
        assert_eq!(found.state, ContractState::NotSelfEqual);
        assert!(found.detail.starts_with("`off` against itself"), "{}", found.detail);
        let found = identical_finding("fast", &same, &unlike, &same);
        assert!(found.detail.starts_with("`fast` against itself"), "{}", found.detail);
    }

    #[test]
    fn a_sequence_that_ends_early_is_a_divergence() {
        let same = compared(&[("a", &[1], &[1])]);
        let short = compared(&[("a", &[1, 2], &[1])]);
        let found = identical_finding("fast", &same, &same, &short);
        assert_eq!(found.state, ContractState::Broken);
        assert_eq!(
            found.first_divergence.unwrap(),
            "input `a`, position 1: token 2 here, the end there"
        );
    }

    #[test]
    fn nothing_compared_fails() {
        let same = compared(&[("a", &[1], &[1])]);
        for empty in [compared(&[]), compared(&[("a", &[], &[])])] {
            assert!(!empty.is_equal());
            let found = identical_finding("fast", &same, &same, &empty);
            assert_eq!((found.state, found.compared), (ContractState::Broken, 0));
            let found = identical_finding("fast", &empty, &same, &same);
            assert_eq!((found.state, found.compared), (ContractState::Broken, 0));
        }
    }
}
