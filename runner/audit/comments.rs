//! Comments that an audit reads, and text that is struck through.

use std::ops::Range;

use super::documents::Block;
use super::source::Source;

/// A comment of a document, outside of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// Bytes of the text, marks included.
    pub span: Range<usize>,
    /// What is between the marks, trimmed.
    pub text: String,
}

/// All `<!-- … -->` outside of fences and of code within a line.
#[must_use]
pub fn comments(source: &Source, blocks: &[Block]) -> Vec<Comment> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(offset) = source.text.get(at..).and_then(|rest| rest.find("<!--")) {
        let start = at + offset;
        let inner = start + "<!--".len();
        if in_code(source, blocks, start) {
            at = inner;
            continue;
        }
        let length = source.text.get(inner..).and_then(|rest| rest.find("-->"));
        let end = length.map_or(source.text.len(), |length| inner + length);
        let text = source.slice(&(inner..end)).trim().to_owned();
        let close = (end + "-->".len()).min(source.text.len());
        found.push(Comment { span: start..close, text });
        at = close;
    }
    found
}

/// The block that a byte stands in.
#[must_use]
pub fn block_of(blocks: &[Block], offset: usize) -> Option<usize> {
    let at = blocks.partition_point(|block| block.span.start <= offset).checked_sub(1)?;
    blocks.get(at).filter(|block| offset <= block.span.end).map(|_| at)
}

fn in_code(source: &Source, blocks: &[Block], offset: usize) -> bool {
    let fenced = block_of(blocks, offset).and_then(|at| blocks.get(at)).is_some_and(Block::is_code);
    if fenced {
        return true;
    }
    let line = source.line_span(source.line_of(offset));
    code_spans(source.slice(&line)).iter().any(|span| span.contains(&(offset - line.start)))
}

/// Parts of a line between backticks.
fn code_spans(line: &str) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    let mut at = 0;
    while let Some(offset) = line.get(at..).and_then(|rest| rest.find('`')) {
        let start = at + offset;
        let ticks =
            line.get(start..).map_or(0, |rest| rest.bytes().take_while(|b| *b == b'`').count());
        let mark = "`".repeat(ticks);
        let inner = start + ticks;
        match line.get(inner..).and_then(|rest| rest.find(&mark)) {
            Some(length) => {
                at = inner + length + ticks;
                spans.push(start..at);
            }
            None => break,
        }
    }
    spans
}

/// Parts of a document that are struck through: `~~…~~`, `<del>…</del>`, `<s>…</s>`, each within a
/// block, and not in code.
#[must_use]
pub fn struck_through(source: &Source, blocks: &[Block]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for block in blocks.iter().filter(|block| !block.is_code()) {
        let text = source.slice(&block.span);
        for (open, close) in [("~~", "~~"), ("<del>", "</del>"), ("<s>", "</s>")] {
            let mut at = 0;
            while let Some(start) = text.get(at..).and_then(|rest| rest.find(open)) {
                let inner = at + start + open.len();
                let Some(length) = text.get(inner..).and_then(|rest| rest.find(close)) else {
                    break;
                };
                let end = inner + length + close.len();
                found.push(block.span.start + at + start..block.span.start + end);
                at = end;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::documents::blocks;
    use super::*;

    fn found(text: &str) -> (Vec<String>, Vec<String>) {
        let source = Source::new("a.md".to_owned(), text.to_owned());
        let blocks = blocks(&source);
        let struck = struck_through(&source, &blocks);
        (
            comments(&source, &blocks).into_iter().map(|comment| comment.text).collect(),
            struck.iter().map(|span| source.slice(span).to_owned()).collect(),
        )
    }

    #[test]
    fn comments_in_code_are_none() {
        let (comments, _) =
            found("a <!-- one -->\n\n`<!-- two -->`\n\n```\n<!-- three -->\n```\n<!-- four");
        assert_eq!(comments, ["one", "four"]);
    }

    #[test]
    fn struck_text() {
        let (_, struck) =
            found("~~1.2x~~ and <del>a\nb</del> and <s>c</s> ~~open\n\n```\n~~no~~\n```\n");
        assert_eq!(struck, ["~~1.2x~~", "<del>a\nb</del>", "<s>c</s>"]);
    }
}
