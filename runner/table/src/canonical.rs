//! The text that a sealed hash is taken over. It must never change.

use crate::{SampleRow, SampleState, Work};

/// First line of the canonical text.
pub const CANONICAL_HEADER: &str = "sample-rows 1";

/// The rows as bytes: UTF-8 text, the header line, then one line a row in the order given. A
/// line holds the fields in the order of [`SampleRow`], separated by tabs, each line ended by one
/// newline. Numbers are decimal without sign or leading zero; texts have `\`, tab, newline and
/// carriage return written as `\\`, `\t`, `\n`, `\r`.
#[must_use]
pub fn canonical_rows(rows: &[SampleRow]) -> Vec<u8> {
    let mut text = format!("{CANONICAL_HEADER}\n");
    for row in rows {
        let fields = [
            row.condition.to_string(),
            row.round.to_string(),
            row.segment.to_string(),
            row.block.to_string(),
            row.chunk.to_string(),
            row.place.to_string(),
            escaped(&row.arm),
            escaped(&row.input),
            work_name(row.work).to_owned(),
            row.tokens.to_string(),
            row.nanoseconds.to_string(),
            row.started_nanoseconds.to_string(),
            state_name(row.state).to_owned(),
            escaped(&row.flags),
        ];
        text.push_str(&fields.join("\t"));
        text.push('\n');
    }
    text.into_bytes()
}

/// BLAKE3 of [`canonical_rows`], hexadecimal, lower case.
#[must_use]
pub fn rows_hash(rows: &[SampleRow]) -> String {
    blake3::hash(&canonical_rows(rows)).to_hex().to_string()
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
}

/// The name of a kind of work, as records spell it.
#[must_use]
pub fn work_name(work: Work) -> &'static str {
    match work {
        Work::Prompt => "prompt",
        Work::Decode => "decode",
        Work::Prefill => "prefill",
        Work::Primitive => "primitive",
    }
}

/// The name of a sample's state, as records spell it.
#[must_use]
pub fn state_name(state: SampleState) -> &'static str {
    match state {
        SampleState::Timed => "timed",
        SampleState::TimedOut => "timed_out",
        SampleState::Censored => "censored",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_that_holds_the_separator_cannot_be_mistaken_for_two() {
        let row = |arm: &str, input: &str| SampleRow {
            condition: 0,
            round: 1,
            segment: 2,
            block: 3,
            chunk: 4,
            place: 5,
            arm: arm.to_owned(),
            input: input.to_owned(),
            work: Work::Decode,
            tokens: 8,
            nanoseconds: 123,
            started_nanoseconds: 456,
            state: SampleState::Timed,
            flags: String::new(),
        };
        assert_ne!(rows_hash(&[row("a\tb", "c")]), rows_hash(&[row("a", "b\tc")]));
        assert_ne!(rows_hash(&[row("a\\t", "c")]), rows_hash(&[row("a\t", "c")]));
        let text = String::from_utf8(canonical_rows(&[row("off", "p-1")])).unwrap();
        assert_eq!(
            text,
            "sample-rows 1\n0\t1\t2\t3\t4\t5\toff\tp-1\tdecode\t8\t123\t456\ttimed\t\n"
        );
    }

    #[test]
    fn the_hash_of_no_rows_is_that_of_the_header() {
        assert_eq!(rows_hash(&[]), blake3::hash(b"sample-rows 1\n").to_hex().to_string());
    }
}
