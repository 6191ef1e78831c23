//! Which experts of a mixture work on a set's tokens.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::distribution::{Distribution, rounded};

/// The experts of one item: by layer, and within it by token, those that worked on it, ascending.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RoutedItem {
    /// By the layer's number.
    pub layers: BTreeMap<u32, Vec<Vec<u32>>>,
}

/// How a mixture of experts is used by a set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpertUse {
    /// Experts of a layer.
    pub count: u32,
    /// Experts that work on a token.
    pub used: u32,
    /// Items that were looked at.
    pub items: u64,
    /// Tokens that were looked at.
    pub tokens: u64,
    /// Of the histogram of an item's experts, over that of an even histogram; the mean over layers.
    pub expert_entropy: Distribution,
    /// Of the sets of experts that worked on an item's tokens, over the greatest that so many tokens
    /// and experts can have; the mean over layers.
    pub routing_entropy: Distribution,
    /// Over all items, in the order of layers.
    pub layer: Vec<LayerUse>,
}

/// The experts of one layer over all items.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayerUse {
    /// From 0.
    pub layer: u32,
    /// Of the histogram, over that of an even one.
    pub expert_entropy: f64,
    /// How many tokens each expert worked on.
    pub tokens_by_expert: Vec<u64>,
}

impl ExpertUse {
    /// Of items whose experts were seen; `None` where none was, or a number is not of an expert.
    #[must_use]
    pub fn of(count: u32, used: u32, items: &[RoutedItem]) -> Option<ExpertUse> {
        let mut by_layer: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
        let mut experts = Vec::new();
        let mut routes = Vec::new();
        let mut tokens = 0;
        for item in items {
            let mut of_experts = Vec::new();
            let mut of_routes = Vec::new();
            for (layer, chosen) in &item.layers {
                let histogram = histogram(count, chosen)?;
                of_experts.extend(evenness(&histogram));
                of_routes.extend(variety(count, used, chosen));
                let all = by_layer.entry(*layer).or_insert_with(|| vec![0; histogram.len()]);
                all.iter_mut().zip(&histogram).for_each(|(all, one)| *all += one);
            }
            tokens += item.layers.values().next().map_or(0, |chosen| chosen.len() as u64);
            experts.extend(mean(&of_experts));
            routes.extend(mean(&of_routes));
        }
        let layer = by_layer.into_iter().map(|(layer, tokens_by_expert)| {
            let expert_entropy = rounded(evenness(&tokens_by_expert)?);
            Some(LayerUse { layer, expert_entropy, tokens_by_expert })
        });
        Some(ExpertUse {
            count,
            used,
            items: experts.len() as u64,
            tokens,
            expert_entropy: Distribution::of(experts)?,
            routing_entropy: Distribution::of(routes)?,
            layer: layer.collect::<Option<Vec<_>>>()?,
        })
    }
}

fn histogram(count: u32, chosen: &[Vec<u32>]) -> Option<Vec<u64>> {
    let mut histogram = vec![0; count as usize];
    for expert in chosen.iter().flatten() {
        *histogram.get_mut(*expert as usize)? += 1;
    }
    Some(histogram)
}

/// Entropy of a histogram over the logarithm of its length: 1 where it is even, 0 where all is in
/// one place.
fn evenness(histogram: &[u64]) -> Option<f64> {
    let greatest = libm::log2(histogram.len() as f64);
    (greatest > 0.0).then_some(entropy_bits(histogram)? / greatest)
}

/// Entropy of the sets of experts over the greatest possible: that of as many different sets as
/// there are tokens, or as there are sets at all.
fn variety(count: u32, used: u32, chosen: &[Vec<u32>]) -> Option<f64> {
    let mut sets: HashMap<&[u32], u64> = HashMap::new();
    for set in chosen {
        *sets.entry(set).or_default() += 1;
    }
    let mut histogram: Vec<u64> = sets.into_values().collect();
    // the order of summation is that of the values, not of the map
    histogram.sort_unstable();
    let possible = combinations(count, used).min(chosen.len() as f64);
    let greatest = libm::log2(possible);
    (greatest > 0.0).then_some(entropy_bits(&histogram)? / greatest)
}

/// How many sets of `used` out of `count` there are.
fn combinations(count: u32, used: u32) -> f64 {
    let factor = |step: u32| f64::from(count - step) / f64::from(step + 1);
    (0..used.min(count)).map(factor).product::<f64>().round()
}

/// Shannon's entropy, bits.
fn entropy_bits(histogram: &[u64]) -> Option<f64> {
    let all = histogram.iter().sum::<u64>() as f64;
    let bits = |count: &u64| {
        let share = *count as f64 / all;
        -share * libm::log2(share)
    };
    (all > 0.0).then(|| histogram.iter().filter(|count| **count > 0).map(bits).sum())
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(chosen: &[[u32; 2]]) -> RoutedItem {
        let chosen = chosen.iter().map(|pair| pair.to_vec()).collect();
        RoutedItem { layers: BTreeMap::from([(0, chosen)]) }
    }

    #[test]
    fn an_even_use_has_entropy_one_and_a_single_pair_none() {
        let even = item(&[[0, 1], [2, 3], [4, 5], [6, 7]]);
        let used = ExpertUse::of(8, 2, &[even]).unwrap();
        assert_eq!((used.expert_entropy.median, used.routing_entropy.median), (1.0, 1.0));
        assert_eq!(used.layer[0].tokens_by_expert, [1; 8]);
        // two experts of eight: one bit of three; always the same pair: no bit at all
        let one = ExpertUse::of(8, 2, &[item(&[[2, 5]; 40])]).unwrap();
        assert_eq!((one.expert_entropy.median, one.routing_entropy.median), (0.3333, 0.0));
        assert_eq!((one.items, one.tokens), (1, 40));
    }

    #[test]
    fn what_was_not_seen_is_no_use() {
        assert_eq!(ExpertUse::of(8, 2, &[]), None);
        assert_eq!(ExpertUse::of(8, 2, &[item(&[])]), None);
        assert_eq!(ExpertUse::of(8, 2, &[item(&[[0, 8]])]), None);
        assert_eq!(ExpertUse::of(8, 2, &[RoutedItem::default()]), None);
    }

    #[test]
    fn there_are_28_pairs_of_8() {
        assert_eq!(combinations(8, 2), 28.0);
        assert_eq!(combinations(8, 8), 1.0);
    }
}
