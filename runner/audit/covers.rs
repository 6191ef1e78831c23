//! Which parts of a document say how they were measured, are examples, or are excused.

use std::ops::Range;

use super::comments::{Comment, block_of};
use super::documents::{Block, BlockKind};
use super::excuses::Excuse;
use super::findings::{Finding, Rule};
use super::source::Source;

/// Why a part of a document needs no citation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoverKind {
    /// A comment says how it was measured, and when.
    Measured,
    /// It is an example.
    Example,
    /// It is excused with a reason.
    Excused,
}

/// A part of a document that needs no citation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cover {
    /// Why.
    pub kind: CoverKind,
    /// Bytes of the text.
    pub span: Range<usize>,
}

/// All covers of a document.
pub fn covers(
    source: &Source,
    blocks: &[Block],
    comments: &[Comment],
    excuses: &[Excuse],
    findings: &mut Vec<Finding>,
) -> Vec<Cover> {
    let mut covers = Vec::new();
    for (at, comment) in comments.iter().enumerate() {
        let kind = if let Some(how) = comment.text.strip_prefix("measured:") {
            if !has_date(how) {
                let what = "says how it was measured, but not when".to_owned();
                let hint = "write the day as 2026-11-29";
                let rule = Rule::MeasuredUndated;
                findings.push(Finding::at(rule, source, &comment.span, what).hint(hint));
                continue;
            }
            CoverKind::Measured
        } else if comment.text == "example" {
            CoverKind::Example
        } else if excuses_block(blocks, comment) {
            CoverKind::Excused
        } else {
            continue;
        };
        let closed = comments
            .get(at + 1..)
            .unwrap_or(&[])
            .iter()
            .find(|next| next.text.starts_with("measured:") || next.text == "/measured");
        let span = match closed {
            Some(close) if kind == CoverKind::Measured && close.text == "/measured" => {
                comment.span.start..close.span.end
            }
            _ => scope(source, blocks, comment),
        };
        covers.push(Cover { kind, span });
    }
    for excuse in excuses {
        for line in [excuse.line, excuse.line + 1] {
            if excuse.excuses(line) {
                covers.push(Cover { kind: CoverKind::Excused, span: source.line_span(line) });
            }
        }
    }
    covers
}

/// Whether a comment excuses the block below it: it has a reason, and stands alone.
fn excuses_block(blocks: &[Block], comment: &Comment) -> bool {
    let reason = comment.text.strip_prefix("audit-excuse:").unwrap_or("");
    let own = block_of(blocks, comment.span.start).and_then(|at| blocks.get(at));
    !reason.trim().is_empty() && own.is_some_and(|block| block.kind == BlockKind::Comment)
}

/// What a comment without an end speaks of: the block that it stands in, or the one below it; of a
/// heading its whole section.
fn scope(source: &Source, blocks: &[Block], comment: &Comment) -> Range<usize> {
    let Some(at) = block_of(blocks, comment.span.start) else { return comment.span.clone() };
    let Some(own) = blocks.get(at) else { return comment.span.clone() };
    if own.kind != BlockKind::Comment {
        return own.span.clone();
    }
    let mut below = blocks.iter().enumerate().skip(at + 1);
    let Some((next, block)) = below.find(|(_, block)| block.kind != BlockKind::Comment) else {
        return comment.span.clone();
    };
    let BlockKind::Heading { level } = block.kind else { return block.span.clone() };
    let after = blocks
        .iter()
        .skip(next + 1)
        .find(|block| matches!(block.kind, BlockKind::Heading { level: other } if other <= level));
    block.span.start..after.map_or(source.text.len(), |block| block.span.start)
}

/// Whether a text has a day as `2026-11-29`.
fn has_date(text: &str) -> bool {
    let shape = |part: &[u8]| {
        part.len() == 10
            && part.iter().enumerate().all(|(at, byte)| match at {
                4 | 7 => *byte == b'-',
                _ => byte.is_ascii_digit(),
            })
    };
    text.as_bytes().windows(10).any(shape)
}

/// Whether a byte stands in a part that needs no citation.
#[must_use]
pub fn is_covered(covers: &[Cover], offset: usize) -> bool {
    covers.iter().any(|cover| cover.span.contains(&offset))
}

/// Whether a byte stands in a part that is excused.
#[must_use]
pub fn is_excused(covers: &[Cover], offset: usize) -> bool {
    covers.iter().any(|cover| cover.kind == CoverKind::Excused && cover.span.contains(&offset))
}

#[cfg(test)]
mod tests {
    use super::super::comments::comments;
    use super::super::documents::blocks;
    use super::super::excuses::excuses;
    use super::*;

    fn covered(text: &str) -> (Vec<String>, usize) {
        let source = Source::new("a.md".to_owned(), text.to_owned());
        let blocks = blocks(&source);
        let mut findings = Vec::new();
        let comments = comments(&source, &blocks);
        let covers = covers(&source, &blocks, &comments, &excuses(&source), &mut findings);
        let starts = text.match_indices('W').map(|(at, _)| at);
        let words = starts.filter(|at| is_covered(&covers, *at)).filter_map(|at| {
            let rest = text.get(at..)?;
            rest.split_whitespace().next()
        });
        (words.map(str::to_owned).collect(), findings.len())
    }

    #[test]
    fn what_a_comment_covers() {
        let date = "<!-- measured: by hand, 2026-11-29 -->";
        for (text, expected) in [
            (format!("{date}\nW1\n\nW2"), vec!["W1"]),
            (format!("{date}\n# W1\n\nW2\n\n## W3\n\nW4\n\n# W5"), vec!["W1", "W2", "W3", "W4"]),
            (format!("{date}\nW1\n\nW2\n\n<!-- /measured -->\n\nW3"), vec!["W1", "W2"]),
            (format!("W1 {date}\nW2\n\nW3"), vec!["W1", "W2"]),
            ("<!-- example -->\n```toml\nW1\n```\nW2".to_owned(), vec!["W1"]),
            ("<!-- audit-excuse: so -->\n\n```\n1\nW1\n```\nW2".to_owned(), vec!["W1"]),
            ("W1 <!-- audit-excuse: so -->\nW2".to_owned(), vec!["W1"]),
        ] {
            assert_eq!(covered(&text).0, expected, "{text}");
        }
    }

    #[test]
    fn a_comment_without_a_day_covers_nothing() {
        assert_eq!(covered("<!-- measured: by hand, in November -->\nW1"), (Vec::new(), 1));
    }
}
