//! Which weights the two sides of a comparison loaded, where it was not the model's file as it is.

use super::evidence::ArmForm;

/// `Q8_0 (requantised from Q4_1) against F16 (dequantised from Q4_1)`, or once where both loaded the
/// same; `None` where both loaded the file as it is.
pub(super) fn weights(forms: &[ArmForm], arm: &str, off: &str) -> Option<String> {
    let of = |name: &str| forms.iter().find(|form| form.arm == name).map(words);
    match (of(arm), of(off)) {
        (None, None) => None,
        (Some(own), Some(offs)) if own == offs => Some(own),
        (own, offs) => {
            let or_file = |side: Option<String>| side.unwrap_or_else(|| "the file as it is".into());
            Some(format!("{} against {}", or_file(own), or_file(offs)))
        }
    }
}

fn words(form: &ArmForm) -> String {
    let name = serde_json::to_value(form.form).unwrap_or_default();
    let name = name.as_str().unwrap_or("unknown").to_uppercase();
    format!("{name} ({})", form.derivation)
}
