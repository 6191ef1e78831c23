//! `audit-excuse: REASON` in a comment: of the same line, of the line below, and of the block below
//! where the comment stands alone in a document.

use super::files::is_markdown;
use super::source::Source;

const MARK: &str = "audit-excuse:";
/// What a comment begins with, in the languages that a repository has.
const OPENERS: [&str; 7] = ["<!--", "//", "#", "/*", "--", ";", "%"];
const CLOSERS: [&str; 2] = ["-->", "*/"];

/// An excuse as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excuse {
    /// Line, from 0.
    pub line: usize,
    /// Why; empty is no excuse.
    pub reason: String,
    /// What it excuses.
    pub reach: Reach,
}

/// Which line an excuse is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Its own: something stands before the comment.
    Line,
    /// The one below: the comment has a line to itself.
    Below,
}

impl Excuse {
    /// Whether it excuses a line (from 0). One without a reason excuses none.
    #[must_use]
    pub fn excuses(&self, line: usize) -> bool {
        let own = self.line == line;
        let below = self.reach == Reach::Below && self.line + 1 == line;
        !self.reason.is_empty() && (own || below)
    }
}

/// All excuses of a file.
#[must_use]
pub fn excuses(source: &Source) -> Vec<Excuse> {
    if !source.text.contains(MARK) {
        return Vec::new();
    }
    let language = if is_markdown(&source.path) { Language::Prose } else { Language::Program };
    (0..source.line_count())
        .filter_map(|line| {
            let (reason, reach) = excuse_of(source.line(line), language)?;
            Some(Excuse { line, reason, reach })
        })
        .collect()
}

/// What the quotation marks of a line mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Language {
    /// Nothing.
    Prose,
    /// What stands between two of them is a text, and no comment.
    Program,
}

fn excuse_of(line: &str, language: Language) -> Option<(String, Reach)> {
    let at = line.find(MARK)?;
    let before = line.get(..at)?;
    let opener = OPENERS.iter().find(|opener| before.trim_end().ends_with(**opener))?;
    let outside = before.trim_end().strip_suffix(opener)?.trim_end_matches(['/', '#', '!']);
    if language == Language::Program && outside.matches('"').count() % 2 == 1 {
        return None;
    }
    let alone = outside.trim().is_empty();
    let mut reason = line.get(at + MARK.len()..)?;
    for closer in CLOSERS {
        reason = reason.split(closer).next().unwrap_or("");
    }
    let reach = if alone { Reach::Below } else { Reach::Line };
    Some((reason.trim().to_owned(), reach))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_a_program_is_no_comment() {
        let text =
            "let text = \"// audit-excuse: so\";\nlet x = 1; // audit-excuse: \"x\"\n".to_owned();
        let source = Source::new("a.rs".to_owned(), text);
        let lines: Vec<usize> = excuses(&source).iter().map(|excuse| excuse.line).collect();
        assert_eq!(lines, [1]);
    }

    #[test]
    fn excuses_stand_in_comments() {
        let text = "a 1.2x <!-- audit-excuse: a story -->\n// audit-excuse: made up\n\
                    audit-excuse: in no comment\n# audit-excuse:\n/* audit-excuse: c */ x\n";
        let source = Source::new("a".to_owned(), text.to_owned());
        let found: Vec<(usize, String)> =
            excuses(&source).into_iter().map(|excuse| (excuse.line, excuse.reason)).collect();
        let expected = [(0, "a story"), (1, "made up"), (3, ""), (4, "c")];
        assert_eq!(found, expected.map(|(line, reason)| (line, reason.to_owned())));
    }
}
