//! The adapter's side of the protocol: one request, one answer, until standard input closes.

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};

use engine_protocol::{
    Beginning, Begun, Command, DecodeRequest, Decoded, LoadRequest, Loaded, PROTOCOL_VERSION,
    PeerReport, PrefillRequest, Prefilled, Problem, Reply, Request, Response, Settings, Token,
};

use super::answer::{Timed, failed, out_of_turn, unsupported};
use super::command;
use super::files::{Files, files_of};
use super::greeting::{greeting, model_facts};
use super::load::{self, Each};
use super::openai::{Asked, decoded};
use super::requests::Client;
use super::server::Server;
use super::sizes::{Model, Piece};
use super::spec::PeerSpec;
use crate::failure::Failure;
use crate::manifest::{Load, Peer, PeerServer, PromptCache};

/// Serves the protocol for another engine.
///
/// # Errors
/// The files of the peer are not there, or standard output is gone.
pub fn serve(
    spec: PeerSpec,
    input: impl BufRead + Send + 'static,
    output: &mut dyn Write,
) -> Result<(), Failure> {
    let files = files_of(&spec.peer, &spec.root)?;
    let mut adapter = Adapter { root: spec.root, peer: spec.peer, files, state: State::New };
    for line in lines(input) {
        let (response, last) = adapter.answer(&line);
        let mut text = serde_json::to_vec(&response)
            .map_err(|error| Failure::failed(format!("an answer cannot be written: {error}")))?;
        text.push(b'\n');
        let written = output.write_all(&text).and_then(|()| output.flush());
        if written.is_err() || last {
            break;
        }
    }
    Ok(())
}

/// Lines of standard input. When it closes in the middle of a computation, nobody waits for the answer
/// any more: the process group ends at once, and the other engine with it.
fn lines(mut input: impl BufRead + Send + 'static) -> Receiver<Vec<u8>> {
    let (send, receive) = channel();
    std::thread::spawn(move || {
        loop {
            let mut line = Vec::new();
            match input.read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => break,
                Ok(_) => {
                    if send.send(line).is_err() {
                        return;
                    }
                }
            }
        }
        drop(send);
        // in good order where nothing is under way
        std::thread::sleep(std::time::Duration::from_millis(200));
        end_group();
    });
    receive
}

/// Ends this process and what it started, where it leads its group, as a worker of `exec` does.
fn end_group() {
    use rustix::process::{Signal, getpgrp, getpid, kill_process, kill_process_group};
    let own = getpid();
    if getpgrp() == own {
        let _ = kill_process_group(own, Signal::KILL);
    }
    let _ = kill_process(own, Signal::KILL);
}

struct Adapter {
    root: PathBuf,
    peer: Peer,
    files: Files,
    state: State,
}

enum State {
    /// Nothing was said.
    New,
    /// It greeted.
    Greeted,
    /// The other engine is there.
    Loaded(Box<There>),
}

/// The other engine, and what it was given.
struct There {
    model: Model,
    server: Option<(Server, Client)>,
    begun: Option<Standing>,
}

/// A prompt that was begun.
struct Standing {
    tokens: Vec<Token>,
    /// Of those, the prompt.
    prompt: usize,
}

impl Adapter {
    fn answer(&mut self, line: &[u8]) -> (Response, bool) {
        let request: Request = match serde_json::from_slice(line) {
            Ok(request) => request,
            Err(error) => {
                let problem = out_of_turn(format!("this line is no request: {error}"));
                return (Response { id: 0, reply: Reply::Problem(problem) }, false);
            }
        };
        let last = matches!(request.command, Command::Shutdown);
        let reply = self.reply(request.command).unwrap_or_else(Reply::Problem);
        (Response { id: request.id, reply }, last)
    }

    fn reply(&mut self, command: Command) -> Result<Reply, Problem> {
        match command {
            Command::Hello { protocol_version: PROTOCOL_VERSION } => {
                if matches!(self.state, State::New) {
                    self.state = State::Greeted;
                }
                Ok(Reply::Greeting(greeting(&self.peer, &self.files)))
            }
            Command::Hello { protocol_version } => Err(out_of_turn(format!(
                "version {protocol_version} of the protocol is not spoken here, {PROTOCOL_VERSION} is"
            ))),
            _ if matches!(self.state, State::New) => Err(out_of_turn("`hello` comes first")),
            Command::Load(load) => self.load(&load).map(Reply::Loaded),
            Command::Begin(beginning) => self.begin(beginning).map(Reply::Begun),
            Command::Decode(decode) => self.decode(&decode).map(Reply::Decoded),
            Command::Prefill(prefill) => self.prefill(prefill).map(Reply::Prefilled),
            Command::Shutdown => {
                if let State::Loaded(there) = &mut self.state
                    && let Some((server, _)) = &mut there.server
                {
                    server.stop();
                }
                Ok(Reply::Ending)
            }
            Command::Tokenize { .. } => Err(unsupported("a peer makes no tokens: off's are used")),
            Command::Logits(_)
            | Command::Operations(_)
            | Command::Observe(_)
            | Command::Weights(_)
            | Command::Slots(_)
            | Command::Requantise(_)
            | Command::Primitive(_) => Err(unsupported(
                "a peer tells its time, and neither logits nor operations nor tensors",
            )),
        }
    }

    fn load(&mut self, load: &LoadRequest) -> Result<Loaded, Problem> {
        let model = Model::of(load);
        let facts = model_facts(&model).map_err(failed)?;
        let server = match &self.peer {
            Peer::Command(_) => None,
            Peer::Openai(server) => {
                let client = Client::of(server);
                let program = self.files.program.as_deref();
                let started = Server::begin(server, program, &self.root, (&model, &client))?;
                Some((started, client))
            }
        };
        self.state = State::Loaded(Box::new(There { model, server, begun: None }));
        Ok(Loaded {
            model: facts,
            effective: Settings::default(),
            buffers: Vec::new(),
            backends: Vec::new(),
            placement: Vec::new(),
        })
    }

    fn begin(&mut self, beginning: Beginning) -> Result<Begun, Problem> {
        let State::Loaded(there) = &mut self.state else {
            return Err(out_of_turn("`load` comes before `begin`"));
        };
        let There { server, begun, .. } = there.as_mut();
        let prompt = beginning.prompt.len();
        let mut tokens = beginning.depth;
        tokens.extend(beginning.prompt);
        let position = count(tokens.len());
        *begun = Some(Standing { tokens, prompt });
        // Of a server, the prompt is computed when it is known how many tokens follow: `decode` asks
        // for both, and tells the time to the first token.
        if let Some((server, _)) = server {
            server.alive()?;
        }
        Ok(Begun { prompt_tokens: count(prompt), nanoseconds: 0, position })
    }

    fn decode(&mut self, asked: &DecodeRequest) -> Result<Decoded, Problem> {
        let State::Loaded(there) = &mut self.state else {
            return Err(out_of_turn("`load` comes before `decode`"));
        };
        let There { model, server, begun } = there.as_mut();
        let Some(standing) = begun.take() else {
            return Err(unsupported(
                "a peer works on a whole block at once: each `decode` needs a `begin` before it",
            ));
        };
        let before = standing.tokens.len();
        let piece = Piece::Decode { before, prompt: standing.prompt, tokens: asked.timed_tokens };
        let untimed = u64::from(asked.untimed_tokens);
        // one more than is evaluated: the first token follows from the prompt alone
        let tokens = asked.untimed_tokens.saturating_add(asked.timed_tokens).saturating_add(1);
        let timed = match (&self.peer, server) {
            (Peer::Command(command), _) => {
                let program = program(&self.files)?;
                command::run(command, (program, &self.root), model, (piece, &standing.tokens))?
            }
            (Peer::Openai(_), None) => return Err(out_of_turn("`load` comes before `decode`")),
            (Peer::Openai(openai), Some((server, client))) => {
                let each = Each { prompt: &standing.tokens, tokens, timed: asked.timed_tokens };
                let done = match openai.load {
                    Load::One => Asked::send(client, standing.tokens.clone(), tokens)
                        .end()
                        .and_then(|all| decoded(&all, untimed + 1, asked.timed_tokens)),
                    Load::Closed { clients, requests } => {
                        load::closed(client, each, clients, requests)
                    }
                    Load::Open { requests, requests_per_kilosecond } => {
                        load::open(client, each, requests, requests_per_kilosecond)
                    }
                };
                done.and_then(|timed| fresh_prompts(openai, timed))
                    .map_err(|why| server.explain(why))?
            }
        };
        let all = asked.untimed_tokens.saturating_add(asked.timed_tokens);
        Ok(Decoded {
            timed_tokens: asked.timed_tokens,
            nanoseconds: timed.nanoseconds,
            chosen: Vec::new(),
            position: count(before).saturating_add(all),
            speculation: None,
            peer: Some(timed.report),
            slots: None,
        })
    }

    fn prefill(&mut self, request: PrefillRequest) -> Result<Prefilled, Problem> {
        let State::Loaded(there) = &mut self.state else {
            return Err(out_of_turn("`load` comes before `prefill`"));
        };
        let There { model, server, .. } = there.as_mut();
        let (before, timed_tokens) = (request.depth.len(), request.tokens.len());
        let mut tokens = request.depth;
        tokens.extend(request.tokens);
        let piece = Piece::Prefill { before, tokens: timed_tokens };
        let timed: Timed = match (&self.peer, server) {
            (Peer::Command(command), _) => {
                let program = program(&self.files)?;
                command::run(command, (program, &self.root), model, (piece, &tokens))?
            }
            (Peer::Openai(_), None) => return Err(out_of_turn("`load` comes before `prefill`")),
            (Peer::Openai(openai), Some((server, client))) => {
                let mut asked = Asked::send(client, tokens, 1);
                let done: Result<(u64, PeerReport), String> = asked.first().and_then(|first| {
                    let all = asked.end()?;
                    Ok((first, all.report()))
                });
                done.map(|(nanoseconds, report)| Timed { nanoseconds, report })
                    .and_then(|timed| fresh_prompts(openai, timed))
                    .map_err(|why| server.explain(why))?
            }
        };
        Ok(Prefilled {
            timed_tokens: count(timed_tokens),
            nanoseconds: timed.nanoseconds,
            chosen: None,
            peer: Some(timed.report),
        })
    }
}

/// The program of a command, which has one.
fn program(files: &Files) -> Result<&Path, Problem> {
    files.program.as_deref().ok_or_else(|| failed("the command has no program"))
}

/// What a server kept of prompts is held against what was declared, in every request.
fn fresh_prompts(server: &PeerServer, timed: Timed) -> Result<Timed, String> {
    let kept = timed.report.cached_tokens;
    if kept > 0 && server.prompt_cache == PromptCache::Off {
        return Err(format!(
            "the server says that it had kept {kept} tokens of a prompt, though `prompt_cache = \"off\"`: start it without a cache of prompts, or declare `peer.openai.prompt_cache = \"on\"`"
        ));
    }
    Ok(timed)
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
