//! Measured figures without a source.

use super::covers::is_covered;
use super::direction::About;
use super::figures::Figure;
use super::findings::{Finding, Rule};
use super::page::Page;
use super::places::Places;
use super::sentences::sentence_around;
use super::units::Quantity;

/// Whether a figure of a document must have a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Need {
    /// It is a rate, a ratio, or beside words of speed.
    Measured,
    /// A size, a duration, another percentage: listed when asked for.
    Other,
}

/// Words that make a percentage beside them one of speed.
const SPEED: [&str; 15] = [
    "speed",
    "faster",
    "slower",
    "quicker",
    "speedup",
    "speedups",
    "speed-up",
    "speed-ups",
    "throughput",
    "gain",
    "gains",
    "slowdown",
    "slow-down",
    "overhead",
    "regression",
];
/// Words that do so only right behind the sign.
const BEHIND: [&str; 4] = ["more", "less", "fewer", "better"];
/// How many words away they may stand.
const NEAR: usize = 4;

/// One finding a block that has such figures; those that are struck have findings of their own.
pub fn bare_figures(page: &Page<'_>, struck: &Places, findings: &mut Vec<Finding>) {
    let lives_on = |figure: &Figure| {
        struck.found.iter().any(|place| {
            place.file == page.source.path && place.start == page.source.position(figure.span.start)
        })
    };
    for block in &page.blocks {
        let bare: Vec<&Figure> = page
            .figures_in(&block.span)
            .filter(|figure| {
                let at = figure.span.start;
                !is_covered(&page.covers, at)
                    && !page.in_comment(at)
                    && !page.is_struck(at)
                    && need(page, figure) == Need::Measured
                    && !lives_on(figure)
            })
            .collect();
        let Some(first) = bare.first() else { continue };
        let cites = page.context(block).iter().any(|span| page.citations_in(span).next().is_some());
        if cites {
            continue;
        }
        let texts: Vec<String> = bare.iter().take(4).map(|figure| text_of(page, figure)).collect();
        let more = bare.len().saturating_sub(texts.len());
        let rest = if more == 0 { String::new() } else { format!(" and {more} more") };
        let what = format!("no record is cited for {}{rest}", texts.join(", "));
        let hint = "cite `id/run`, say how it was measured (`<!-- measured: what, where, 2026-11-29 -->`), \
                    or excuse it with a reason (docs/audit.md)";
        let found = Finding::at(Rule::BareFigure, page.source, &first.span, what);
        findings.push(found.hint(hint));
    }
}

fn text_of(page: &Page<'_>, figure: &Figure) -> String {
    let text = page.source.slice(&figure.span).split_whitespace().collect::<Vec<_>>().join(" ");
    format!("`{text}`")
}

/// Whether a figure is of speed, as far as its unit or the words beside it tell.
pub(super) fn about(page: &Page<'_>, figure: &Figure) -> About {
    match need(page, figure) {
        Need::Measured => About::Speed,
        Need::Other => About::Anything,
    }
}

fn need(page: &Page<'_>, figure: &Figure) -> Need {
    match figure.unit.quantity {
        Quantity::TokenRate
        | Quantity::ByteRate
        | Quantity::OperationRate
        | Quantity::TokenEnergy => Need::Measured,
        Quantity::Ratio if has_sign_of_ratio(page, figure) => Need::Measured,
        Quantity::Ratio | Quantity::Percent if beside_speed(page, figure) => Need::Measured,
        Quantity::Ratio | Quantity::Percent | Quantity::Duration | Quantity::Size => Need::Other,
    }
}

/// `1.23x`, and not `1.23 times`, which may be a limit or arithmetic.
fn has_sign_of_ratio(page: &Page<'_>, figure: &Figure) -> bool {
    page.source.slice(&figure.span).ends_with(['x', 'X', '\u{d7}'])
}

fn beside_speed(page: &Page<'_>, figure: &Figure) -> bool {
    let Some(block) = page.block_at(figure.span.start) else { return false };
    let sentence = sentence_around(page.source, block, &figure.span);
    let before = page.source.slice(&(sentence.start..figure.span.start));
    let after = page.source.slice(&(figure.span.end..sentence.end));
    let behind = words(after).take(NEAR);
    let ahead: Vec<String> = words(before).collect();
    let ahead = ahead.into_iter().rev().take(NEAR);
    let first = words(after).next().is_some_and(|word| BEHIND.contains(&word.as_str()));
    first || behind.chain(ahead).any(|word| SPEED.contains(&word.as_str()))
}

fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric() && c != '-')
        .filter(|word| word.chars().any(char::is_alphabetic))
        .map(str::to_lowercase)
}

/// Every figure of a document that needs no source, for those who ask.
#[must_use]
pub fn other_figures<'page>(page: &'page Page<'_>) -> Vec<&'page Figure> {
    page.figures.iter().filter(|figure| need(page, figure) == Need::Other).collect()
}
