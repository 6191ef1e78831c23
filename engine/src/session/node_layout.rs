//! How the values of a node lie: a row for each position, or otherwise.

use engine_protocol::TensorLayout;

/// Layout with the number of values in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NodeLayout {
    pub(super) layout: TensorLayout,
    pub(super) width: u64,
}

/// The layout of a node in a graph that evaluates `tokens` tokens and keeps all rows of logits.
/// Lengths are the engine's, the fastest first.
///
/// A matrix `[width, tokens]` and a block `[head, heads, tokens]` have a row for each position.
/// Attention scores and what is weighted by them (`kq…`) are blocks by head, `[…, tokens, heads]`,
/// which as many heads as tokens would make look the same: the name tells them apart.
pub(super) fn node_layout(name: &str, shape: [u64; 4], tokens: u64) -> NodeLayout {
    let [width, second, third, fourth] = shape;
    let by_head = name.starts_with("kq") && third != 1;
    let row = match (second, third, fourth) {
        (_, _, 2..) => None,
        (rows, 1, _) if rows == tokens => Some(width),
        (heads, rows, _) if rows == tokens && !by_head => Some(width * heads),
        _ => None,
    };
    match row {
        Some(width) => NodeLayout { layout: TensorLayout::ByPosition, width },
        None => NodeLayout { layout: TensorLayout::Whole, width },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(name: &str, shape: [u64; 4], tokens: u64) -> (TensorLayout, u64) {
        let NodeLayout { layout, width } = node_layout(name, shape, tokens);
        (layout, width)
    }

    #[test]
    fn matrices_and_heads_have_a_row_a_position() {
        assert_eq!(layout("l_out-0", [576, 7, 1, 1], 7), (TensorLayout::ByPosition, 576));
        assert_eq!(layout("Qcur-0#2", [64, 9, 7, 1], 7), (TensorLayout::ByPosition, 576));
        assert_eq!(layout("Qcur-0#2", [64, 9, 9, 1], 9), (TensorLayout::ByPosition, 576));
        assert_eq!(layout("Qcur-0#2", [64, 9, 1, 1], 1), (TensorLayout::ByPosition, 576));
        assert_eq!(layout("l_out-0", [576, 1, 1, 1], 1), (TensorLayout::ByPosition, 576));
        assert_eq!(layout("kqv_out-0", [576, 7, 1, 1], 7), (TensorLayout::ByPosition, 576));
    }

    #[test]
    fn scores_are_whole_even_with_as_many_heads_as_tokens() {
        assert_eq!(layout("kq-0", [256, 7, 9, 1], 7), (TensorLayout::Whole, 256));
        assert_eq!(layout("kq-0", [256, 9, 9, 1], 9), (TensorLayout::Whole, 256));
        assert_eq!(layout("kq_soft_max-0", [256, 1, 9, 1], 1), (TensorLayout::Whole, 256));
        assert_eq!(layout("x", [64, 9, 7, 2], 7), (TensorLayout::Whole, 64));
        assert_eq!(layout("table", [64, 5, 1, 1], 7), (TensorLayout::Whole, 64));
    }
}
