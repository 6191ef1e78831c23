//! Where a run stands: nothing but the journal's entries, applied in order. A run that goes on
//! applies each entry as it writes it; a resumed one reads the same entries back.

use std::collections::{BTreeMap, BTreeSet};

use engine_protocol::PeerReport;
use sample_table::SampleRow;

use super::entry::{
    AfterCheck, BlockDone, BlockSurroundings, Entry, Line, Opened, OutputCheck, Preflight,
    Reference,
};
use super::executable::KeptExecutable;
use super::identity::ProcessIdentity;
use crate::design::Schedule;
use crate::verdict::{ArmFault, ArmSpeculation, ArmWarmUp, Interruption, MemoryReading, RunFacts};

/// Begins what a block says of a gate that could not read something.
pub(super) const UNKNOWN: &str = "unknown: ";

/// All that the journal says.
#[derive(Debug, Clone, Default)]
pub(super) struct RunState {
    pub(super) opened: Option<Opened>,
    pub(super) started_at: String,
    pub(super) last_at: String,
    pub(super) kept: Vec<KeptExecutable>,
    pub(super) references: Vec<Reference>,
    pub(super) preflight: Option<Preflight>,
    pub(super) samples: Vec<SampleRow>,
    pub(super) outputs: Vec<OutputCheck>,
    pub(super) speculation: Vec<ArmSpeculation>,
    /// What other engines told, by arm and condition.
    pub(super) peers: BTreeMap<(u32, String), PeerReport>,
    pub(super) warm_up: Vec<ArmWarmUp>,
    pub(super) memory: Vec<MemoryReading>,
    /// `None` until outputs were taken after the last block.
    pub(super) after_timing: Option<Vec<AfterCheck>>,
    pub(super) faults: Vec<ArmFault>,
    pub(super) interruptions: Vec<Interruption>,
    pub(super) segment: u32,
    pub(super) ended: Option<RunFacts>,
    /// Rounds and blocks that are whole.
    pub(super) done: BTreeSet<(u32, u32)>,
    /// Workers of the boot that `boot` names.
    pub(super) workers: Vec<ProcessIdentity>,
    pub(super) boot: Option<String>,
    /// What the canary took, processor and memory, nanoseconds.
    pub(super) canary: Vec<(u64, u64)>,
    /// What the gate could not read, in its words.
    pub(super) unread: BTreeSet<String>,
    /// What the machine was like around each block.
    pub(super) surroundings: Vec<BlockSurroundings>,
    pub(super) engine_nanoseconds: u64,
    pub(super) timed_nanoseconds: u64,
    /// Waiting and preflight included, segments before this one.
    elapsed_before: u64,
    /// The same of this segment, up to the last entry.
    elapsed_now: u64,
    /// First block's start to last block's end, segments before this one.
    wall_before: u64,
    /// Of this segment: start of the first block, end of the last.
    wall_now: Option<(u64, u64)>,
}

impl RunState {
    /// Applies one line.
    pub(super) fn apply(&mut self, line: &Line) {
        if let Entry::Resumed(_) = line.entry {
            self.close_segment();
        }
        self.last_at.clone_from(&line.at);
        self.elapsed_now = line.elapsed_nanoseconds;
        match &line.entry {
            Entry::Opened(opened) => {
                self.started_at.clone_from(&line.at);
                self.boot.clone_from(&opened.boot);
                self.opened = Some(opened.clone());
            }
            Entry::Executables(kept) => self.kept.clone_from(kept),
            Entry::Worker(worker) => self.workers.push(worker.process),
            Entry::Reference(reference) => self.references.push(reference.clone()),
            Entry::Preflight(preflight) => self.preflight = Some(preflight.clone()),
            Entry::Block(block) => self.apply_block(block),
            Entry::AfterTiming(checks) => self.after_timing = Some(checks.clone()),
            Entry::RoundEnded { memory, .. } => self.memory.extend(memory.iter().cloned()),
            Entry::Interrupted { .. } => {}
            Entry::ArmFault(fault) => self.faults.push(fault.clone()),
            Entry::Resumed(resumed) => {
                self.segment = resumed.segment;
                self.interruptions.push(resumed.interruption.clone());
                self.boot.clone_from(&resumed.boot);
                self.workers.clear();
                if self.preflight.is_none() {
                    // The preflight begins anew, and with it the arms that ended there.
                    self.faults.clear();
                }
            }
            Entry::Ended(facts) => self.ended = Some(facts.as_ref().clone()),
        }
    }

    fn apply_block(&mut self, block: &BlockDone) {
        self.done.insert((block.round, block.block));
        self.samples.extend(block.rows.iter().cloned());
        self.outputs.extend(block.outputs.iter().cloned());
        self.warm_up.extend(block.warm_up.iter().cloned());
        for drafted in &block.speculation {
            ArmSpeculation::add(&mut self.speculation, drafted);
        }
        for told in &block.peers {
            let key = (told.condition, told.arm.clone());
            self.peers.entry(key).or_default().add(&told.report);
        }
        self.surroundings.extend(block.surroundings.clone());
        self.unread.extend(block.gate.strip_prefix(UNKNOWN).map(str::to_owned));
        self.canary.extend(
            block.canary.map(|times| (times.processor_nanoseconds, times.memory_nanoseconds)),
        );
        self.engine_nanoseconds += block.engine_nanoseconds;
        self.timed_nanoseconds = self.timed_nanoseconds.saturating_add(block.timed_nanoseconds);
        let start = self.wall_now.map_or(block.started_nanoseconds, |(start, _)| start);
        self.wall_now = Some((start, block.ended_nanoseconds));
    }

    fn close_segment(&mut self) {
        self.elapsed_before += self.elapsed_now;
        self.elapsed_now = 0;
        self.wall_before += self.wall_now.map_or(0, |(start, end)| end.saturating_sub(start));
        self.wall_now = None;
    }

    /// Wall time from first block to last, without interruptions.
    pub(super) fn wall_nanoseconds(&self) -> u64 {
        self.wall_before + self.wall_now.map_or(0, |(start, end)| end.saturating_sub(start))
    }

    /// Time used of the registered cap when the segment's clock shows `now`.
    pub(super) fn used_nanoseconds(&self, now: u64) -> u64 {
        self.elapsed_before + now
    }

    /// Where the run was cut, if it goes on at `resumed_at`.
    pub(super) fn interruption(&self, schedule: &Schedule, resumed_at: String) -> Interruption {
        let open = schedule.rounds.iter().find(|round| {
            round.blocks.iter().any(|block| !self.done.contains(&(round.index, block.index)))
        });
        let round = open.or(schedule.rounds.last());
        let index = round.map_or(0, |round| round.index);
        let done = self.done.iter().filter(|(round, _)| *round == index).count();
        Interruption {
            round: index,
            blocks_done: u32::try_from(done).unwrap_or(u32::MAX),
            last_entry_at: self.last_at.clone(),
            resumed_at,
        }
    }
}
