//! Dependency files, as compilers write them for make (`-MMD -MF`).

/// The files that a target depends on, the source first; none if the text is not such a rule.
pub fn dependencies(text: &str) -> Option<Vec<String>> {
    let joined = text.replace("\\\r\n", " ").replace("\\\n", " ");
    let rule = joined.lines().find(|line| !line.trim().is_empty())?;
    let words = words(rule);
    let colon = words.iter().position(|word| word.ends_with(':'))?;
    let after: Vec<String> = words.into_iter().skip(colon.saturating_add(1)).collect();
    (!after.is_empty()).then_some(after)
}

/// Splits at blanks and takes make's escapes back: `\ ` and `\#`, and `$$`. Backslashes before a
/// blank are doubled; elsewhere they stand for themselves.
fn words(rule: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut characters = rule.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' => {
                let mut backslashes = 1_usize;
                while characters.next_if_eq(&'\\').is_some() {
                    backslashes = backslashes.saturating_add(1);
                }
                let escaped = characters.peek().copied().filter(|next| matches!(next, ' ' | '#'));
                let escapes = escaped.is_some() && backslashes % 2 == 1;
                let kept = if escaped.is_some() { backslashes / 2 } else { backslashes };
                word.extend(std::iter::repeat_n('\\', kept));
                if escapes {
                    word.extend(characters.next());
                }
            }
            '$' => {
                let _ = characters.next_if_eq(&'$');
                word.push('$');
            }
            ' ' | '\t' => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            }
            other => word.push(other),
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}
