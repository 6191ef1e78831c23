//! HTTP, as far as servers of models need it.

use std::io::BufReader;
use std::time::Duration;

use serde_json::{Value, json};
use ureq::Agent;

use engine_protocol::Token;

use crate::manifest::{PeerServer, PromptCache};

/// Longest wait for the head of an answer; `exec` has a limit of its own for the whole.
const SILENCE: Duration = Duration::from_secs(120);

/// A client of one server.
#[derive(Debug, Clone)]
pub(super) struct Client {
    agent: Agent,
    base: String,
    model: String,
    prompt_cache: PromptCache,
}

/// An answer that comes in pieces.
pub(super) type Lines = BufReader<ureq::BodyReader<'static>>;

impl Client {
    pub(super) fn of(server: &PeerServer) -> Client {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_recv_response(Some(SILENCE))
            .timeout_connect(Some(Duration::from_secs(10)))
            .proxy(None)
            .build();
        Client {
            agent: config.into(),
            base: format!("http://{}", server.address),
            model: server.model.clone(),
            prompt_cache: server.prompt_cache,
        }
    }

    /// Whether a path answers 200.
    ///
    /// # Errors
    /// Why not, in words.
    pub(super) fn is_ready(&self, path: &str) -> Result<(), String> {
        let response = self.agent.get(format!("{}{path}", self.base)).call();
        match response {
            Ok(response) if response.status().as_u16() == 200 => Ok(()),
            Ok(response) => Err(format!("`{path}` answers {}", response.status().as_u16())),
            Err(error) => Err(format!("`{path}` does not answer: {error}")),
        }
    }

    /// Asks for a completion in pieces.
    ///
    /// # Errors
    /// It is refused, or the server cannot be reached, in words.
    pub(super) fn complete(&self, prompt: &[Token], tokens: u32) -> Result<Lines, String> {
        let body = self.body(prompt, tokens).to_string();
        let response = self
            .agent
            .post(format!("{}/v1/completions", self.base))
            .header("Content-Type", "application/json")
            .header("Accept", "text/event-stream")
            .send(body.as_bytes())
            .map_err(|error| format!("the server does not answer: {error}"))?;
        let status = response.status().as_u16();
        if status != 200 {
            let mut body = response.into_body();
            let text = body.with_config().limit(64 << 10).read_to_string().unwrap_or_default();
            return Err(format!("the server answers {status}: {}", first_words(&text)));
        }
        Ok(BufReader::new(response.into_body().into_reader()))
    }

    /// Greedy, of a fixed length. What is no part of OpenAI's interface is what llama-server and vLLM
    /// take beside it: a fixed length (`ignore_eos`), no kept prompts (`cache_prompt`), and a count of
    /// tokens with each piece (`timings_per_token`, `continuous_usage_stats`).
    fn body(&self, prompt: &[Token], tokens: u32) -> Value {
        json!({
            "model": self.model,
            "prompt": prompt,
            "max_tokens": tokens,
            "temperature": 0,
            "seed": 0,
            "stream": true,
            "stream_options": { "include_usage": true, "continuous_usage_stats": true },
            "ignore_eos": true,
            "cache_prompt": self.prompt_cache == PromptCache::On,
            "timings_per_token": true,
        })
    }
}

fn first_words(text: &str) -> String {
    text.chars().take(200).map(|c| if c.is_control() { ' ' } else { c }).collect()
}
