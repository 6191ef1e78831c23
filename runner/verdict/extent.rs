//! How much of the model the two sides of a comparison ran, where it was not the whole.

use super::evidence::ArmSlice;

/// `slice of 4 of 30 layers`: how provenance and lists write it.
#[must_use]
pub fn extent((layers, of_layers): (u32, u32)) -> String {
    format!("slice of {layers} of {of_layers} layers")
}

/// `on the first 4 of 30 layers`, with both sides named where they differ; `None` where both ran
/// the whole model.
pub(super) fn extent_of(slices: &[ArmSlice], arm: &str, off: &str) -> Option<String> {
    let of = |name: &str| slices.iter().find(|slice| slice.arm == name).map(words);
    let or_whole = |side: Option<String>| side.unwrap_or_else(|| "the whole model".into());
    match (of(arm), of(off)) {
        (None, None) => None,
        (own, offs) if own == offs => Some(format!("on {}", or_whole(own))),
        (own, offs) => Some(format!("on {} against {}", or_whole(own), or_whole(offs))),
    }
}

fn words(slice: &ArmSlice) -> String {
    match slice.layers {
        1 => format!("the first of {} layers", slice.of_layers),
        layers => format!("the first {layers} of {} layers", slice.of_layers),
    }
}
