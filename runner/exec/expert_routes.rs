//! Which experts worked on a token: read from the scores by which the engine chooses them.

use std::collections::BTreeMap;

use super::bisect_tensors::{ObservedFile, Tensors};
use crate::failure::Failure;
use crate::model::Experts;

/// Why the use of experts is not known.
#[derive(Debug)]
pub(super) enum Unseen {
    /// The engine does not show it: why, in words.
    Unknown(String),
    /// Something went wrong.
    Failure(Failure),
}

impl From<Failure> for Unseen {
    fn from(failure: Failure) -> Unseen {
        Unseen::Failure(failure)
    }
}

/// Scores of experts, by the engine's names, those last from which a choice is made: masked by
/// groups, with a bias, as probabilities, as logits (`build_moe_ffn` of llama.cpp's
/// `src/llama-graph.cpp`). All but the last two may be missing, and the last two choose alike.
const SCORES: [&str; 4] =
    ["ffn_moe_probs_masked-", "ffn_moe_probs_biased-", "ffn_moe_probs-", "ffn_moe_logits-"];

/// By layer, the node whose greatest values choose the experts.
pub(super) fn deciding_nodes(names: &[String]) -> BTreeMap<u32, String> {
    let mut nodes = BTreeMap::new();
    for beginning in SCORES {
        for name in names {
            if let Some(layer) = name.strip_prefix(beginning).and_then(|rest| rest.parse().ok()) {
                nodes.entry(layer).or_insert_with(|| name.clone());
            }
        }
    }
    nodes
}

/// The experts of each token behind the opening.
pub(super) fn chosen(
    file: &ObservedFile,
    node: &str,
    (tokens, opening): (usize, usize),
    experts: Experts,
) -> Result<Vec<Vec<u32>>, Unseen> {
    let unknown = |why: String| Err(Unseen::Unknown(why));
    let Some(rows) = file.read(node)? else {
        return unknown(format!("the engine does not show `{node}`"));
    };
    let (width, count) = (rows.width(), rows.count());
    if !file.is_by_position(node) || width != experts.count as usize || count != tokens {
        return unknown(format!(
            "`{node}` has not one score for each of {} experts and each token",
            experts.count
        ));
    }
    if rows.values().iter().any(|value| value.is_nan()) {
        return unknown(format!("`{node}` holds what is no number"));
    }
    Ok(rows.iter().skip(opening).map(|scores| greatest(scores, experts.used)).collect())
}

/// The places of the greatest scores, ascending; of equal ones the first.
fn greatest(scores: &[f32], used: u32) -> Vec<u32> {
    let mut order: Vec<(u32, f32)> = (0..).zip(scores.iter().copied()).collect();
    order.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
    let mut places: Vec<u32> =
        order.into_iter().take(used as usize).map(|(place, _)| place).collect();
    places.sort_unstable();
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_scores_before_the_choice_decide() {
        let names = [
            "ffn_moe_logits-0",
            "ffn_moe_probs-0",
            "ffn_moe_logits-3",
            "ffn_moe_probs-3",
            "ffn_moe_probs_biased-3",
            "ffn_moe_topk-3",
            "ffn_moe_probs-3#2",
        ];
        let nodes = deciding_nodes(&names.map(str::to_owned));
        let found: Vec<(u32, &str)> =
            nodes.iter().map(|(layer, name)| (*layer, name.as_str())).collect();
        assert_eq!(found, [(0, "ffn_moe_probs-0"), (3, "ffn_moe_probs_biased-3")]);
    }

    #[test]
    fn the_greatest_scores_choose_and_the_first_of_equals() {
        assert_eq!(greatest(&[0.1, 0.4, 0.2, 0.3], 2), [1, 3]);
        assert_eq!(greatest(&[0.5, 0.5, 0.5], 2), [0, 1]);
    }
}
