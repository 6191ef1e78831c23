//! The rounds: workers start, warm up, measure their blocks and end.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::after_timing;
use super::block::{self, Around};
use super::canary;
use super::clock::nanoseconds;
use super::crew::Crew;
use super::entry::{AskedProcesses, Entry, Waited};
use super::gate::GateOutcome;
use super::look_figures;
use super::observer::{BlockPlace, Event, Phase};
use super::process_memory;
use super::run::Run;
use super::state::UNKNOWN;
use super::stop::Stop;
use super::texts::Texts;
use super::warm_up::{self, Warmed};
use crate::design::Round;
use crate::verdict::{self, ArmFault, LookTaken, RunEnd};

/// Runs what is left of the schedule, and what is asked after it.
pub(super) fn run(run: &mut Run<'_, '_>, texts: &Texts) -> Result<(), Stop> {
    let end = all_rounds(run, texts);
    let regular = matches!(end, Ok(()) | Err(Stop::Ended(RunEnd::StoppedAtLook { .. })));
    // a run that was cut after its last block has no processes of the last round any more
    if regular && after_timing::is_due(run) {
        let last = run.job.schedule.rounds.last();
        let mut crew = last.map_or(Ok(Crew::default()), |round| start_all(run, round))?;
        after_timing::test(run, (&mut crew, AskedProcesses::Fresh), texts)?;
        crew.shut_down();
    }
    end
}

fn all_rounds(run: &mut Run<'_, '_>, texts: &Texts) -> Result<(), Stop> {
    let job = run.job;
    let mut pace = Pace::start();
    run.heed_ended_arms()?;
    for round in &job.schedule.rounds {
        let is_done = |block: u32| run.desk.state.done.contains(&(round.index, block));
        if !round.blocks.iter().all(|block| is_done(block.index)) {
            run.heed_ended_arms()?;
            one_round(run, texts, round, &mut pace)?;
        }
        take_look(run, round)?;
    }
    Ok(())
}

/// Asks the registered rule after a whole round. A run that goes on takes the look again at which
/// it was cut, on the same samples; where a later round has begun, the rule went on before.
fn take_look(run: &mut Run<'_, '_>, round: &Round) -> Result<(), Stop> {
    let Some(look) = look_after(run, round) else { return Ok(()) };
    run.observer.event(Event::LookTaken(&look));
    run.observer.event(Event::LookFigures(&look_figures::seen(run, &look)));
    look.end().map_or(Ok(()), |end| Err(Stop::Ended(end)))
}

fn look_after(run: &Run<'_, '_>, round: &Round) -> Option<LookTaken> {
    let state = &run.desk.state;
    if state.done.last().is_some_and(|(last, _)| *last > round.index) {
        return None;
    }
    let until_now = |fault: &&ArmFault| fault.round.is_none_or(|when| when <= round.index);
    let faults: Vec<ArmFault> = state.faults.iter().filter(until_now).cloned().collect();
    let rounds = round.index.saturating_add(1);
    verdict::look_after(run.job.plan, &state.samples, &faults, rounds)
}

/// Whether the run ends after this round, whose blocks are done.
fn is_last(run: &Run<'_, '_>, round: &Round) -> bool {
    let last = run.job.schedule.rounds.last().is_some_and(|last| last.index == round.index);
    last || look_after(run, round).is_some_and(|look| look.end().is_some())
}

fn one_round(
    run: &mut Run<'_, '_>,
    texts: &Texts,
    round: &Round,
    pace: &mut Pace,
) -> Result<(), Stop> {
    let mut begun = Some(run.desk.journal.clock().nanoseconds());
    run.observer.event(Event::Phase(Phase::Round {
        index: round.index,
        of: count(run.job.schedule.rounds.len()),
    }));
    check_copies(run)?;
    let mut crew = start_all(run, round)?;
    let mut warmed = Warmed::default();
    for planned in &round.blocks {
        if run.desk.state.done.contains(&(round.index, planned.index)) {
            continue;
        }
        let warm_up = if warmed.needs(run.job.plan.warm_up.as_ref(), planned.condition) {
            warm_up::warm_up(run, &mut crew, (round.index, planned), texts)?
        } else {
            Vec::new()
        };
        run.heed_ended_arms()?;
        run.heed_interrupt()?;
        let (gate, waited) = wait_for_quiet(run)?;
        let canary = canary::sing(&run.canary, run.desk.journal.clock());
        let of = run.job.blocks();
        let at = BlockPlace {
            round: round.index.saturating_add(1),
            rounds: count(run.job.schedule.rounds.len()),
            block: planned.index.saturating_add(1),
            blocks: count(round.blocks.len()),
        };
        run.observer.event(Event::BlockStarted { done: done(run), of, at });
        let now = run.desk.journal.clock().nanoseconds();
        let started_nanoseconds = begun.take().unwrap_or(now);
        let around = Around { gate, waited, canary, started_nanoseconds, warm_up };
        block::measure(run, &mut crew, (round.index, planned), texts, around)?;
        pace.blocks += 1;
        let left = pace.left(of.saturating_sub(done(run)));
        let flagged = flagged(run);
        run.observer.event(Event::BlockFinished { done: done(run), of, left, flagged });
    }
    if is_last(run, round) && after_timing::is_due(run) {
        after_timing::test(run, (&mut crew, AskedProcesses::OfTheLastRound), texts)?;
    }
    let memory = process_memory::readings(run.job, &crew, round.index);
    crew.shut_down();
    run.record(Entry::RoundEnded { round: round.index, memory })
}

fn done(run: &Run<'_, '_>) -> u32 {
    count(run.desk.state.done.len())
}

/// Blocks so far that a sensor flagged, whatever the arm.
fn flagged(run: &Run<'_, '_>) -> u32 {
    let rows = run.desk.state.samples.iter().filter(|row| !row.flags.is_empty());
    let blocks: BTreeSet<(u32, u32, u32)> =
        rows.map(|row| (row.round, row.segment, row.block)).collect();
    count(blocks.len())
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// The kept executables must be what they were.
fn check_copies(run: &Run<'_, '_>) -> Result<(), Stop> {
    match run.copies.values().find(|copy| !copy.unchanged(&run.desk.private)) {
        None => Ok(()),
        Some(copy) => Err(Stop::Ended(RunEnd::Broken {
            detail: format!(
                "the run's copy of a worker's executable (`{}`) was changed",
                copy.file
            ),
        })),
    }
}

fn start_all(run: &mut Run<'_, '_>, round: &Round) -> Result<Crew, Stop> {
    let mut crew = Crew { servers: run.servers.clone(), ..Crew::default() };
    for arm in &round.start_order {
        if run.has_ended(*arm) {
            continue;
        }
        run.observer.event(Event::Phase(Phase::Starting { arm: run.job.name(*arm) }));
        match run.start(*arm, Some(round.index))? {
            Ok(ready) => {
                crew.workers.insert(*arm, ready.worker);
            }
            Err((worker, error)) => {
                run.arm_ends(*arm, worker.as_ref(), &error, Some(round.index))?;
            }
        }
    }
    Ok(crew)
}

/// Waits until the gate is open. What it said, and how long it was shut, for the journal.
fn wait_for_quiet(run: &mut Run<'_, '_>) -> Result<(String, Option<Waited>), Stop> {
    let limits = run.job.plan.gate.clone();
    let mut begun = Instant::now();
    let mut shut_by: Option<String> = None;
    let limit = Duration::try_from_secs_f64(limits.wait_seconds).unwrap_or(Duration::ZERO);
    loop {
        run.heed_interrupt()?;
        check_budget(run)?;
        let (detail, pause) = match run.context.gate.before_block(&limits) {
            GateOutcome::Quiet => return Ok(("quiet".to_owned(), waited(shut_by, begun))),
            GateOutcome::Unknown { detail } => {
                return Ok((format!("{UNKNOWN}{detail}"), waited(shut_by, begun)));
            }
            GateOutcome::NotYet { pause } => {
                std::thread::sleep(pause);
                begun = Instant::now();
                continue;
            }
            GateOutcome::Busy { detail, pause } => (detail, pause),
        };
        shut_by.get_or_insert_with(|| detail.clone());
        let waited = begun.elapsed();
        if waited >= limit {
            return Err(Stop::Ended(RunEnd::NeverQuiet {
                detail: format!("{detail}; waited {:.0} s", waited.as_secs_f64()),
            }));
        }
        run.observer.event(Event::WaitingForQuiet { detail: &detail, waited, limit });
        std::thread::sleep(pause);
    }
}

fn waited(shut_by: Option<String>, begun: Instant) -> Option<Waited> {
    let nanoseconds = nanoseconds(begun.elapsed());
    shut_by.map(|shut_by| Waited { nanoseconds, shut_by })
}

/// The registered cap on minutes, waiting included, interruptions not.
fn check_budget(run: &Run<'_, '_>) -> Result<(), Stop> {
    let cap_minutes = run.job.plan.stop.cap_minutes();
    let now = run.desk.journal.clock().nanoseconds();
    let used = Duration::from_nanos(run.desk.state.used_nanoseconds(now)).as_secs_f64() / 60.0;
    if used <= cap_minutes {
        return Ok(());
    }
    Err(Stop::Ended(RunEnd::OverBudget {
        detail: format!(
            "{used:.1} of {cap_minutes} minutes are used, and {} of {} blocks are done",
            done(run),
            run.job.blocks()
        ),
    }))
}

/// Estimates the time left.
struct Pace {
    begun: Instant,
    blocks: u32,
}

impl Pace {
    fn start() -> Pace {
        Pace { begun: Instant::now(), blocks: 0 }
    }

    fn left(&self, blocks: u32) -> Duration {
        (self.begun.elapsed() / self.blocks.max(1)).saturating_mul(blocks)
    }
}
