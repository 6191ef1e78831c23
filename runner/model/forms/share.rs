//! Whether a form is what its name says: engines leave out tensors that a type cannot hold.

use engine_protocol::{Form, TensorTypeBytes};

use super::name::{form_name, type_name};
use crate::failure::Failure;

/// Least share of a form's tensor bytes that must be of the type that it is named after. Norms and
/// biases stay in F32 and take under 1 %; a fall-back to another type takes far more than 10 %.
pub const LEAST_SHARE_PERCENT: f64 = 90.0;

/// Share of the bytes in tensors of the form's own type, percent; 0 of nothing.
#[must_use]
pub fn share_percent(form: Form, types: &[TensorTypeBytes]) -> f64 {
    let own = types.iter().filter(|row| row.tensor_type == form_name(form));
    percent(own.map(|row| row.bytes).sum(), types)
}

/// `87.1 % Q5_0, 12.6 % Q8_0, 0.3 % F32`, most bytes first.
#[must_use]
pub fn shares(types: &[TensorTypeBytes]) -> String {
    let rows: Vec<String> = types
        .iter()
        .map(|row| format!("{:.1} % {}", percent(row.bytes, types), type_name(&row.tensor_type)))
        .collect();
    if rows.is_empty() { "no tensors".to_owned() } else { rows.join(", ") }
}

/// Holds the name against the bytes.
///
/// # Errors
/// A refusal with the real shares when the name holds for too few of them.
pub(super) fn hold(form: Form, types: &[TensorTypeBytes]) -> Result<(), Failure> {
    let share = share_percent(form, types);
    if share >= LEAST_SHARE_PERCENT {
        return Ok(());
    }
    Err(Failure::refused(format!(
        "the name {} holds for {share:.1} % of the bytes, and {LEAST_SHARE_PERCENT} % are needed: {}",
        form_name(form),
        shares(types)
    ))
    .hint(
        "the type cannot hold rows of every width (k-quants need multiples of 256, the others of \
         32); choose another form",
    ))
}

fn percent(bytes: u64, types: &[TensorTypeBytes]) -> f64 {
    let all: u64 = types.iter().map(|row| row.bytes).sum();
    if all == 0 { 0.0 } else { bytes as f64 / all as f64 * 100.0 }
}
