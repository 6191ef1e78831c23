//! Before anything is timed: who the workers are, whether each arm can do what it shall, what
//! it needs, what off puts out, and whether contracts hold.

use std::collections::BTreeMap;

use engine_protocol::{Greeting, Loaded, OperationsRequest, ProblemKind};

use super::context::ArmWorker;
use super::entry::{Entry, Preflight};
use super::executable;
use super::fault::WorkerError;
use super::observer::{Event, Phase};
use super::run::{Ready, Run};
use super::stop::Stop;
use super::texts::{TextError, Texts, Tokenizer};
use super::worker::Worker;
use super::{
    builds, contract_timed, contracts, effective, memory_guard, primitive, references, rpc_hosts,
    try_peer,
};
use crate::failure::Failure;
use crate::manifest::WorkerChoice;
use crate::verdict::{ArmMemory, Engagement, ProcessFacts};

/// Greedy steps of the observed run of a decode experiment: enough for each operation of
/// single-token decoding to be counted.
const OBSERVED_TOKENS: u32 = 4;

/// Runs the preflight, or what a resumed run still needs of it.
pub(super) fn run(run: &mut Run<'_, '_>) -> Result<Texts, Stop> {
    run.observer.event(Event::Phase(Phase::Greeting));
    keep_executables(run)?;
    let greetings = greet_all(run)?;
    let hosts = rpc_hosts::ask_all(run, &greetings)?;
    let off = run.job.plan.off();
    let done = run.desk.state.preflight.is_some();
    let mut findings = Preflight {
        workers: Vec::new(),
        engagement: Vec::new(),
        memory: Vec::new(),
        primitives: Vec::new(),
        contracts: Vec::new(),
        draft_controls: Vec::new(),
        logits: Vec::new(),
        prompt_cache: Vec::new(),
        processes: ProcessFacts::default(),
        hosts,
        energy: run.energy.evidence(),
    };
    let (mut ready, texts) = prepare_off(run, off)?;
    if done {
        ready.worker.shut_down();
        return Ok(texts);
    }
    look_at(run, off, &mut ready, &texts, &mut findings)?;
    for arm in (0..run.job.plan.arms.len()).filter(|arm| *arm != off) {
        if run.has_ended(arm) {
            continue;
        }
        run.observer.event(Event::Phase(Phase::Preflight { arm: run.job.name(arm) }));
        match run.start(arm, None)? {
            Ok(mut ready) => {
                if look_at(run, arm, &mut ready, &texts, &mut findings)? {
                    ready.worker.shut_down();
                }
            }
            Err((worker, error)) => ends(run, arm, worker.as_ref(), &error)?,
        }
    }
    effective::told_apart(run.job.plan, &findings.workers)?;
    findings.processes = memory_guard::guard(run.job.plan, &findings.memory, &findings.hosts)?;
    references::complete(run, off, &mut ready, &texts)?;
    let tested = contracts::test_all(run, &mut ready.worker, &texts)?;
    (findings.contracts, findings.logits) = (tested.findings, tested.seen);
    findings.contracts.extend(contract_timed::asked(run.job.plan));
    findings.draft_controls = tested.draft_controls;
    ready.worker.shut_down();
    run.record(Entry::Preflight(findings))?;
    Ok(texts)
}

fn keep_executables(run: &mut Run<'_, '_>) -> Result<(), Stop> {
    let plan = run.job.plan;
    let choices = plan.arms.iter().map(|arm| plan.worker_of(arm));
    let (private, kept) = (&run.desk.private, &run.desk.state.kept);
    run.copies = executable::keep(choices, &run.context.executables, private, kept)?;
    let copies: Vec<_> = run.copies.values().cloned().collect();
    if run.desk.state.kept != copies {
        run.record(Entry::Executables(copies))?;
    }
    Ok(())
}

/// Greets each distinct worker and has its facts compared with those of the registration.
fn greet_all(run: &mut Run<'_, '_>) -> Result<BTreeMap<WorkerChoice, Greeting>, Stop> {
    let mut greetings: BTreeMap<WorkerChoice, Greeting> = BTreeMap::new();
    for (choice, copy) in &run.copies {
        let program = copy.program(&run.desk.private);
        let greeted = Worker::start(&program.path, &program.arguments).and_then(|mut worker| {
            let greeting = worker.hello(run.call())?;
            worker.shut_down();
            Ok(greeting)
        });
        let greeting = greeted.map_err(|error| match error.as_fault() {
            None => Stop::Interrupted(run.interrupt.raised().unwrap_or("a signal")),
            Some((_, detail)) => Failure::refused(format!("the worker does not greet: {detail}"))
                .at(worker_place(choice))
                .hint("is it a worker of this version? `runner engine info` asks it alone")
                .into(),
        })?;
        builds::require(&worker_place(choice), &greeting.engine.instruction_set)?;
        greetings.insert(choice.clone(), greeting);
    }
    (run.job.confirm)(&greetings)?;
    Ok(greetings)
}

/// A worker as the manifest names it.
fn worker_place(choice: &WorkerChoice) -> String {
    match choice {
        WorkerChoice::Native => "the native worker".to_owned(),
        WorkerChoice::Executable(path) => format!("worker `{path}`"),
        WorkerChoice::Build(build) => format!("build `{}`", build.name),
        WorkerChoice::Peer(peer) => format!("peer `{}`", peer.name()),
    }
}

/// Off's worker, with the texts made by its tokenizer.
fn prepare_off(run: &mut Run<'_, '_>, off: usize) -> Result<(Ready, Texts), Stop> {
    run.observer.event(Event::Phase(Phase::Preflight { arm: run.job.name(off) }));
    let mut ready = match run.start(off, None)? {
        Ok(ready) => ready,
        Err((_, error)) => return Err(never_began(run, off, &error)),
    };
    if !run.job.plan.workload.work.reads_text() {
        let primitives = primitive::of_all(run)?;
        return Ok((ready, Texts { primitives, ..Texts::default() }));
    }
    match all_texts(run, &mut ready.worker) {
        Ok(texts) => Ok((ready, texts)),
        Err(TextError::Failure(failure)) => Err(failure.into()),
        Err(TextError::Worker(error)) => Err(never_began(run, off, &error)),
    }
}

/// The workload's texts, and those of each arm that has a set of its own.
fn all_texts(run: &Run<'_, '_>, worker: &mut Worker) -> Result<Texts, TextError> {
    let tokenizer = Tokenizer::new(&run.context.inputs, worker, run.call())?;
    let mut texts = tokenizer.texts(run.job, worker, run.call())?;
    for arm in (0..run.job.plan.arms.len()).filter(|arm| run.job.has_own_inputs(*arm)) {
        let name = run.job.name(arm);
        let at_arm = |error| match error {
            TextError::Failure(failure) => TextError::Failure(failure.at(format!("arm `{name}`"))),
            TextError::Worker(error) => TextError::Worker(error),
        };
        let tokenizer = Tokenizer::new(run.context.inputs_of(name), worker, run.call())?;
        let own = tokenizer.texts(run.job, worker, run.call()).map_err(at_arm)?;
        texts.own.insert(arm, own);
    }
    Ok(texts)
}

/// Looks at a loaded arm; whether it is still there.
fn look_at(
    run: &mut Run<'_, '_>,
    arm: usize,
    ready: &mut Ready,
    texts: &Texts,
    findings: &mut Preflight,
) -> Result<bool, Stop> {
    let name = run.job.name(arm).to_owned();
    check_context(run, arm, &ready.loaded)?;
    check_vocabulary(run, arm, &ready.loaded, findings)?;
    check_layers(run, arm, &ready.loaded)?;
    let planned = run.job.plan.arms.get(arm);
    if let Some(planned) = planned {
        effective::as_asked(&name, &run.job.plan.settings_of(planned), &ready.loaded.effective)?;
    }
    let choice = planned.map(|planned| run.job.plan.worker_of(planned));
    let copy = choice.and_then(|choice| run.copies.get(choice));
    findings.workers.push(ArmWorker {
        arm: name.clone(),
        executable_blake3: copy.map(|copy| copy.computing_blake3().to_owned()).unwrap_or_default(),
        greeting: ready.greeting.clone(),
        loaded: Some(ready.loaded.clone()),
    });
    let buffers = ready.loaded.buffers.clone();
    // another engine tells none of its bytes: they are unknown, and not zero
    if !run.job.is_paired_whole(arm) {
        findings.memory.push(ArmMemory { arm: name.clone(), buffers });
    }
    if !run.job.plan.workload.work.reads_text() {
        return primitive::look_at(run, arm, &mut ready.worker, texts, findings);
    }
    if run.job.is_paired_whole(arm) {
        if let Some(prompt_cache) = try_peer::try_out(run, arm, ready, texts)? {
            findings.prompt_cache.push((name, prompt_cache));
        }
        return Ok(true);
    }
    let Some((condition, input)) = run.job.cells().first().copied() else { return Ok(true) };
    let decodes = run.job.decoded_tokens(condition) > 0;
    let observed = OperationsRequest {
        prompt: texts.of_arm(arm).front(condition, input),
        decode_tokens: if decodes { OBSERVED_TOKENS } else { 0 },
    };
    match ready.worker.operations(observed, run.call()) {
        Ok(operations) => {
            findings.engagement.push(Engagement { arm: name, operations });
            Ok(true)
        }
        // it does not tell, and nothing asks
        Err(WorkerError::Problem(ProblemKind::Unsupported, _))
            if planned
                .is_some_and(|arm| arm.expect.is_empty() && arm.expect_devices.is_empty()) =>
        {
            Ok(true)
        }
        Err(error) => {
            ends(run, arm, Some(&ready.worker), &error)?;
            Ok(false)
        }
    }
}

/// All arms must speak the same tokens, whichever file each has loaded.
fn check_vocabulary(
    run: &Run<'_, '_>,
    arm: usize,
    loaded: &Loaded,
    findings: &Preflight,
) -> Result<(), Stop> {
    // off is looked at first
    let Some(off) = findings.workers.first().and_then(|worker| worker.loaded.as_ref()) else {
        return Ok(());
    };
    let (own, offs) = (loaded.model.vocabulary, off.model.vocabulary);
    // another engine does not tell what it has loaded
    if own == offs || run.job.is_paired_whole(arm) {
        return Ok(());
    }
    Err(Failure::refused(format!("its model has {own} tokens in its vocabulary, and off's {offs}"))
        .at(format!("arm `{}`", run.job.name(arm)))
        .hint("arms are compared token by token: give each the same model, in whichever form")
        .into())
}

/// An arm that names a number of layers has loaded so many.
fn check_layers(run: &Run<'_, '_>, arm: usize, loaded: &Loaded) -> Result<(), Stop> {
    let plan = run.job.plan;
    let named = plan.arms.get(arm).and_then(|planned| plan.layers_of(planned));
    let (Some(named), found) = (named, loaded.model.layers) else { return Ok(()) };
    if found == named {
        return Ok(());
    }
    Err(Failure::refused(format!(
        "its engine has loaded {found} layers, and the manifest names {named}"
    ))
    .at(format!("arm `{}`", run.job.name(arm)))
    .hint("a figure of a slice needs an engine that loads the slice's file and says how many layers it has")
    .into())
}

/// The context must hold the longest block of any condition.
fn check_context(run: &Run<'_, '_>, arm: usize, loaded: &Loaded) -> Result<(), Stop> {
    let Some(context) = loaded.effective.context_tokens else { return Ok(()) };
    for condition in run.job.conditions() {
        let (depth, front) = (run.job.depth(condition), run.job.front_tokens(condition));
        let decoded = run.job.decoded_tokens(condition);
        let drafted = run.job.beyond(condition);
        let needed = depth + front + decoded + drafted;
        if needed > context as usize {
            return Err(Failure::refused(format!(
                "the context has {context} tokens, a block needs {needed} (depth {depth}, prompt {front}, decoded {decoded}, untimed ones included{})",
                if drafted > 0 { format!(", drafted beyond {drafted}") } else { String::new() }
            ))
            .at(format!("arm `{}`", run.job.name(arm)))
            .hint("raise `context_tokens`, or ask for less")
            .into());
        }
    }
    Ok(())
}

/// An arm ends in preflight. What the manifest could not have asked for is a refusal.
pub(super) fn ends(
    run: &mut Run<'_, '_>,
    arm: usize,
    worker: Option<&Worker>,
    error: &WorkerError,
) -> Result<(), Stop> {
    if let Some(refusal) = refusal(run, arm, error) {
        return Err(refusal.into());
    }
    match run.arm_ends(arm, worker, error, None).and_then(|()| run.heed_ended_arms()) {
        Err(Stop::Ended(_)) => Err(never_began(run, arm, error)),
        other => other,
    }
}

/// Off, aa or the last treatment is not there: nothing was measured and nothing will be.
fn never_began(run: &Run<'_, '_>, arm: usize, error: &WorkerError) -> Stop {
    if let Some(refusal) = refusal(run, arm, error) {
        return refusal.into();
    }
    match error.as_fault() {
        None => Stop::Interrupted(run.interrupt.raised().unwrap_or("a signal")),
        Some((_, detail)) => {
            Failure::refused(format!("it ended before anything was measured: {detail}"))
                .at(format!("arm `{}`", run.job.name(arm)))
                .hint("nothing was measured; mend it and run the same command again")
                .into()
        }
    }
}

fn refusal(run: &Run<'_, '_>, arm: usize, error: &WorkerError) -> Option<Failure> {
    let WorkerError::Problem(kind, message) = error else { return None };
    let place = format!("arm `{}`", run.job.name(arm));
    match kind {
        ProblemKind::Unsupported if !run.job.plan.workload.work.reads_text() => Some(
            Failure::refused(format!("the primitive cannot be computed here: {message}"))
                .at(place)
                .hint("docs/primitives.md says which workers, types and sizes can be; nothing was measured"),
        ),
        ProblemKind::Unsupported => Some(
            Failure::refused(format!("a setting cannot be honoured here: {message}"))
                .at(place)
                .hint("`runner engine info` lists what this build supports on this platform"),
        ),
        ProblemKind::Model => Some(
            Failure::refused(format!("the model cannot be loaded: {message}"))
                .at(place)
                .hint("name a model that this engine knows; `runner model list` shows some"),
        ),
        ProblemKind::Context => Some(
            Failure::refused(format!("the context is too small: {message}"))
                .at(place)
                .hint("raise `context_tokens`, or ask for less"),
        ),
        ProblemKind::Scratch => Some(
            Failure::incomplete(format!("a scratch file cannot be written: {message}"))
                .at(place)
                .hint("make room, then run the same command again: it goes on"),
        ),
        ProblemKind::Protocol | ProblemKind::Compute => None,
    }
}
