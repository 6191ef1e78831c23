//! The greedy choice from a row of logits, with how clear it was.

use engine_protocol::Token;

use crate::EngineError;

/// The best token of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Choice {
    /// The lowest id on a tie.
    pub(super) token: Token,
    /// The best logit less the second best; 0 on a tie.
    pub(super) margin: f32,
}

impl Choice {
    /// # Errors
    /// [`EngineError::Compute`] when a logit is not a number, or there are fewer than two.
    pub(super) fn of(row: &[f32]) -> Result<Self, EngineError> {
        let [first, second, ..] = row else {
            return Err(EngineError::Compute("a choice needs two logits at least".to_owned()));
        };
        let (mut best, mut best_index, mut next) = (*first, 0, *second);
        for (index, logit) in row.iter().enumerate() {
            if logit.is_nan() {
                return Err(EngineError::Compute(format!(
                    "the logit of token {index} is not a number"
                )));
            }
            if index == 0 {
                next = f32::NEG_INFINITY;
            } else if *logit > best {
                (best, best_index, next) = (*logit, index, best);
            } else if *logit > next {
                next = *logit;
            }
        }
        let token = Token::try_from(best_index)
            .map_err(|_| EngineError::Compute(format!("{best_index} is no token")))?;
        Ok(Self { token, margin: best - next })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_is_chosen_with_its_margin() {
        let choice = |row: &[f32]| Choice::of(row).unwrap();
        assert_eq!(choice(&[1.0, 4.0, 3.5, -2.0]), Choice { token: 1, margin: 0.5 });
        assert_eq!(choice(&[4.0, 1.0, 3.5]), Choice { token: 0, margin: 0.5 });
        assert_eq!(choice(&[1.0, 2.0, 2.0]), Choice { token: 1, margin: 0.0 });
        assert_eq!(choice(&[-3.0, -3.0]), Choice { token: 0, margin: 0.0 });
        assert!(Choice::of(&[1.0, f32::NAN]).is_err());
        assert!(Choice::of(&[f32::NAN, 1.0]).is_err());
        assert!(Choice::of(&[1.0]).is_err());
    }
}
