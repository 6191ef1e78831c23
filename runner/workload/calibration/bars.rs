//! The bars that a class sets, each with the statistic that it is set on.
//!
//! Origin: measured on 2026-11-30 on the built-in sets with the tokenizer of SmolLM2 (docs/workloads.md
//! has the table). A bar lies half-way between what is held against it of `code-48`, the worse of the
//! two sets that must pass, and of `filler-48`, which must not: hit rate 0.146 and 0.936, repeated runs
//! 0.104 and 0.935, compressed share 0.682 and 0.068. Token repetition hangs on how many tokens a
//! vocabulary has, so its bar lies half-way between `code-48` in the 512 tokens of `builtin-tiny` (0.794)
//! and filler (0.938). Half of an item may stand in other items: filler's words are too few to show it.
//! Bars for words are set in the same way, on words: 0.153 and 0.949, 0.135 and 0.948, 0.692 and 0.950.

use super::distribution::Distribution;
use super::statistic::Statistic;
use crate::manifest::MeasurementClass;

/// What the numbers of an item stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Tokens of a model.
    Tokens,
    /// Words, where no tokenizer is at hand.
    Words,
}

/// Which side of a bar is fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Nine items in ten lie at the bar or under it.
    AtMost,
    /// Nine items in ten lie at the bar or over it.
    AtLeast,
}

/// One bar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bar {
    /// Of what.
    pub statistic: Statistic,
    /// Which side is fit.
    pub side: Side,
    /// The bar for tokens.
    pub of_tokens: f64,
    /// The bar for words.
    pub of_words: f64,
}

impl Bar {
    /// The bar for a unit.
    #[must_use]
    pub fn at(&self, unit: Unit) -> f64 {
        match unit {
            Unit::Tokens => self.of_tokens,
            Unit::Words => self.of_words,
        }
    }

    /// The value that is held against the bar: nine items in ten are no worse.
    #[must_use]
    pub fn judged(&self, distribution: &Distribution) -> f64 {
        match self.side {
            Side::AtMost => distribution.p90,
            Side::AtLeast => distribution.p10,
        }
    }

    /// Whether a value is on the fit side.
    #[must_use]
    pub fn admits(&self, value: f64, unit: Unit) -> bool {
        match self.side {
            Side::AtMost => value <= self.at(unit),
            Side::AtLeast => value >= self.at(unit),
        }
    }
}

const fn at_most(statistic: Statistic, of_tokens: f64, of_words: f64) -> Bar {
    Bar { statistic, side: Side::AtMost, of_tokens, of_words }
}

const fn at_least(statistic: Statistic, of_tokens: f64, of_words: f64) -> Bar {
    Bar { statistic, side: Side::AtLeast, of_tokens, of_words }
}

/// The same tokens go to the same experts.
const ROUTING: &[Bar] = &[
    at_most(Statistic::TokenRepetition, 0.87, 0.82),
    at_most(Statistic::RepeatedRuns, 0.52, 0.54),
    at_most(Statistic::SharedRuns, 0.5, 0.5),
];

/// What stood before says what comes.
const SPECULATION: &[Bar] = &[
    at_most(Statistic::LookupHitRate, 0.54, 0.55),
    at_most(Statistic::RepeatedRuns, 0.52, 0.54),
    at_most(Statistic::SharedRuns, 0.5, 0.5),
];

/// A text that is easily foreseen leaves no choice in which two computations could part.
const DIVERGENCE: &[Bar] = &[
    at_most(Statistic::LookupHitRate, 0.54, 0.55),
    at_most(Statistic::TokenRepetition, 0.87, 0.82),
    at_least(Statistic::CompressedShare, 0.38, 0.38),
];

/// A long input is made of items that follow each other, so they must differ from each other and be
/// many: half of the 4236 tokens (4047 words) of `prose-48`, the smaller of the two.
const LONG_CONTEXT: &[Bar] = &[
    at_least(Statistic::TotalTokens, 2000.0, 2000.0),
    at_most(Statistic::RepeatedRuns, 0.52, 0.54),
    at_most(Statistic::SharedRuns, 0.5, 0.5),
];

/// On a mixture of experts, beside those of the class `routing`. An entropy of 0.5 is that of an even
/// use of as many experts as the root of their number, three of eight: fewer is a router that has
/// collapsed. The bar on the sets of experts lies half-way between `code-48` (0.804) and `filler-48`
/// (0.740) on `builtin-tiny-experts`.
pub(super) const EXPERTS: &[Bar] = &[
    at_least(Statistic::ExpertEntropy, 0.5, 0.5),
    at_least(Statistic::RoutingEntropy, 0.77, 0.77),
];

/// The bars of a class; none for dense throughput, whose arithmetic is the same for every text.
#[must_use]
pub fn bars(class: MeasurementClass) -> &'static [Bar] {
    match class {
        MeasurementClass::DenseThroughput => &[],
        MeasurementClass::Routing => ROUTING,
        MeasurementClass::Speculation => SPECULATION,
        MeasurementClass::Divergence => DIVERGENCE,
        MeasurementClass::LongContext => LONG_CONTEXT,
    }
}
