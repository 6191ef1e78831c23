//! What was done to the weights, in words.

use engine_protocol::Form;

use super::name::{form_name, type_name};

/// Types that hold numbers, not blocks of them.
const PLAIN: &[&str] = &["f32", "f16", "bf16", "f64"];

/// `requantised from Q4_1`; from a plain type `quantised from F16`, to one `dequantised from Q4_1`.
/// `from` is the tensor type that holds most bytes of the source.
#[must_use]
pub fn derivation(from: &str, to: Form) -> String {
    let verb = match (PLAIN.contains(&from), PLAIN.contains(&form_name(to))) {
        (true, true) => "converted",
        (true, false) => "quantised",
        (false, true) => "dequantised",
        (false, false) => "requantised",
    };
    format!("{verb} from {}", type_name(from))
}
