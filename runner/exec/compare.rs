//! Two sequences of tokens side by side.

use engine_protocol::Token;

/// Where two sequences first part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Parting {
    /// From 0.
    pub(super) position: usize,
    /// On the reference's side; `None` when it ended before.
    pub(super) expected: Option<Token>,
    /// On the other side; `None` when it ended before.
    pub(super) found: Option<Token>,
}

/// The first place where they differ.
pub(super) fn parting(
    expected: impl Iterator<Item = Token>,
    found: impl Iterator<Item = Token>,
) -> Option<Parting> {
    let (mut expected, mut found) = (expected, found);
    let mut position = 0;
    loop {
        match (expected.next(), found.next()) {
            (None, None) => return None,
            (a, b) if a == b => position += 1,
            (a, b) => return Some(Parting { position, expected: a, found: b }),
        }
    }
}

impl Parting {
    /// In words: input, position and both tokens.
    pub(super) fn describe(&self, input: &str, offset: usize, of: usize) -> String {
        let token = |token: Option<Token>| {
            token.map_or_else(|| "no token".to_owned(), |token| format!("token {token}"))
        };
        format!(
            "input `{input}`, position {} of {of}: {} instead of {}",
            self.position + offset,
            token(self.found),
            token(self.expected)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_named_with_both_sides() {
        let seen = parting([1, 2, 3].into_iter(), [1, 2, 4].into_iter()).unwrap();
        assert_eq!(
            seen.describe("p1", 0, 3),
            "input `p1`, position 2 of 3: token 4 instead of token 3"
        );
    }

    #[test]
    fn a_shorter_sequence_differs_where_it_ends() {
        let seen = parting([1, 2].into_iter(), [1].into_iter()).unwrap();
        assert_eq!((seen.position, seen.expected, seen.found), (1, Some(2), None));
        assert_eq!(parting(std::iter::empty(), std::iter::empty()), None);
    }
}
