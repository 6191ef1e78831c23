//! A Markdown document as blocks, as far as an audit needs them.

use std::ops::Range;

use super::source::Source;

/// What a block is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BlockKind {
    /// Running text.
    Paragraph,
    /// One item of a list.
    Item,
    /// A table, whole.
    Table,
    /// Fenced code, with what is written behind the opening fence.
    Code {
        /// `toml`, `sh`, …; empty without one.
        language: String,
    },
    /// A heading of a level.
    Heading {
        /// 1 to 6.
        level: usize,
    },
    /// A comment that stands alone.
    Comment,
}

/// Lines that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// What they are.
    pub kind: BlockKind,
    /// Lines, from 0.
    pub lines: Range<usize>,
    /// Bytes of the text.
    pub span: Range<usize>,
}

impl Block {
    /// Whether it is fenced code.
    #[must_use]
    pub fn is_code(&self) -> bool {
        matches!(self.kind, BlockKind::Code { .. })
    }
}

/// The blocks of a document, in order. Blank lines belong to none.
#[must_use]
pub fn blocks(source: &Source) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut at = 0;
    while at < source.line_count() {
        let line = source.line(at);
        if line.trim().is_empty() {
            at += 1;
            continue;
        }
        let (kind, end) = block_at(source, at);
        let end = end.max(at + 1).min(source.line_count());
        let span = source.line_span(at).start..source.line_span(end - 1).end;
        blocks.push(Block { kind, lines: at..end, span });
        at = end;
    }
    blocks
}

fn block_at(source: &Source, at: usize) -> (BlockKind, usize) {
    let line = source.line(at);
    let text = unquoted(line);
    if let Some(fence) = Fence::opening(text) {
        let close = (at + 1..source.line_count())
            .find(|line| fence.closed_by(unquoted(source.line(*line))))
            .map_or(source.line_count(), |line| line + 1);
        return (BlockKind::Code { language: fence.language }, close);
    }
    if text.starts_with("<!--") {
        return comment_at(source, at);
    }
    let level = text.chars().take_while(|c| *c == '#').count();
    if (1..=6).contains(&level) && text.get(level..).is_some_and(|rest| rest.starts_with(' ')) {
        return (BlockKind::Heading { level }, at + 1);
    }
    if text.starts_with('|') {
        let rows = |line: &usize| unquoted(source.line(*line)).starts_with('|');
        return (BlockKind::Table, after_while(source, at, rows));
    }
    let kind = if is_item(text) { BlockKind::Item } else { BlockKind::Paragraph };
    let goes_on = |line: &usize| {
        let text = unquoted(source.line(*line));
        !text.is_empty()
            && !is_item(text)
            && !text.starts_with('|')
            && !(text.starts_with("<!--") && text.ends_with("-->"))
            && !(text.starts_with('#') && !source.line(*line).starts_with(' '))
            && Fence::opening(text).is_none()
    };
    (kind, after_while(source, at, goes_on))
}

/// A comment at the start of a line ends with its `-->`; text behind it belongs to it.
fn comment_at(source: &Source, at: usize) -> (BlockKind, usize) {
    let close = (at..source.line_count())
        .find(|line| source.line(*line).contains("-->"))
        .map_or(source.line_count(), |line| line + 1);
    let last = source.line(close - 1).trim_end();
    // a paragraph that begins with a comment
    if !last.ends_with("-->") {
        let rest = |line: &usize| !source.line(*line).trim().is_empty();
        return (BlockKind::Paragraph, after_while(source, close - 1, rest));
    }
    (BlockKind::Comment, close)
}

fn after_while(source: &Source, at: usize, goes_on: impl Fn(&usize) -> bool) -> usize {
    (at + 1..source.line_count()).find(|line| !goes_on(line)).unwrap_or(source.line_count())
}

/// A line without its indentation and marks of quotation.
fn unquoted(line: &str) -> &str {
    line.trim().trim_start_matches(['>', ' '])
}

fn is_item(text: &str) -> bool {
    if text.starts_with("- ") || text.starts_with("* ") || text.starts_with("+ ") {
        return true;
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = text.get(digits..).unwrap_or("");
    (1..=3).contains(&digits) && (rest.starts_with(". ") || rest.starts_with(") "))
}

struct Fence {
    mark: char,
    length: usize,
    language: String,
}

impl Fence {
    fn opening(text: &str) -> Option<Fence> {
        let mark = text.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let length = text.chars().take_while(|c| *c == mark).count();
        let rest = text.get(length..)?;
        if length < 3 || mark == '`' && rest.contains('`') {
            return None;
        }
        let language = rest.trim().split([' ', ',', '{']).next().unwrap_or("").to_owned();
        Some(Fence { mark, length, language })
    }

    fn closed_by(&self, text: &str) -> bool {
        let length = text.chars().take_while(|c| *c == self.mark).count();
        length >= self.length && text.get(length..).is_some_and(|rest| rest.trim().is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_a_document() {
        let text = "# T\n\nOne\ntwo\n- a\n  b\n- c\n\n| x |\n|---|\n<!-- note -->\n```toml\n# no heading\n\n```\n\
                    <!-- two\nlines -->\nlast";
        let source = Source::new("a.md".to_owned(), text.to_owned());
        let kinds: Vec<(BlockKind, Range<usize>)> =
            blocks(&source).into_iter().map(|block| (block.kind, block.lines)).collect();
        assert_eq!(
            kinds,
            [
                (BlockKind::Heading { level: 1 }, 0..1),
                (BlockKind::Paragraph, 2..4),
                (BlockKind::Item, 4..6),
                (BlockKind::Item, 6..7),
                (BlockKind::Table, 8..10),
                (BlockKind::Comment, 10..11),
                (BlockKind::Code { language: "toml".to_owned() }, 11..15),
                (BlockKind::Comment, 15..17),
                (BlockKind::Paragraph, 17..18),
            ]
        );
    }

    #[test]
    fn what_is_never_closed_ends_with_the_file() {
        for text in ["```\na", "<!-- a\nb", "~~~~\n~~~"] {
            let source = Source::new("a.md".to_owned(), text.to_owned());
            assert_eq!(blocks(&source).len(), 1, "{text}");
        }
    }
}
