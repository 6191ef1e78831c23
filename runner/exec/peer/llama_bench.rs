//! What `llama-bench -o json` prints: a list of tests, of which there must be one, of the size that
//! was asked for. Upstream: `tools/llama-bench/llama-bench.cpp`.

use engine_protocol::Settings;
use serde::Deserialize;

use super::sizes::Piece;

/// A test, as far as it is held against what was asked.
#[derive(Debug, Deserialize)]
struct Test {
    n_prompt: u64,
    n_gen: u64,
    /// Absent in older versions, which know no depth.
    #[serde(default)]
    n_depth: u64,
    #[serde(default)]
    n_threads: Option<u64>,
    samples_ns: Vec<u64>,
}

/// Nanoseconds of the piece, the mean of its repetitions.
///
/// # Errors
/// What it printed cannot be the time of this piece, in words.
pub(super) fn read(output: &str, piece: Piece, settings: &Settings) -> Result<u64, String> {
    let start = output.find('[').unwrap_or(0);
    let text = output.get(start..).unwrap_or_default().trim();
    if text.is_empty() {
        return Err("it printed nothing; has it `-o json`?".to_owned());
    }
    let tests: Vec<Test> = serde_json::from_str(text).map_err(|error| {
        format!("what it printed is not llama-bench's JSON (has it `-o json`?): {error}")
    })?;
    let [test] = tests.as_slice() else {
        return Err(format!(
            "it ran {} tests, and one is asked for: `-p 0 -n N` decodes, `-p N -n 0` prefills",
            tests.len()
        ));
    };
    let (prompt, generated) = match piece {
        Piece::Decode { tokens, .. } => (0, u64::from(tokens)),
        Piece::Prefill { tokens, .. } => (tokens as u64, 0),
    };
    let depth = piece.before() as u64;
    let asked = [
        ("n_prompt", test.n_prompt, prompt),
        ("n_gen", test.n_gen, generated),
        ("n_depth", test.n_depth, depth),
    ];
    for (name, found, wanted) in asked {
        if found != wanted {
            return Err(format!(
                "it ran with {name} = {found}, the other arms work with {wanted}{}",
                if name == "n_depth" {
                    " tokens before the timed ones: `-d` takes `{depth_tokens}`"
                } else {
                    ""
                }
            ));
        }
    }
    if let (Some(found), Some(wanted)) = (test.n_threads, settings.threads)
        && found != u64::from(wanted)
    {
        return Err(format!("it ran with {found} threads, the other arms with {wanted}"));
    }
    let repetitions = test.samples_ns.len() as u64;
    let sum = test.samples_ns.iter().fold(0_u64, |sum, sample| sum.saturating_add(*sample));
    match sum.checked_div(repetitions) {
        None => Err("it reports no repetition".to_owned()),
        Some(0) => Err("it reports a time of 0".to_owned()),
        Some(mean) => Ok(mean),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(prompt: u64, generated: u64, depth: u64) -> String {
        format!(
            r#"[{{"n_prompt": {prompt}, "n_gen": {generated}, "n_depth": {depth}, "n_threads": 2, "samples_ns": [4000, 6000]}}]"#
        )
    }

    #[test]
    fn one_test_of_the_right_size_is_read_and_others_are_refused() {
        let piece = Piece::Decode { before: 32, prompt: 32, tokens: 16 };
        let settings = Settings { threads: Some(2), ..Settings::default() };
        assert_eq!(read(&printed(0, 16, 32), piece, &settings), Ok(5000));
        for (text, word) in [
            (printed(0, 17, 32), "n_gen = 17"),
            (printed(8, 16, 32), "n_prompt = 8"),
            (printed(0, 16, 0), "n_depth = 0"),
            (String::new(), "printed nothing"),
            ("| model | size |".to_owned(), "has it `-o json`?"),
            ("[]".to_owned(), "0 tests"),
            (printed(0, 16, 32).replace("[4000, 6000]", "[]"), "no repetition"),
            (printed(0, 16, 32).replace("[4000, 6000]", "[-1]"), "not llama-bench's JSON"),
            (printed(0, 16, 32).replace("4000, 6000", "0"), "a time of 0"),
            (printed(0, 16, 32).replace("\"n_threads\": 2", "\"n_threads\": 4"), "4 threads"),
        ] {
            let why = read(&text, piece, &settings).unwrap_err();
            assert!(why.contains(word), "{why}");
        }
    }
}
