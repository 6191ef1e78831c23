//! Which weights each arm loaded, where it was not always the model's file as it is.

use engine_protocol::{Form, TensorTypeBytes};

use super::figures::share;
use crate::manifest::Arm;
use crate::record::Record;

/// Each arm's weights, in manifest order; nothing where all loaded the model's file as it is.
pub(super) fn weights(record: &Record) -> Vec<String> {
    let provenance = &record.provenance;
    if provenance.forms.is_empty() {
        return Vec::new();
    }
    let of_arm = |arm: &Arm| {
        let name = arm.name.to_string();
        match provenance.forms.iter().find(|form| form.arms.contains(&name)) {
            None => format!("{name}: the file as it is, {}", provenance.model.weights_derived_from),
            Some(form) => format!(
                "{name}: {}, {} ({})",
                form_name(form.form),
                form.weights_derived_from,
                tensor_shares(&form.tensor_types)
            ),
        }
    };
    record.plan.arms.iter().map(of_arm).collect()
}

fn form_name(form: Form) -> String {
    let name = serde_json::to_value(form).unwrap_or_default();
    name.as_str().unwrap_or("unknown").to_uppercase()
}

/// `99.7 % Q8_0, 0.3 % F32`.
fn tensor_shares(types: &[TensorTypeBytes]) -> String {
    let all: u64 = types.iter().map(|row| row.bytes).sum();
    let rows: Vec<String> = types
        .iter()
        .map(|row| format!("{} {}", share(row.bytes, all), row.tensor_type.to_uppercase()))
        .collect();
    rows.join(", ")
}
