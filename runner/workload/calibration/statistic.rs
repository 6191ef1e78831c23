//! The statistics by name.

/// What is measured of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Statistic {
    /// Tokens of an item.
    Length,
    /// Share of an item's tokens that stood in it before.
    TokenRepetition,
    /// Share of an item's tokens that stand in it once.
    UniqueTokens,
    /// Share of an item's runs of two tokens that stood in it before.
    RepeatedPairs,
    /// Share of an item's runs of four tokens that stood in it before.
    RepeatedRuns,
    /// Share of an item's runs of four tokens that stand in another item as well.
    SharedRuns,
    /// Share of an item's places at which prompt lookup says the next token.
    LookupHitRate,
    /// Compressed size of an item's text over its size.
    CompressedShare,
    /// Tokens of the whole set.
    TotalTokens,
    /// Entropy of an item's histogram of experts, over that of an even one.
    ExpertEntropy,
    /// Entropy of the sets of experts that worked on an item's tokens, over the greatest possible.
    RoutingEntropy,
}

impl Statistic {
    /// For people.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Statistic::Length => "length",
            Statistic::TokenRepetition => "token repetition",
            Statistic::UniqueTokens => "unique tokens",
            Statistic::RepeatedPairs => "repeated runs of 2",
            Statistic::RepeatedRuns => "repeated runs of 4",
            Statistic::SharedRuns => "runs of 4 shared with other items",
            Statistic::LookupHitRate => "prompt-lookup hit rate",
            Statistic::CompressedShare => "compressed share",
            Statistic::TotalTokens => "tokens in all",
            Statistic::ExpertEntropy => "expert entropy",
            Statistic::RoutingEntropy => "routing entropy",
        }
    }
}
