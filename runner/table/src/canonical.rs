//! The text that a sealed hash is taken over. It must never change.

use crate::{SampleRow, SampleState, Work};

/// First line of the canonical text.
pub const CANONICAL_HEADER: &str = "sample-rows 1";

/// First line where any row has an energy: each line then has two more fields.
pub const CANONICAL_HEADER_WITH_ENERGY: &str = "sample-rows 2";

/// The rows as bytes: UTF-8 text, the header line, then one line a row in the order given. A
/// line holds the fields in the order of [`SampleRow`], separated by tabs, each line ended by one
/// newline. Numbers are decimal without sign or leading zero; texts have `\`, tab, newline and
/// carriage return written as `\\`, `\t`, `\n`, `\r`. Where any row has an energy, the header says
/// so and each line ends with its microjoules and the tokens that they were spent on, both empty
/// where a row has none.
#[must_use]
pub fn canonical_rows(rows: &[SampleRow]) -> Vec<u8> {
    let with_energy = rows.iter().any(|row| row.energy.is_some());
    let header = if with_energy { CANONICAL_HEADER_WITH_ENERGY } else { CANONICAL_HEADER };
    let mut text = format!("{header}\n");
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
        if with_energy {
            let energy = row.energy.map_or_else(
                || "\t\t".to_owned(),
                |energy| format!("\t{}\t{}", energy.microjoules, energy.tokens),
            );
            text.push_str(&energy);
        }
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
    use crate::SampleEnergy;

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
            energy: None,
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
    fn rows_with_energy_have_a_header_of_their_own_and_the_others_stay_as_they_were() {
        let line = r#"{"condition":0,"round":1,"segment":2,"block":3,"chunk":4,"place":5,"arm":"off","input":"p-1","work":"decode","tokens":8,"nanoseconds":123,"started_nanoseconds":456,"state":"timed","flags":""}"#;
        let old: SampleRow = serde_json::from_str(line).unwrap();
        assert_eq!(serde_json::to_string(&old).unwrap(), line);
        let energy = Some(SampleEnergy { microjoules: 7_000, tokens: 9 });
        let new = SampleRow { energy, ..old.clone() };
        let text = String::from_utf8(canonical_rows(&[new.clone(), old.clone()])).unwrap();
        let fields = "0\t1\t2\t3\t4\t5\toff\tp-1\tdecode\t8\t123\t456\ttimed\t";
        assert_eq!(text, format!("sample-rows 2\n{fields}\t7000\t9\n{fields}\t\t\n"));
        assert_eq!(canonical_rows(&[old]), format!("sample-rows 1\n{fields}\n").into_bytes());
        assert_eq!(
            serde_json::from_str::<SampleRow>(&serde_json::to_string(&new).unwrap()).unwrap(),
            new
        );
    }

    #[test]
    fn the_hash_of_no_rows_is_that_of_the_header() {
        assert_eq!(rows_hash(&[]), blake3::hash(b"sample-rows 1\n").to_hex().to_string());
    }
}
