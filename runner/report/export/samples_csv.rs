//! Samples as comma-separated values: the columns of docs/data.md, in their order.

use sample_table::{SampleRow, state_name, work_name};

use super::samples_json::columns_of;

/// A header and a line for each sample; lines end with a newline alone.
#[must_use]
pub fn samples_csv(rows: &[SampleRow]) -> String {
    let names: Vec<&str> = columns_of(rows).into_iter().map(|(name, _)| name).collect();
    let has_energy = rows.iter().any(|row| row.energy.is_some());
    let mut out = names.join(",") + "\n";
    for row in rows {
        let cells = [
            row.condition.to_string(),
            row.round.to_string(),
            row.segment.to_string(),
            row.block.to_string(),
            row.chunk.to_string(),
            row.place.to_string(),
            quoted(&row.arm),
            quoted(&row.input),
            work_name(row.work).to_owned(),
            row.tokens.to_string(),
            row.nanoseconds.to_string(),
            row.started_nanoseconds.to_string(),
            state_name(row.state).to_owned(),
            quoted(&row.flags),
        ];
        out.push_str(&cells.join(","));
        if has_energy {
            out.push_str(&row.energy.map_or_else(
                || ",,".to_owned(),
                |energy| format!(",{},{}", energy.microjoules, energy.tokens),
            ));
        }
        out.push('\n');
    }
    out
}

/// In quotes where the text would break the line.
fn quoted(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::{quoted, samples_csv};

    #[test]
    fn cells_that_hold_a_comma_are_quoted() {
        assert_eq!(quoted("cpu,\"pressure\""), "\"cpu,\"\"pressure\"\"\"");
        assert_eq!(quoted("micro_batch_tokens=16"), "micro_batch_tokens=16");
        assert!(samples_csv(&[]).starts_with("condition,round,segment,block,chunk,place,arm,"));
    }
}
