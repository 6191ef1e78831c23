//! A document with all that an audit asks of it.

use std::ops::Range;

use super::citations::{Citation, citations};
use super::comments::{Comment, block_of, comments, struck_through};
use super::covers::{Cover, CoverKind, covers};
use super::documents::{Block, BlockKind, blocks};
use super::excuses::{Excuse, excuses};
use super::figures::{Figure, figures};
use super::findings::{Finding, Rule};
use super::source::Source;
use super::table_units::table_figures;

/// A document, read.
#[derive(Debug)]
pub struct Page<'source> {
    /// Its text.
    pub source: &'source Source,
    /// Its blocks.
    pub blocks: Vec<Block>,
    /// Comments outside of code.
    pub comments: Vec<Comment>,
    /// Excuses.
    pub excuses: Vec<Excuse>,
    /// Parts that need no citation.
    pub covers: Vec<Cover>,
    /// Parts that are struck through.
    pub struck: Vec<Range<usize>>,
    /// All figures, in order.
    pub figures: Vec<Figure>,
    /// All citations, in order.
    pub citations: Vec<Citation>,
}

impl<'source> Page<'source> {
    /// Reads a document; what is wrong with its comments goes to `findings`.
    pub fn read(source: &'source Source, findings: &mut Vec<Finding>) -> Page<'source> {
        let blocks = blocks(source);
        let comments = comments(source, &blocks);
        let excuses = excuses(source);
        let covers = covers(source, &blocks, &comments, &excuses, findings);
        let mut figures = all_figures(source);
        figures.extend(table_figures(source, &blocks));
        figures.sort_by_key(|figure| figure.span.start);
        figures.dedup_by_key(|figure| figure.span.start);
        Page {
            struck: struck_through(source, &blocks),
            citations: citations(&source.text),
            source,
            blocks,
            comments,
            excuses,
            covers,
            figures,
        }
    }

    /// The block that a byte stands in.
    #[must_use]
    pub fn block_at(&self, offset: usize) -> Option<&Block> {
        block_of(&self.blocks, offset).and_then(|at| self.blocks.get(at))
    }

    /// Whether a byte stands in a comment.
    #[must_use]
    pub fn in_comment(&self, offset: usize) -> bool {
        let after = self.comments.partition_point(|comment| comment.span.start <= offset);
        let before = after.checked_sub(1).and_then(|at| self.comments.get(at));
        before.is_some_and(|comment| comment.span.contains(&offset))
    }

    /// Whether a byte is struck through.
    #[must_use]
    pub fn is_struck(&self, offset: usize) -> bool {
        self.struck.iter().any(|span| span.contains(&offset))
    }

    /// Whether a byte stands in an example.
    #[must_use]
    pub fn is_example(&self, offset: usize) -> bool {
        self.covers
            .iter()
            .any(|cover| cover.kind == CoverKind::Example && cover.span.contains(&offset))
    }

    /// Citations in a part of the text.
    pub fn citations_in(&self, span: &Range<usize>) -> impl Iterator<Item = &Citation> {
        let first = self.citations.partition_point(|citation| citation.span.start < span.start);
        let rest = self.citations.get(first..).unwrap_or(&[]).iter();
        let end = span.end;
        rest.take_while(move |citation| citation.span.end <= end)
    }

    /// Figures in a part of the text.
    pub fn figures_in(&self, span: &Range<usize>) -> impl Iterator<Item = &Figure> {
        let first = self.figures.partition_point(|figure| figure.span.start < span.start);
        let rest = self.figures.get(first..).unwrap_or(&[]).iter();
        let end = span.end;
        rest.take_while(move |figure| figure.span.start < end)
    }

    /// Where a citation for a block may stand: in it, and for a table or code in the text right
    /// above it.
    #[must_use]
    pub fn context(&self, block: &Block) -> Vec<Range<usize>> {
        let mut spans = vec![block.span.clone()];
        if matches!(block.kind, BlockKind::Table | BlockKind::Code { .. }) {
            let own = self.blocks.partition_point(|other| other.span.start < block.span.start);
            let mut above = self.blocks.get(..own).unwrap_or(&[]).iter().rev();
            let caption = above.find(|other| other.kind != BlockKind::Comment);
            if let Some(caption) = caption
                && matches!(caption.kind, BlockKind::Paragraph | BlockKind::Item)
            {
                spans.push(caption.span.clone());
            }
        }
        spans
    }
}

/// All figures of a file.
#[must_use]
pub fn all_figures(source: &Source) -> Vec<Figure> {
    (0..source.line_count())
        .flat_map(|line| {
            let span = source.line_span(line);
            figures(source.slice(&span), span.start)
        })
        .collect()
}

/// Excuses without a reason.
pub fn empty_excuses(source: &Source, excuses: &[Excuse], findings: &mut Vec<Finding>) {
    for excuse in excuses.iter().filter(|excuse| excuse.reason.is_empty()) {
        let what = "an excuse needs a reason".to_owned();
        let span = source.line_span(excuse.line);
        findings.push(
            Finding::at(Rule::ExcuseWithoutReason, source, &span, what)
                .hint("write why behind `audit-excuse:`"),
        );
    }
}
