//! Texts as words: what can be said of them before any tokenizer is at hand.

use std::collections::HashMap;

/// Numbers for the words of texts: a word is a run of letters and digits, and each other character
/// but white space stands alone. The same word has the same number in all texts.
pub(super) fn numbered_words<'text>(texts: impl Iterator<Item = &'text str>) -> Vec<Vec<u32>> {
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    let mut number = |word: &'text str| {
        let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        *numbers.entry(word).or_insert(next)
    };
    texts.map(|text| words(text).map(&mut number).collect()).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        let end = if first.is_alphanumeric() {
            rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (word, left) = rest.split_at_checked(end)?;
        rest = left;
        Some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_digits_hold_together() {
        let all: Vec<&str> = words(" let x1 = f(é);\n").collect();
        assert_eq!(all, ["let", "x1", "=", "f", "(", "é", ")", ";"]);
        assert_eq!(words("").count(), 0);
    }

    #[test]
    fn a_word_has_one_number() {
        let numbered = numbered_words(["a b a", "b c"].into_iter());
        assert_eq!(numbered, [vec![0, 1, 0], vec![1, 2]]);
    }
}
