//! Sentences of a block; of a table its rows.

use std::ops::Range;

use super::documents::{Block, BlockKind};
use super::source::Source;

/// The sentences of a block. Fenced code is one.
#[must_use]
pub fn sentences(source: &Source, block: &Block) -> Vec<Range<usize>> {
    match block.kind {
        BlockKind::Table => block.lines.clone().map(|line| source.line_span(line)).collect(),
        BlockKind::Code { .. } | BlockKind::Comment => vec![block.span.clone()],
        BlockKind::Paragraph | BlockKind::Item | BlockKind::Heading { .. } => {
            split(source.slice(&block.span), block.span.start)
        }
    }
}

/// Bytes on either side of a figure that are read for words about it.
const AROUND: usize = 240;

/// The part of its sentence, or of its line in a table or in code, that is near a figure.
#[must_use]
pub fn sentence_around(source: &Source, block: &Block, figure: &Range<usize>) -> Range<usize> {
    let frame = match block.kind {
        BlockKind::Table | BlockKind::Code { .. } => source.line_span(source.line_of(figure.start)),
        _ => block.span.clone(),
    };
    let text = &source.text;
    let from = text.ceil_char_boundary(figure.start.saturating_sub(AROUND)).max(frame.start);
    let to = text.floor_char_boundary(figure.end + AROUND).min(frame.end).max(figure.end);
    let near = from.min(figure.start)..to;
    if matches!(block.kind, BlockKind::Table | BlockKind::Code { .. }) {
        return near;
    }
    let found = split(source.slice(&near), near.start);
    let own = found.into_iter().find(|span| span.contains(&figure.start)).unwrap_or(near);
    own.start.min(figure.start)..own.end.max(figure.end)
}

fn split(text: &str, start: usize) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    let mut begin = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, mark)) = chars.next() {
        if !matches!(mark, '.' | '!' | '?') || !chars.peek().is_some_and(|(_, c)| c.is_whitespace())
        {
            continue;
        }
        let end = at + mark.len_utf8();
        let next = text.get(end..).and_then(|rest| rest.trim_start().chars().next());
        let begins = next.is_some_and(|next| next.is_uppercase() || "[`*(_\"".contains(next));
        if begins && !abbreviated(text.get(..at).unwrap_or("")) {
            spans.push(start + begin..start + end);
            begin = end;
        }
    }
    if begin < text.len() {
        spans.push(start + begin..start + text.len());
    }
    spans
}

/// `e.g.`, `i.e.`, `cf.`: the point ends no sentence.
fn abbreviated(before: &str) -> bool {
    let word = before.rsplit(char::is_whitespace).next().unwrap_or("");
    matches!(word, "e.g" | "i.e" | "cf" | "vs" | "approx" | "resp" | "No" | "Fig")
}

#[cfg(test)]
mod tests {
    use super::super::documents::blocks;
    use super::*;

    fn split_of(text: &str) -> Vec<String> {
        let source = Source::new("a.md".to_owned(), text.to_owned());
        let spans = blocks(&source).into_iter().flat_map(|block| sentences(&source, &block));
        spans.map(|span| source.slice(&span).trim().to_owned()).collect()
    }

    #[test]
    fn sentences_and_rows() {
        assert_eq!(
            split_of("It is 1.5x, i.e. More. `a` b\nc? Yes.\n\n| A. B |\n|---|"),
            ["It is 1.5x, i.e. More.", "`a` b\nc?", "Yes.", "| A. B |", "|---|"]
        );
    }
}
