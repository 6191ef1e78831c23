//! All statistics of a set's content.

use serde::{Deserialize, Serialize};

use super::compressed::compressed_share;
use super::distribution::Distribution;
use super::repetition::{RUN, lookup_hit_rate, repeated_share, shared_runs, unique_share};
use super::statistic::Statistic;
use super::words::numbered_words;
use crate::workload::InputSet;

/// Statistics over the items of a set. One that no item is long enough for is absent: unknown, and
/// never fit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Content {
    /// Number of items.
    pub items: u64,
    /// Tokens of all items together, each alone and without an opening token.
    pub tokens: u64,
    /// [`Statistic::Length`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<Distribution>,
    /// [`Statistic::TokenRepetition`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_repetition: Option<Distribution>,
    /// [`Statistic::UniqueTokens`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unique_tokens: Option<Distribution>,
    /// [`Statistic::RepeatedPairs`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeated_pairs: Option<Distribution>,
    /// [`Statistic::RepeatedRuns`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeated_runs: Option<Distribution>,
    /// [`Statistic::SharedRuns`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared_runs: Option<Distribution>,
    /// [`Statistic::LookupHitRate`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lookup_hit_rate: Option<Distribution>,
    /// [`Statistic::CompressedShare`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compressed_share: Option<Distribution>,
}

impl Content {
    /// Of a set whose items are these tokens, in the set's order.
    #[must_use]
    pub fn of(set: &InputSet, tokens: &[Vec<u32>]) -> Content {
        let over = |of_item: &dyn Fn(&[u32]) -> Option<f64>| {
            Distribution::of(tokens.iter().filter_map(|item| of_item(item)))
        };
        Content {
            items: set.items.len() as u64,
            tokens: tokens.iter().map(|item| item.len() as u64).sum(),
            length: over(&|item| Some(item.len() as f64)),
            token_repetition: over(&|item| repeated_share(item, 1)),
            unique_tokens: over(&unique_share),
            repeated_pairs: over(&|item| repeated_share(item, 2)),
            repeated_runs: over(&|item| repeated_share(item, RUN)),
            shared_runs: Distribution::of(shared_runs(tokens).into_iter().flatten()),
            lookup_hit_rate: over(&lookup_hit_rate),
            compressed_share: Distribution::of(
                set.items.iter().filter_map(|item| compressed_share(&item.text)),
            ),
        }
    }

    /// Of a set by its words.
    #[must_use]
    pub fn by_words(set: &InputSet) -> Content {
        Content::of(set, &numbered_words(set.items.iter().map(|item| item.text.as_str())))
    }

    /// One statistic; `None` where it is unknown, or not one of the content.
    #[must_use]
    pub fn statistic(&self, statistic: Statistic) -> Option<Distribution> {
        match statistic {
            Statistic::Length => self.length,
            Statistic::TokenRepetition => self.token_repetition,
            Statistic::UniqueTokens => self.unique_tokens,
            Statistic::RepeatedPairs => self.repeated_pairs,
            Statistic::RepeatedRuns => self.repeated_runs,
            Statistic::SharedRuns => self.shared_runs,
            Statistic::LookupHitRate => self.lookup_hit_rate,
            Statistic::CompressedShare => self.compressed_share,
            Statistic::TotalTokens => Distribution::of([self.tokens as f64]),
            Statistic::ExpertEntropy | Statistic::RoutingEntropy => None,
        }
    }
}
