//! The feed-forward part of a layer: one, or one of several experts chosen for each token.

use super::matrix::{q8_matrix, q8_stack, single_matrix};
use super::shape::Shape;
use super::weights::Gaussian;
use super::writer::Writer;

/// Widens the router's logits to a standard deviation of about 2. Its rows are random directions,
/// so which experts work on a token hangs on the token and on what stands before it, and over many
/// different tokens no expert is preferred.
const ROUTER_GAIN: f64 = 2.0;

/// Writes the feed-forward tensors of a layer.
pub(super) fn feed_forward(
    writer: &mut Writer,
    shape: &Shape,
    layer: usize,
    gaussian: &mut dyn FnMut() -> Gaussian,
) {
    let name = |part: &str| format!("blk.{layer}.{part}.weight");
    let (wide, narrow) = (shape.embedding, shape.feed_forward);
    // One over the root of a row's length keeps the size of what passes through.
    let even = |row: usize| 1.0 / libm::sqrt(row as f64);
    let parts = [("ffn_gate", wide, narrow), ("ffn_up", wide, narrow), ("ffn_down", narrow, wide)];
    let Some(experts) = shape.experts else {
        for (part, row, rows) in parts {
            let weights = gaussian().tensor(rows * row, even(row));
            q8_matrix(writer, name(part), row, &weights);
        }
        return;
    };
    let count = experts.count as usize;
    let router = gaussian().tensor(count * wide, even(wide) * ROUTER_GAIN);
    single_matrix(writer, name("ffn_gate_inp"), wide, &router);
    for (part, row, rows) in parts {
        let weights = gaussian().tensor(count * rows * row, even(row));
        q8_stack(writer, name(&format!("{part}_exps")), (row, rows), &weights);
    }
}
