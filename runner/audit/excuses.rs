//! `audit-excuse: REASON` in a comment: of the same line, of the line below, and of the block below
//! where the comment stands alone in a document.

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
}

/// All excuses of a file.
#[must_use]
pub fn excuses(source: &Source) -> Vec<Excuse> {
    if !source.text.contains(MARK) {
        return Vec::new();
    }
    (0..source.line_count())
        .filter_map(|line| Some(Excuse { line, reason: excuse_of(source.line(line))? }))
        .collect()
}

fn excuse_of(line: &str) -> Option<String> {
    let at = line.find(MARK)?;
    let before = line.get(..at)?;
    if !OPENERS.iter().any(|opener| before.contains(opener)) {
        return None;
    }
    let mut reason = line.get(at + MARK.len()..)?;
    for closer in CLOSERS {
        reason = reason.split(closer).next().unwrap_or("");
    }
    Some(reason.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

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
