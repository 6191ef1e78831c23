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
}
