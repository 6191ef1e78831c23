//! What the figures of a primitive speak of, arm by arm.

use super::rows::name;
use crate::record::Record;
use crate::verdict::{ArmPrimitive, condition_label, regime_of};

/// One line an arm and condition; none where texts were worked on.
pub(super) fn regimes(record: &Record) -> Vec<String> {
    record.sealed.facts.primitives.iter().map(|one| line(record, one)).collect()
}

fn line(record: &Record, one: &ArmPrimitive) -> String {
    let value = record.plan.condition_values().get(one.condition as usize).copied().flatten();
    let label = condition_label(&record.plan, value);
    let cache = match one.cache_bytes {
        Some(bytes) => format!("a last-level cache of {bytes} bytes"),
        None => "a last-level cache of unknown size".to_owned(),
    };
    format!(
        "{}: {} ({} bytes moved and {} operations a repetition, on {}; {} buffers of {} bytes beside {cache})",
        name(&one.arm, &label),
        regime_of(one),
        one.bytes_moved,
        one.operations,
        one.device,
        one.buffers,
        one.buffer_bytes
    )
}
