//! Starts processes of the program under test, as far along as a check needs them.

use engine_protocol::{
    Command, Greeting, LoadRequest, Loaded, PROTOCOL_VERSION, Reply, Settings, Token,
};

use super::check::{Check, Rule};
use super::run::ConformanceAsk;
use super::seen::{Seen, in_words};
use super::talk::Talk;
use crate::exec::process::Process;
use crate::manifest::Environment;

/// Context that is asked for, where the worker says that it heeds `context_tokens`.
pub(super) const CONTEXT_TOKENS: u32 = 512;

/// What is tokenised. Own words, some of them outside ASCII.
pub(super) const TEXT: &str = "An arm is held to what it says: ein Maß für jeden, 量る. \
    Some small words are enough to fill a prompt, and no model needs to like them.";

/// The program under test, and what was seen of all its processes.
#[derive(Debug)]
pub(super) struct Bench<'ask> {
    pub(super) ask: &'ask ConformanceAsk,
    pub(super) seen: Seen,
    /// Settings that the greeting says are heeded.
    supported: Vec<String>,
}

/// A process with a model, and tokens that it made.
#[derive(Debug)]
pub(super) struct LoadedTalk<'bench> {
    pub(super) talk: Talk<'bench>,
    pub(super) loaded: Loaded,
    tokens: Vec<Token>,
}

impl Bench<'_> {
    pub(super) fn new(ask: &ConformanceAsk) -> Bench<'_> {
        Bench { ask, seen: Seen::default(), supported: Vec::new() }
    }

    /// A process that nothing was said to.
    pub(super) fn start(&mut self) -> std::io::Result<Talk<'_>> {
        let process =
            Process::start(&self.ask.program, &self.ask.arguments, &Environment::default())?;
        Ok(Talk::with(process, self.ask.limit, &mut self.seen))
    }

    /// A process that has greeted.
    pub(super) fn greeted(&mut self) -> Result<(Talk<'_>, Greeting), String> {
        let mut talk = self.start().map_err(|error| format!("it cannot be started: {error}"))?;
        let greeting = greet(&mut talk)?;
        Ok((talk, greeting))
    }

    /// Keeps what the greeting says of settings.
    pub(super) fn heed(&mut self, greeting: &Greeting) {
        self.supported.clone_from(&greeting.engine.supported_settings);
    }

    /// Whether the greeting says that a setting is heeded.
    pub(super) fn heeds(&self, key: &str) -> bool {
        self.supported.iter().any(|supported| supported == key)
    }

    /// What is loaded, with a context of this length where that can be chosen.
    pub(super) fn load_request(&self, context_tokens: u32) -> LoadRequest {
        let context_tokens = self.heeds("context_tokens").then_some(context_tokens);
        LoadRequest {
            model_path: self.ask.model.to_string_lossy().into_owned(),
            settings: Settings { context_tokens, ..Settings::default() },
            draft_model_path: None,
        }
    }

    /// A process with the model.
    pub(super) fn loaded(&mut self) -> Result<LoadedTalk<'_>, String> {
        self.loaded_with(CONTEXT_TOKENS)
    }

    /// The same with another length of the context.
    pub(super) fn loaded_with(&mut self, context_tokens: u32) -> Result<LoadedTalk<'_>, String> {
        let request = self.load_request(context_tokens);
        let (mut talk, _) = self.greeted()?;
        let loaded = match talk.ask(Command::Load(request))? {
            Reply::Loaded(loaded) => loaded,
            other => return Err(format!("`load` was answered with {}", in_words(&other))),
        };
        let tokens = match talk.ask(Command::Tokenize { text: TEXT.to_owned() }) {
            Ok(Reply::Tokens(tokens)) if !tokens.is_empty() => tokens,
            _ => made_up(loaded.model.vocabulary),
        };
        Ok(LoadedTalk { talk, loaded, tokens })
    }
}

impl LoadedTalk<'_> {
    /// Makes a check, unless an earlier one was this process's end.
    pub(super) fn check(
        &mut self,
        rule: &Rule,
        ask: impl FnOnce(&mut Self) -> Result<String, String>,
    ) -> Check {
        if self.talk.is_gone() {
            return rule.not_made("its process had ended before");
        }
        rule.judged(ask(self))
    }

    /// A text of so many tokens.
    pub(super) fn text(&self, length: usize) -> Vec<Token> {
        self.tokens.iter().copied().cycle().take(length).collect()
    }

    /// Whether a token is of the vocabulary.
    pub(super) fn knows(&self, token: Token) -> bool {
        u32::try_from(token).is_ok_and(|token| token < self.loaded.model.vocabulary)
    }

    /// Tokens outside of the vocabulary are a fault.
    pub(super) fn known(&self, chosen: &[Token]) -> Result<(), String> {
        match chosen.iter().find(|token| !self.knows(**token)) {
            None => Ok(()),
            Some(token) => Err(format!(
                "token {token} was chosen, and the vocabulary has {}",
                self.loaded.model.vocabulary
            )),
        }
    }
}

/// `hello`, and a greeting of this version.
pub(super) fn greet(talk: &mut Talk<'_>) -> Result<Greeting, String> {
    match talk.ask(Command::Hello { protocol_version: PROTOCOL_VERSION })? {
        Reply::Greeting(greeting) if greeting.protocol_version == PROTOCOL_VERSION => Ok(greeting),
        Reply::Greeting(greeting) => Err(format!(
            "it greets with version {}, asked for was {PROTOCOL_VERSION}",
            greeting.protocol_version
        )),
        other => Err(format!("`hello` was answered with {}", in_words(&other))),
    }
}

/// Tokens for a worker that makes none.
fn made_up(vocabulary: u32) -> Vec<Token> {
    let most = vocabulary.clamp(1, 1000);
    (0..48_u32).map(|place| Token::try_from(place * 7 % most).unwrap_or(0)).collect()
}
