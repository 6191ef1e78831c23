//! Makes forms of a model through a worker: its engine's own quantiser.

use std::time::Duration;

use engine_protocol::{Form, Greeting, ProblemKind, RequantiseRequest};

use super::clock::utc_now;
use super::executable::Executables;
use super::fault::WorkerError;
use super::interrupt::Interrupt;
use super::limits::RequestLimits;
use super::worker::{Call, Worker};
use crate::failure::Failure;
use crate::manifest::WorkerChoice;
use crate::model::{self, FormEngine, FormFile, ModelFile, Place, Verification, form_name};
use crate::project::Project;

/// How often a form is looked for that another process makes.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// What makes a form.
#[derive(Debug)]
pub struct FormMaker<'maker> {
    /// Whose engine does it.
    pub worker: &'maker WorkerChoice,
    /// Where it is found.
    pub executables: &'maker Executables,
    /// Threads of the quantiser.
    pub threads: u32,
}

/// What became of a form that was asked for.
#[derive(Debug, Clone, PartialEq)]
pub enum FormOutcome {
    /// It was there.
    Kept(FormFile),
    /// It was made now.
    Made(FormFile),
    /// It could not be made; nothing is kept.
    NotMade(Form, Failure),
}

/// Makes sure that forms of a model are in the cache, one after the other. One that cannot be made
/// does not keep the others from being made.
///
/// # Errors
/// When the worker cannot be asked, or somebody asked to stop.
pub fn make_forms(
    source: &ModelFile,
    forms: &[Form],
    maker: &FormMaker<'_>,
    project: &Project,
) -> Result<Vec<FormOutcome>, Failure> {
    let interrupt = Interrupt::listen()?;
    let engine = FormEngine::of(&super::greet(maker.worker, maker.executables)?.engine);
    let mut outcomes = Vec::new();
    for form in forms {
        let place = model::place(source, *form, &engine, project);
        let outcome = make_one(source, *form, &place, maker, (&interrupt, project));
        if let Some(signal) = interrupt.raised() {
            return Err(Failure::incomplete(format!("interrupted by {signal}"))
                .at(format!("form {}", form_name(*form)))
                .hint("nothing half-written is kept; run the same command again"));
        }
        outcomes.push(outcome.unwrap_or_else(|failure| FormOutcome::NotMade(*form, failure)));
    }
    Ok(outcomes)
}

fn make_one(
    source: &ModelFile,
    form: Form,
    place: &Place<'_>,
    maker: &FormMaker<'_>,
    (interrupt, project): (&Interrupt, &Project),
) -> Result<FormOutcome, Failure> {
    let making = loop {
        if let Some(kept) = place.kept(project, Verification::Remembered)? {
            return Ok(FormOutcome::Kept(kept));
        }
        match place.try_begin()? {
            Some(making) => break making,
            None if interrupt.raised().is_some() => {
                return Err(Failure::incomplete("interrupted"));
            }
            None => std::thread::sleep(LOOK_AGAIN),
        }
    };
    // it may have been made between the look and the lock
    if let Some(kept) = place.kept(project, Verification::Remembered)? {
        return Ok(FormOutcome::Kept(kept));
    }
    let request = RequantiseRequest {
        source_path: source.path.to_string_lossy().into_owned(),
        target_path: making.target().to_string_lossy().into_owned(),
        form,
        threads: maker.threads,
    };
    let said = ask(maker, interrupt, request)?;
    making.finish(&said, utc_now(), project).map(FormOutcome::Made)
}

fn ask(
    maker: &FormMaker<'_>,
    interrupt: &Interrupt,
    request: RequantiseRequest,
) -> Result<engine_protocol::Requantised, Failure> {
    let program = maker.executables.program(maker.worker)?;
    let limits = RequestLimits::default();
    let call = Call { limits: &limits, interrupt };
    let asked = Worker::start(&program.path, &program.arguments).and_then(|mut worker| {
        let _: Greeting = worker.hello(call)?;
        let made = worker.requantise(request, call)?;
        worker.shut_down();
        Ok(made)
    });
    asked.map_err(|error| {
        let detail = error.as_fault().map(|(_, detail)| detail).unwrap_or_default();
        match error {
            WorkerError::Interrupted => Failure::incomplete("interrupted"),
            WorkerError::Problem(ProblemKind::Scratch, _) => {
                Failure::failed(format!("the form cannot be written: {detail}"))
                    .hint("set RUNNER_CACHE_DIR to a folder with room that you may write to")
            }
            WorkerError::Problem(ProblemKind::Unsupported, _) => {
                Failure::refused(format!("this engine cannot make it: {detail}"))
                    .hint("choose another form, or another engine with --worker")
            }
            WorkerError::Problem(..) | WorkerError::Ended { .. } => {
                Failure::refused(format!("the engine did not make it: {detail}"))
                    .hint("nothing is kept; `runner engine info` says which engine it is")
            }
        }
    })
}
