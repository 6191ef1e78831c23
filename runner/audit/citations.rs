//! Citations of records in a text: `id/run`, alone or in a link.

use std::ops::Range;

/// A citation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Citation {
    /// `id/run`.
    pub record: String,
    /// Bytes of the text.
    pub span: Range<usize>,
}

/// Length of `20261129-161031`.
const RUN: usize = 15;

/// All citations of a text.
#[must_use]
pub fn citations(text: &str) -> Vec<Citation> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(offset) = text.get(at..).and_then(|rest| rest.find("/2")) {
        let slash = at + offset;
        at = slash + 1;
        let Some(end) = run_end(text, slash + 1) else { continue };
        let start = id_start(text, slash);
        if start == slash {
            continue;
        }
        if let Some(record) = text.get(start..end) {
            found.push(Citation { record: record.to_owned(), span: start..end });
        }
        at = end;
    }
    found
}

/// Where a run's name ends that begins at a byte.
fn run_end(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let plain = (0..RUN).all(|offset| match offset {
        8 => bytes.get(start + offset) == Some(&b'-'),
        _ => digit(start + offset),
    });
    if !plain || digit(start + RUN) {
        return None;
    }
    let end = start + RUN;
    // `-2`, a second run in the same second
    let number =
        bytes.get(end + 1..).unwrap_or(&[]).iter().take_while(|byte| byte.is_ascii_digit()).count();
    let after = bytes.get(end + 1 + number).copied().unwrap_or(b' ');
    let numbered = bytes.get(end) == Some(&b'-')
        && (1..=4).contains(&number)
        && !after.is_ascii_alphanumeric()
        && after != b'-';
    Some(if numbered { end + 1 + number } else { end })
}

fn id_start(text: &str, slash: usize) -> usize {
    let part = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'-';
    let before = text.as_bytes().get(..slash).unwrap_or(&[]);
    let length = before.iter().rev().take_while(|byte| part(byte)).count();
    let start = slash - length;
    let dashes = text.get(start..slash).map_or(0, |id| id.len() - id.trim_start_matches('-').len());
    start + dashes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn citations_alone_and_in_links() {
        let text = "see a-b/20261129-161031, [x](../results/c-2/20261129-161031-2/table.md) and \
                    d/20261129-161031.";
        let found: Vec<String> = citations(text).into_iter().map(|found| found.record).collect();
        assert_eq!(found, ["a-b/20261129-161031", "c-2/20261129-161031-2", "d/20261129-161031"]);
    }

    #[test]
    fn what_is_no_citation() {
        for text in ["a/2026", "/20261129-161031", "a/20261129-1610311", "a/2", "a/20261129_161031"]
        {
            assert_eq!(citations(text), [], "{text}");
        }
        assert_eq!(citations("a/20261129-161031").len(), 1, "at the end of the text");
    }
}
