//! Short looks at a worker, outside of a run.

use std::path::Path;

use engine_protocol::{Greeting, LoadRequest, Loaded, Settings};

use super::builds;
use super::context::Inputs;
use super::executable::Executables;
use super::fault::WorkerError;
use super::interrupt::Interrupt;
use super::limits::RequestLimits;
use super::texts::Tokenizer;
use super::worker::{Call, Worker};
use crate::failure::Failure;
use crate::manifest::WorkerChoice;
use crate::record::worker_name;

/// What a plan needs to know of a workload under a model.
#[derive(Debug, Clone, PartialEq)]
pub struct TokenisedInputs {
    /// The worker.
    pub greeting: Greeting,
    /// The model.
    pub loaded: Loaded,
    /// Tokens of each item alone, in the set's order, the opening token included.
    pub lengths: Vec<usize>,
}

/// Starts a worker, asks who it is, and ends it.
///
/// # Errors
/// A refusal when there is no such worker, or it does not greet.
pub fn greet(choice: &WorkerChoice, executables: &Executables) -> Result<Greeting, Failure> {
    let greeting = with_worker(choice, executables, |worker, call| worker.hello(call))?;
    builds::require(&worker_name(choice), &greeting.engine.instruction_set)?;
    Ok(greeting)
}

/// Starts a worker, loads a model, tokenises each item, and ends it.
///
/// # Errors
/// A refusal when there is no such worker, or it cannot load the model.
pub fn plan_tokens(
    choice: &WorkerChoice,
    executables: &Executables,
    settings: &Settings,
    model: &Path,
    inputs: &Inputs,
) -> Result<TokenisedInputs, Failure> {
    with_worker(choice, executables, |worker, call| {
        let greeting = worker.hello(call)?;
        let load = LoadRequest {
            model_path: model.to_string_lossy().into_owned(),
            settings: settings.clone(),
            draft_model_path: None,
        };
        let loaded = worker.load(load, call)?;
        let lengths = Tokenizer::new(inputs, worker, call)?.lengths().to_vec();
        Ok(TokenisedInputs { greeting, loaded, lengths })
    })
}

fn with_worker<T>(
    choice: &WorkerChoice,
    executables: &Executables,
    look: impl FnOnce(&mut Worker, Call<'_>) -> Result<T, WorkerError>,
) -> Result<T, Failure> {
    let program = executables.program(choice)?;
    let (limits, interrupt) = (RequestLimits::default(), Interrupt::never());
    let call = Call { limits: &limits, interrupt: &interrupt };
    let seen = Worker::start(&program.path, &program.arguments).and_then(|mut worker| {
        let seen = look(&mut worker, call)?;
        worker.shut_down();
        Ok(seen)
    });
    seen.map_err(|error| {
        let detail = error.as_fault().map(|(_, detail)| detail).unwrap_or_default();
        Failure::refused(format!("the worker cannot be asked: {detail}"))
            .at(program.path.display())
            .hint(
                "is it a worker of this version? `runner engine info --worker FILE` asks it alone",
            )
    })
}
