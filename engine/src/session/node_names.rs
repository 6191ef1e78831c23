//! Names of the nodes of a graph. The engine gives one name to several nodes (a product, its sum with
//! a bias, its rotation); in order of execution the second gets `#2`, the third `#3`, and so on.

use std::collections::HashMap;

/// Counts the names of one graph.
#[derive(Debug, Default)]
pub(super) struct NodeNames {
    met: HashMap<String, u32>,
}

impl NodeNames {
    /// The name by which a node is known, as it is met.
    pub(super) fn number(&mut self, name: String) -> String {
        let count = self.met.entry(name.clone()).or_insert(0);
        *count += 1;
        if *count == 1 { name } else { format!("{name}#{count}") }
    }
}

/// Whether ggml made the name up: `node_12`, `leaf_3`, or another tensor's with how it was come by,
/// as `cache_k_l0 (view)`.
pub(super) fn is_made_up(name: &str) -> bool {
    let counted = ["node_", "leaf_"].iter().any(|prefix| {
        name.strip_prefix(prefix)
            .is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
    });
    counted || name.is_empty() || (name.contains(" (") && name.ends_with(')'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_numbered_from_its_second_node_on() {
        let mut names = NodeNames::default();
        let mut next = |name: &str| names.number(name.to_owned());
        assert_eq!(next("Qcur-0"), "Qcur-0");
        assert_eq!(next("Qcur-1"), "Qcur-1");
        assert_eq!(next("Qcur-0"), "Qcur-0#2");
        assert_eq!(next("Qcur-0"), "Qcur-0#3");
    }

    #[test]
    fn made_up_names_are_known() {
        for name in ["", "node_12", "leaf_0", "cache_k_l0 (view)", " (copy)"] {
            assert!(is_made_up(name), "{name}");
        }
        for name in ["node_head", "attn_norm-0", "l_out-11", "result_output"] {
            assert!(!is_made_up(name), "{name}");
        }
    }
}
