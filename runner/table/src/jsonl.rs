//! One JSON object a line, each line ended by a newline.

use crate::SampleRow;

pub(crate) fn to_bytes(rows: &[SampleRow]) -> serde_json::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for row in rows {
        serde_json::to_writer(&mut bytes, row)?;
        bytes.push(b'\n');
    }
    Ok(bytes)
}

pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Vec<SampleRow>, String> {
    if bytes.last().is_some_and(|last| *last != b'\n') {
        return Err("the last line is cut short".to_owned());
    }
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').enumerate();
    lines
        .map(|(index, line)| {
            serde_json::from_slice(line).map_err(|error| format!("line {}: {error}", index + 1))
        })
        .collect()
}
