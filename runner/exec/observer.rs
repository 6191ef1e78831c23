//! What a run tells while it goes on. Only between blocks, and before and after the timed part:
//! whoever prints never does so while a clock runs.

use std::time::Duration;

use super::builds::BuildStep;
use crate::failure::Failure;
use crate::verdict::{ArmFault, Interruption, LookTaken, Verdict};

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
    },
    /// A block is on disk.
    BlockFinished {
        /// Blocks of the whole schedule that are done.
        done: u32,
        /// Blocks of the whole schedule.
        of: u32,
        /// Estimate of the time left, from the blocks so far.
        left: Duration,
    },
    /// The registered rule looked at the samples of all whole rounds.
    LookTaken(&'run LookTaken),
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
    /// All blocks are done.
    Ending,
}

/// Nobody watches.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn event(&mut self, _event: Event<'_>) {}
}
