//! How much of an item stood in it before. `None` where an item is too short to say.

use std::collections::{HashMap, HashSet};

/// Length of the runs that are looked for in other items: long enough that grammar alone seldom
/// repeats one.
pub(super) const RUN: usize = 4;
/// Tokens that must match before the one that is predicted.
const LOOKED_UP: usize = 2;

/// Share of all runs of `n` tokens that stood before in the item.
pub(super) fn repeated_share(tokens: &[u32], n: usize) -> Option<f64> {
    let runs = tokens.windows(n);
    let count = runs.len();
    let different = runs.collect::<HashSet<_>>().len();
    share(count.checked_sub(different)?, count)
}

/// Share of the tokens that stand in the item exactly once.
pub(super) fn unique_share(tokens: &[u32]) -> Option<f64> {
    let mut counts: HashMap<u32, usize> = HashMap::new();
    for token in tokens {
        *counts.entry(*token).or_default() += 1;
    }
    share(counts.values().filter(|count| **count == 1).count(), tokens.len())
}

/// Share of all places at which prompt lookup says the next token: the last two tokens stood before
/// in the item, and what followed them at the latest such place is the token that comes. This is
/// the rule of the engine's drafter (`engine/src/session/speculation/lookup.rs`) with a match of two
/// and a draft of one. Places count from the third token on.
pub(super) fn lookup_hit_rate(tokens: &[u32]) -> Option<f64> {
    let mut followed_by: HashMap<&[u32], u32> = HashMap::new();
    let mut hits = 0;
    let mut places = 0;
    for window in tokens.windows(LOOKED_UP + 1) {
        let Some((next, last)) = window.split_last() else { continue };
        places += 1;
        if followed_by.insert(last, *next) == Some(*next) {
            hits += 1;
        }
    }
    share(hits, places)
}

/// For each item the share of its runs of four tokens that stand in another item as well.
pub(super) fn shared_runs(items: &[Vec<u32>]) -> Vec<Option<f64>> {
    let mut homes: HashMap<&[u32], Home> = HashMap::new();
    for (index, tokens) in items.iter().enumerate() {
        for run in tokens.windows(RUN) {
            homes
                .entry(run)
                .and_modify(|home| {
                    if *home != Home::One(index) {
                        *home = Home::Several;
                    }
                })
                .or_insert(Home::One(index));
        }
    }
    let of_item = |tokens: &Vec<u32>| {
        let runs = tokens.windows(RUN);
        let count = runs.len();
        share(runs.filter(|run| homes.get(run) == Some(&Home::Several)).count(), count)
    };
    items.iter().map(of_item).collect()
}

/// In how many items a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Home {
    One(usize),
    Several,
}

fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetition_counts_what_stood_before() {
        assert_eq!(repeated_share(&[1, 2, 1, 3], 1), Some(0.25));
        // runs of two: 12 21 12, of which the last stood before
        assert_eq!(repeated_share(&[1, 2, 1, 2], 2), Some(1.0 / 3.0));
        assert_eq!(repeated_share(&[1], 2), None);
        assert_eq!(unique_share(&[1, 2, 1, 3]), Some(0.5));
        assert_eq!(unique_share(&[]), None);
    }

    #[test]
    fn four_repeated_words_are_always_known_beforehand() {
        let filler: Vec<u32> = [1, 2, 3, 4].repeat(20);
        // the first time round nothing is known: of 78 places 4 have a new pair before them
        assert_eq!(lookup_hit_rate(&filler), Some(74.0 / 78.0));
        assert_eq!(repeated_share(&filler, 1), Some(76.0 / 80.0));
        assert_eq!(unique_share(&filler), Some(0.0));
        let counted: Vec<u32> = (0..80).collect();
        assert_eq!(lookup_hit_rate(&counted), Some(0.0));
        assert_eq!(unique_share(&counted), Some(1.0));
    }

    #[test]
    fn the_latest_place_is_what_lookup_believes() {
        // 1 2 was followed by 3, then by 4; the third time by 4
        assert_eq!(lookup_hit_rate(&[1, 2, 3, 1, 2, 4, 1, 2, 4]), Some(1.0 / 7.0));
        // and by 3 again: the latest place says 4
        assert_eq!(lookup_hit_rate(&[1, 2, 3, 1, 2, 4, 1, 2, 3]), Some(0.0));
    }

    #[test]
    fn a_place_overlapping_the_end_counts() {
        assert_eq!(lookup_hit_rate(&[1, 1, 1, 1]), Some(0.5));
    }

    #[test]
    fn runs_of_other_items_are_found() {
        let items = [vec![1, 2, 3, 4, 5], vec![9, 1, 2, 3, 4], vec![1, 2]];
        assert_eq!(shared_runs(&items), [Some(0.5), Some(0.5), None]);
        // a run that repeats within one item is not shared
        assert_eq!(shared_runs(&[[1, 2].repeat(4)]), [Some(0.0)]);
    }
}
