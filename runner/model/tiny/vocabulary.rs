//! The tokenizer of `builtin-tiny`: SentencePiece with byte fallback, so that any text can be
//! tokenised and none is ever unknown.

/// Tokens in all.
pub(super) const VOCABULARY: usize = 512;
/// Ids 0 to 2 are unknown, beginning and end; then come 256 bytes; then the pieces.
pub(super) const FIRST_PIECE: usize = 3 + 256;
/// The byte token of a line feed.
pub(super) const LINE_FEED: usize = 3 + 0x0a;

/// SentencePiece writes a space as U+2581.
const SPACE: char = '\u{2581}';

/// Frequent pieces of English, the most frequent first. Each is made of two that are tokens, or
/// the tokenizer would never reach it.
const PIECES: &str = "\
▁t he ▁a in re ▁s er ▁the on nd ▁w ▁c en at ▁o it an es ▁b ▁p ▁f ou or ▁m ed ▁d
▁h is ▁of ▁in ar ▁and ing al ▁to ▁l le ▁n st ic as ▁th om ve se ll ▁re ▁be ion
▁g ro id ot ▁on et ▁is ct ▁st ly ow ut ur el ch im ▁it ay ce ▁he am ad ol ent il
▁for ir ver ▁y ▁con ig ra ation ith ▁that ▁wh ▁e us ▁with ere if ▁an ss ▁as ▁was
her op ge ▁you qu ter ies un em ▁r ▁pro ke ess end ate ▁com hat ▁ha ▁k th ill
ain ist ment our ul ab oo ers ▁are ▁at ther res ue out ast ▁by ore ich pe ag os
pp all per ect ame art one way and ple nt ell iv um tr li ound ▁not ity ▁do wo
fo";

/// A token as the GGUF stores it.
pub(super) struct Vocabulary {
    pub(super) tokens: Vec<String>,
    pub(super) scores: Vec<f32>,
    /// llama.cpp's token types: 1 normal, 2 unknown, 3 control, 6 byte.
    pub(super) types: Vec<i32>,
}

/// All tokens in order.
pub(super) fn vocabulary() -> Vocabulary {
    let mut all = Vocabulary { tokens: Vec::new(), scores: Vec::new(), types: Vec::new() };
    let mut push = |token: String, score: f32, kind: i32| {
        all.tokens.push(token);
        all.scores.push(score);
        all.types.push(kind);
    };
    push("<unk>".into(), 0.0, 2);
    push("<s>".into(), 0.0, 3);
    push("</s>".into(), 0.0, 3);
    for byte in 0..=u8::MAX {
        push(format!("<0x{byte:02X}>"), 0.0, 6);
    }
    // The tokenizer merges the best score first; single characters are never a merge.
    let mut merged: Vec<&str> = Vec::new();
    for piece in PIECES.split_whitespace() {
        if !merged.contains(&piece) {
            merged.push(piece);
        }
    }
    for (rank, piece) in merged.iter().enumerate() {
        push((*piece).to_owned(), -(rank as f32), 1);
    }
    let single = std::iter::once(SPACE).chain('!'..='~');
    for (rank, character) in single.enumerate() {
        push(character.to_string(), -((merged.len() + rank) as f32), 1);
    }
    all
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn there_are_512_different_tokens() {
        let all = vocabulary();
        assert_eq!(all.tokens.len(), VOCABULARY);
        assert_eq!(all.tokens.iter().collect::<BTreeSet<_>>().len(), VOCABULARY);
        assert_eq!(all.tokens[LINE_FEED], "<0x0A>");
    }

    #[test]
    fn every_piece_is_made_of_two_tokens() {
        let all = vocabulary();
        let known: BTreeSet<&str> = all.tokens[FIRST_PIECE..].iter().map(String::as_str).collect();
        for token in known.iter().filter(|token| token.chars().count() > 1) {
            let reachable = token
                .char_indices()
                .skip(1)
                .any(|(cut, _)| known.contains(&token[..cut]) && known.contains(&token[cut..]));
            assert!(reachable, "{token}");
        }
    }
}
