//! Architectures by the engine's word for them.

/// Words for architectures that are no other word of the language.
pub(super) const ARCHITECTURES: [&str; 30] = [
    "llama",
    "llama4",
    "qwen2",
    "qwen2moe",
    "qwen3",
    "qwen3moe",
    "gemma",
    "gemma2",
    "gemma3",
    "phi2",
    "phi3",
    "mixtral",
    "mistral",
    "mistral3",
    "olmo",
    "olmo2",
    "olmo3",
    "olmoe",
    "deepseek",
    "deepseek2",
    "falcon",
    "starcoder2",
    "stablelm",
    "granite",
    "cohere2",
    "mamba",
    "mamba2",
    "rwkv6",
    "rwkv7",
    "minicpm3",
];

/// Whether a word stands alone in a text: not within a longer one. Both in lower case.
pub(super) fn names(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let rest = text.get(at + word.len()..).unwrap_or("");
        let next = rest.chars().next();
        let program = word == "llama" && is_program(rest);
        !before.is_some_and(char::is_alphanumeric)
            && !next.is_some_and(char::is_alphanumeric)
            && !program
    })
}

/// The architecture that a word begins with: `qwen2` of `qwen2-7b`, `llama` of `llama3.1-8b`. In
/// lower case; a program is none.
pub(super) fn architecture_in(word: &str) -> Option<&'static str> {
    let known = |part: &str| ARCHITECTURES.into_iter().find(|known| *known == part);
    if word.starts_with("llama") && is_program(word.get("llama".len()..).unwrap_or("")) {
        return None;
    }
    let part = word.split(['-', '.', '_', '=']).next().unwrap_or("");
    known(part).or_else(|| {
        let letters = part.find(|c: char| c.is_ascii_digit()).unwrap_or(part.len());
        let tail = part.get(letters..).unwrap_or("");
        let numbered = tail.chars().all(|c| c.is_ascii_digit());
        numbered.then(|| known(part.get(..letters).unwrap_or("")))?
    })
}

/// The part of a model's name that is its size: `8b`, `0.5b`, `360m`.
pub(super) fn size_in(word: &str) -> Option<&str> {
    word.split(['-', '_']).skip(1).find(|part| {
        let number = part.strip_suffix(['b', 'm']).unwrap_or("");
        number.starts_with(|c: char| c.is_ascii_digit())
            && number.chars().all(|c| c.is_ascii_digit() || c == '.')
    })
}

/// `llama.cpp` and `llama-bench` are programs.
fn is_program(rest: &str) -> bool {
    let tail = rest.trim_start_matches(['.', '-', '_', ' ']);
    let parts = ["cpp", "bench", "batched", "server", "cli", "perplexity", "quant", "h\"", "h`"];
    tail.len() < rest.len() && parts.iter().any(|part| tail.starts_with(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_alone() {
        for text in ["on llama and", "llama", "synthetic-llama/", "\"llama\".", "test of llama."] {
            assert!(names(text, "llama"), "{text}");
        }
        for text in ["llama.cpp", "llama-bench", "llamafile", "a llama2"] {
            assert!(!names(text, "llama"), "{text}");
        }
        assert!(!names("qwen2moe", "qwen2"));
    }

    #[test]
    fn models_begin_with_their_architecture() {
        for (word, architecture, size) in [
            ("qwen2-7b", Some("qwen2"), Some("7b")),
            ("qwen2.5-0.5b-instruct", Some("qwen2"), Some("0.5b")),
            ("llama-8b", Some("llama"), Some("8b")),
            ("llama3.1", Some("llama"), None),
            ("gemma9", Some("gemma"), None),
            ("llama", Some("llama"), None),
            ("llama-bench", None, None),
            ("llama.cpp", None, None),
            ("llamafile-8b", None, Some("8b")),
            ("smollm2-135m", None, Some("135m")),
        ] {
            assert_eq!((architecture_in(word), size_in(word)), (architecture, size), "{word}");
        }
    }
}
