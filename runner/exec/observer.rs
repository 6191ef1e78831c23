//! What a run tells while it goes on. Only between blocks, and before and after the timed part:
//! whoever prints never does so while a clock runs.

use std::time::Duration;

use super::builds::BuildStep;
use crate::failure::Failure;
use crate::verdict::{ArmFault, Interruption, LookFigure, LookTaken, Verdict};

/// Somebody who watches.
pub trait Observer {
    /// Something happened.
    fn event(&mut self, event: Event<'_>);
}

/// What happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Event<'run> {
    /// A new part of the preflight or of the run began.
    Phase(Phase<'run>),
    /// A declared build of the engine is made, before anything is measured.
    Build(BuildStep<'run>),
    /// An unfinished run goes on.
    Resumed {
        /// Name of the run's folder.
        run: &'run str,
        /// Where it was cut.
        interruption: &'run Interruption,
    },
    /// The gate is shut: the block waits. Sent about once a second.
    WaitingForQuiet {
        /// Which sensor, its value and the limit.
        detail: &'run str,
        /// How long it waits already.
        waited: Duration,
        /// How long it may wait.
        limit: Duration,
    },
    /// A block is about to be measured.
    BlockStarted {
        /// Blocks of the whole schedule that are done.
        done: u32,
        /// Blocks of the whole schedule.
        of: u32,
        /// Which one it is.
        at: BlockPlace,
    },
    /// A block is on disk.
    BlockFinished {
        /// Blocks of the whole schedule that are done.
        done: u32,
        /// Blocks of the whole schedule.
        of: u32,
        /// Estimate of the time left, from the blocks so far.
        left: Duration,
        /// Blocks so far that a sensor flagged.
        flagged: u32,
    },
    /// The registered rule looked at the samples of all whole rounds.
    LookTaken(&'run LookTaken),
    /// What that look saw of each comparison: never sent in between.
    LookFigures(&'run [SeenAtLook]),
    /// A step of a search for a commit begins.
    HistoryStep {
        /// From 1.
        number: u32,
        /// The greatest number of steps.
        most: u32,
        /// Hash of the commit that it is about.
        commit: &'run str,
    },
    /// It ended.
    HistoryStepEnded {
        /// Hash of its commit.
        commit: &'run str,
        /// What its record says.
        verdict: Verdict,
    },
    /// A commit cannot be built: the search goes around it.
    CommitSkipped {
        /// Its hash.
        commit: &'run str,
        /// Why, with the log's place.
        why: &'run Failure,
    },
    /// An arm ended; the others go on.
    ArmEnded(&'run ArmFault),
}

/// A block's place in the schedule; all counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockPlace {
    /// Its round.
    pub round: u32,
    /// How many rounds there are.
    pub rounds: u32,
    /// Its number within the round.
    pub block: u32,
    /// How many the round has.
    pub blocks: u32,
}

/// The interval that a registered look held against the margins.
#[derive(Debug, Clone, PartialEq)]
pub struct SeenAtLook {
    /// The treatment.
    pub arm: String,
    /// The condition; empty without one.
    pub condition: String,
    /// Estimate, repeated interval, outcome.
    pub figure: LookFigure,
}

/// The parts of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase<'run> {
    /// Executables are copied, workers greeted, facts compared.
    Greeting,
    /// An arm is loaded and looked at, untimed.
    Preflight {
        /// Its name.
        arm: &'run str,
    },
    /// Off writes the outputs that the others are compared with.
    References {
        /// Inputs to go through.
        of: u32,
    },
    /// An arm's contracts are tested.
    Contracts {
        /// Its name.
        arm: &'run str,
    },
    /// Workers start for a round.
    Round {
        /// From 0.
        index: u32,
        /// How many in all.
        of: u32,
    },
    /// An arm's worker starts for a round.
    Starting {
        /// Its name.
        arm: &'run str,
    },
    /// All blocks are done.
    Ending,
}

/// Nobody watches.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn event(&mut self, _event: Event<'_>) {}
}
