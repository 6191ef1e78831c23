//! Prompt lookup: what followed the last tokens where they stood before in the same text. This is
//! our own drafter, not the engine's.

use engine_protocol::Token;

/// Looks in the text itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct PromptLookup {
    /// Most tokens that must match; fewer are tried, down to one, when none is found.
    pub longest: usize,
}

impl PromptLookup {
    /// At most `most` tokens that may follow `text`: those behind the latest earlier place of its
    /// end, going on into the draft itself where the text repeats. Empty when there is no such
    /// place.
    pub(super) fn propose(self, text: &[Token], most: usize) -> Vec<Token> {
        let Some(from) = self.follows(text) else { return Vec::new() };
        let mut draft: Vec<Token> = Vec::with_capacity(most);
        for place in from..from + most {
            let token = match place.checked_sub(text.len()) {
                None => text.get(place).copied(),
                Some(drafted) => draft.get(drafted).copied(),
            };
            let Some(token) = token else { break };
            draft.push(token);
        }
        draft
    }

    /// The index behind the latest earlier place of the text's end.
    fn follows(self, text: &[Token]) -> Option<usize> {
        let longest = self.longest.min(text.len().saturating_sub(1));
        (1..=longest).rev().find_map(|length| {
            let end = text.get(text.len() - length..)?;
            let earlier = text.get(..text.len() - 1)?;
            let place = earlier.windows(length).rposition(|window| window == end)?;
            Some(place + length)
        })
    }
}

#[cfg(test)]
mod tests {
    use engine_protocol::Token;

    use super::PromptLookup;

    const THREE: PromptLookup = PromptLookup { longest: 3 };
    const NONE: [Token; 0] = [];

    #[test]
    fn what_followed_the_longest_match_is_drafted() {
        // 7 8 9 stood before, followed by 1 2; the later lone 9 is followed by 4.
        let text = [7, 8, 9, 1, 2, 9, 4, 7, 8, 9];
        assert_eq!(THREE.propose(&text, 2), [1, 2]);
        assert_eq!(PromptLookup { longest: 1 }.propose(&text, 2), [4, 7]);
    }

    #[test]
    fn the_latest_of_several_places_counts() {
        assert_eq!(THREE.propose(&[5, 1, 5, 2, 5], 1), [2]);
    }

    #[test]
    fn shorter_matches_are_tried_and_none_gives_no_draft() {
        assert_eq!(THREE.propose(&[1, 2, 3, 9, 3], 4), [9, 3, 9, 3]);
        assert_eq!(THREE.propose(&[1, 2, 3], 4), NONE);
        assert_eq!(THREE.propose(&[], 4), NONE);
        assert_eq!(THREE.propose(&[1], 4), NONE);
    }

    #[test]
    fn a_repetition_is_drafted_to_full_length() {
        assert_eq!(THREE.propose(&[1, 1], 5), [1; 5]);
        assert_eq!(THREE.propose(&[1, 2, 1, 2], 5), [1, 2, 1, 2, 1]);
    }
}
