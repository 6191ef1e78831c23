//! How long a request may take before its worker counts as hung.

use std::time::Duration;

use engine_protocol::Command;

/// Generous on purpose: a limit that cuts slow work would turn a slow arm into a broken one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestLimits {
    /// Greeting, tokenising, ending; and the base of all that computes.
    pub base: Duration,
    /// Added for each token that is evaluated: 1 s a token is slower than any model that fits
    /// a machine it is measured on.
    pub per_token: Duration,
    /// Loading a model.
    pub load: Duration,
}

impl Default for RequestLimits {
    fn default() -> RequestLimits {
        RequestLimits {
            base: Duration::from_secs(120),
            per_token: Duration::from_secs(1),
            load: Duration::from_secs(600),
        }
    }
}

impl RequestLimits {
    /// The limit of a request that evaluates this many tokens.
    pub(super) fn tokens(&self, tokens: usize) -> Duration {
        let tokens = u32::try_from(tokens).unwrap_or(u32::MAX);
        self.base.saturating_add(self.per_token.saturating_mul(tokens))
    }

    /// The limit of a command.
    pub(super) fn of(&self, command: &Command) -> Duration {
        match command {
            Command::Hello { .. } | Command::Tokenize { .. } | Command::Shutdown => self.base,
            Command::Load(_) => self.load,
            Command::Begin(begin) => self.tokens(begin.depth.len() + begin.prompt.len()),
            Command::Decode(decode) => {
                self.tokens(decode.untimed_tokens as usize + decode.timed_tokens as usize)
            }
            Command::Prefill(prefill) => self.tokens(prefill.depth.len() + prefill.tokens.len()),
            Command::Logits(logits) => self.tokens(logits.tokens.len()),
            Command::Operations(observed) => {
                self.tokens(observed.prompt.len() + observed.decode_tokens as usize)
            }
            Command::Observe(observed) => self.load + self.tokens(observed.tokens.len()),
            // These go over every byte of a model once or twice.
            Command::Weights(_) | Command::Requantise(_) => self.load,
            // Buffers larger than the cache are filled first. No kernel of a graph takes longer than a
            // token of a model: ten are allowed for each repetition.
            Command::Primitive(request) => {
                let repetitions = request.untimed_repetitions.saturating_add(request.repetitions);
                self.load + self.tokens(10 * repetitions as usize)
            }
            Command::Slots(slots) => {
                let prompts: usize = slots.prompts.iter().map(Vec::len).sum();
                self.tokens(prompts + slots.prompts.len() * slots.decode_tokens as usize)
            }
        }
    }
}
