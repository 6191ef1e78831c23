//! From request to response. The state is small: whether the caller has said hello, and the one
//! model that this process serves.

use engine_protocol::{
    Command, Greeting, LoadRequest, PROTOCOL_VERSION, Problem, ProblemKind, Reply, Request,
    Response,
};

use super::{logits_file, observed_file, weights_file};
use crate::facts::facts_of;
use crate::{Engine, EngineError, Session};

/// Whether the worker goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// Listen on.
    GoOn,
    /// The answer was the last one.
    End,
}

/// What the worker knows between two requests.
#[derive(Debug)]
pub(super) struct Answers {
    engine: Result<Engine, EngineError>,
    greeted: bool,
    session: Option<Session>,
}

/// The answer to a line that is no request.
pub(super) fn garbage(why: String) -> Response {
    Response { id: 0, reply: problem(format!("the line is not a request: {why}")) }
}

fn problem(message: String) -> Reply {
    Reply::Problem(Problem { kind: ProblemKind::Protocol, message })
}

impl Answers {
    pub(super) fn new() -> Self {
        Self { engine: Engine::start(), greeted: false, session: None }
    }

    pub(super) fn answer(&mut self, request: Request) -> (Response, Next) {
        let Request { id, command } = request;
        let next = if command == Command::Shutdown { Next::End } else { Next::GoOn };
        let reply = self.reply(command).unwrap_or_else(|error| Reply::Problem(error.into()));
        if let Some(Err(error)) = self.session.as_mut().map(Session::rest) {
            return (Response { id, reply: Reply::Problem(error.into()) }, next);
        }
        (Response { id, reply }, next)
    }

    fn reply(&mut self, command: Command) -> Result<Reply, EngineError> {
        if let Command::Hello { protocol_version } = command {
            return Ok(self.greet(protocol_version));
        }
        if command == Command::Shutdown {
            return Ok(Reply::Ending);
        }
        if !self.greeted {
            return Err(EngineError::Request("`hello` comes first".to_owned()));
        }
        match command {
            Command::Hello { .. } | Command::Shutdown => Ok(Reply::Ending), // answered above
            Command::Load(request) => self.load(&request),
            Command::Tokenize { text } => {
                Ok(Reply::Tokens(self.session()?.model().tokenize(&text)?))
            }
            Command::Begin(request) => Ok(Reply::Begun(self.session()?.begin(&request)?)),
            Command::Decode(request) => Ok(Reply::Decoded(self.session()?.decode(&request)?)),
            Command::Prefill(request) => Ok(Reply::Prefilled(self.session()?.prefill(&request)?)),
            Command::Logits(request) => {
                Ok(Reply::Logits(logits_file::write(self.session()?, &request)?))
            }
            Command::Operations(request) => {
                Ok(Reply::Operations(self.session()?.operations(&request)?))
            }
            Command::Observe(request) => {
                Ok(Reply::Observed(observed_file::write(self.session()?, &request)?))
            }
            Command::Requantise(request) => {
                let engine = self.engine.as_ref().map_err(Clone::clone)?;
                Ok(Reply::Requantised(engine.requantise(&request)?))
            }
            Command::Weights(request) => {
                Ok(Reply::Weights(weights_file::write(self.session()?, &request)?))
            }
            Command::Slots(request) => Ok(Reply::Slots(self.session()?.slots(&request)?)),
            Command::Primitive(request) => {
                Ok(Reply::Primitive(self.session()?.primitive(&request)?))
            }
        }
    }

    fn greet(&mut self, protocol_version: u32) -> Reply {
        if protocol_version != PROTOCOL_VERSION {
            return problem(format!(
                "the caller speaks protocol version {protocol_version}, this worker {PROTOCOL_VERSION}"
            ));
        }
        self.greeted = true;
        Reply::Greeting(Greeting {
            protocol_version: PROTOCOL_VERSION,
            worker: format!("engine-worker {}", env!("CARGO_PKG_VERSION")),
            engine: facts_of(self.engine.as_ref()),
        })
    }

    /// One model a process: affinity, priority and memory nodes are the process's, and would leak
    /// from one model to the next.
    fn load(&mut self, request: &LoadRequest) -> Result<Reply, EngineError> {
        if self.session.is_some() {
            return Err(EngineError::Request(
                "a model is loaded already; another one needs another worker".to_owned(),
            ));
        }
        let engine = self.engine.as_ref().map_err(Clone::clone)?;
        let mut session = engine.load(
            &request.model_path,
            &request.settings,
            request.draft_model_path.as_deref(),
        )?;
        let loaded = session.loaded()?;
        self.session = Some(session);
        Ok(Reply::Loaded(loaded))
    }

    fn session(&mut self) -> Result<&mut Session, EngineError> {
        self.session.as_mut().ok_or_else(|| {
            EngineError::Request("no model is loaded; `load` comes first".to_owned())
        })
    }
}
