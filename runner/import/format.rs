//! Which tool wrote a file.

/// A tool whose files can be imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// `llama-bench -o json|jsonl|csv|sql`.
    LlamaBench,
    /// `llama-batched-bench`, its table or its JSON lines.
    LlamaBatchedBench,
    /// `hyperfine --export-json`.
    Hyperfine,
    /// `target/criterion/…/new/sample.json` or `estimates.json`.
    Criterion,
}

impl Format {
    /// All of them, as the command line spells them.
    pub const ALL: [(&'static str, Format); 4] = [
        ("llama-bench", Format::LlamaBench),
        ("llama-batched-bench", Format::LlamaBatchedBench),
        ("hyperfine", Format::Hyperfine),
        ("criterion", Format::Criterion),
    ];

    /// As the command line spells it.
    #[must_use]
    pub fn name(self) -> &'static str {
        Format::ALL.iter().find(|(_, format)| *format == self).map_or("", |(name, _)| name)
    }

    /// A guess from the content, by keys that only one tool writes.
    #[must_use]
    pub fn guess(text: &str) -> Option<Format> {
        let has = |key: &str| text.contains(key);
        if has("avg_ts") && (has("build_commit") || has("model_filename")) {
            Some(Format::LlamaBench)
        } else if has("\"speed_tg\"") || (has("S_PP t/s") && has("S_TG t/s")) {
            Some(Format::LlamaBatchedBench)
        } else if has("\"results\"") && has("\"command\"") {
            Some(Format::Hyperfine)
        } else if (has("\"iters\"") && has("\"times\"")) || has("\"point_estimate\"") {
            Some(Format::Criterion)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Format;

    #[test]
    fn each_tool_is_known_by_its_own_keys() {
        let guess = Format::guess;
        assert_eq!(guess("build_commit,model_filename,avg_ts\n"), Some(Format::LlamaBench));
        assert_eq!(guess("{\"pp\": 1, \"speed_tg\": 2}"), Some(Format::LlamaBatchedBench));
        assert_eq!(guess("{\"results\": [{\"command\": \"a\"}]}"), Some(Format::Hyperfine));
        assert_eq!(guess("{\"iters\": [1], \"times\": [2]}"), Some(Format::Criterion));
        assert_eq!(guess("{\"hello\": 1}"), None);
    }
}
