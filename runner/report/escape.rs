//! Strings of people and programs, made harmless for where they are shown.

/// For a terminal, or a line of a file: control characters (newlines, escapes) become spaces.
#[must_use]
pub fn plain_text(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || turns(c) { ' ' } else { c }).collect()
}

/// Characters that turn the direction of what follows: a line could read otherwise than it is
/// (Unicode standard annex 9).
fn turns(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// For a cell or a line of Markdown: as [`plain_text`], with all that Markdown or HTML would
/// read as markup taken as text.
#[must_use]
pub fn markdown_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in plain_text(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '|' | '`' | '*' | '[' | ']' | '~' | '#' => {
                out.push('\\');
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_cannot_be_broken_by_a_name() {
        assert_eq!(markdown_text("a|b\nc"), "a\\|b c");
        assert_eq!(markdown_text("<img src=x>&`*"), "&lt;img src=x&gt;&amp;\\`\\*");
        assert_eq!(markdown_text("a\\|b"), "a\\\\\\|b");
        assert_eq!(plain_text("a\u{202e}b"), "a b");
        assert_eq!(plain_text("red\u{1b}[31m\r\n"), "red [31m  ");
    }
}
