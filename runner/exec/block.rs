//! One block: every arm on the same input.

use engine_protocol::{Decoded, Token};
use sample_table::{SampleRow, SampleState, Work};

use super::canary::CanaryTimes;
use super::crew::Crew;
use super::entry::{BlockDone, BlockSurroundings, Entry, OutputCheck, PeerReading, Waited};
use super::fault::WorkerError;
use super::idle::{self, Rest};
use super::job::UNTIMED_TOKENS;
use super::run::Run;
use super::stop::Stop;
use super::stopped::stopped_since_asked;
use super::texts::Texts;
use super::{block_decode, block_prefill, block_primitive};
use crate::design::Block;
use crate::manifest::TimedWork;
use crate::verdict::contract::TokensComparison;
use crate::verdict::{ArmFaultKind, ArmSpeculation, ArmWarmUp};

/// A block that is being measured.
pub(super) struct Measuring<'block> {
    pub(super) round: u32,
    pub(super) block: &'block Block,
    pub(super) texts: &'block Texts,
    pub(super) rows: Vec<SampleRow>,
    pub(super) outputs: Vec<OutputCheck>,
    /// What became of drafts, by arm.
    pub(super) speculation: Vec<ArmSpeculation>,
    /// What other engines told.
    pub(super) peers: Vec<PeerReading>,
    /// Arm-blind sensors that spoke up.
    flags: Vec<String>,
    /// The first request that was too short for the counters of energy, in words.
    pub(super) too_short: Option<String>,
}

/// Where in the block a sample belongs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    pub(super) arm: usize,
    pub(super) place: usize,
    pub(super) chunk: u32,
    pub(super) work: Work,
    /// Tokens between the clock's readings.
    pub(super) tokens: usize,
    /// On the segment's clock, when the request was sent.
    pub(super) started: u64,
}

/// What stands around a block.
#[derive(Debug, Clone)]
pub(super) struct Around {
    /// What the gate said.
    pub(super) gate: String,
    /// How long it was shut before.
    pub(super) waited: Option<Waited>,
    /// What the canary took, after the gate had opened.
    pub(super) canary: CanaryTimes,
    /// On the segment's clock.
    pub(super) started_nanoseconds: u64,
    /// How the workers were warmed up for it, by a registered rule.
    pub(super) warm_up: Vec<ArmWarmUp>,
}

/// Measures a block and puts it on disk.
pub(super) fn measure(
    run: &mut Run<'_, '_>,
    crew: &mut Crew,
    (round, block): (u32, &Block),
    texts: &Texts,
    around: Around,
) -> Result<(), Stop> {
    let mut measuring = Measuring {
        round,
        block,
        texts,
        rows: Vec::new(),
        outputs: Vec::new(),
        speculation: Vec::new(),
        peers: Vec::new(),
        flags: Vec::new(),
        too_short: None,
    };
    // what was done to them between blocks is no matter of this one
    stopped_since_asked(&crew.pids());
    match run.job.work(block.condition) {
        TimedWork::Decode { chunk_tokens, .. } => {
            block_decode::measure(run, crew, &mut measuring, chunk_tokens)?;
        }
        TimedWork::Prefill { .. } => block_prefill::measure(run, crew, &mut measuring)?,
        TimedWork::Primitive { repetitions, .. } => {
            block_primitive::measure(run, crew, &mut measuring, repetitions)?;
        }
    }
    measuring.heed_too_short(run)?;
    for flag in run.context.gate.after_block(&run.job.plan.gate) {
        measuring.flag(&flag);
    }
    if stopped_since_asked(&crew.pids()) {
        measuring.flag("worker_stopped");
    }
    let flags = measuring.flags.join(",");
    for row in &mut measuring.rows {
        row.flags.clone_from(&flags);
    }
    let timed = measuring.rows.iter().fold(0, |sum: u64, row| sum.saturating_add(row.nanoseconds));
    run.record(Entry::Block(BlockDone {
        round,
        block: block.index,
        segment: run.desk.state.segment,
        started_nanoseconds: around.started_nanoseconds,
        ended_nanoseconds: run.desk.journal.clock().nanoseconds(),
        engine_nanoseconds: crew.take_busy_nanoseconds(),
        timed_nanoseconds: timed,
        gate: around.gate,
        canary: Some(around.canary),
        rows: measuring.rows,
        outputs: measuring.outputs,
        speculation: measuring.speculation,
        peers: measuring.peers,
        surroundings: Some(BlockSurroundings {
            waited: around.waited,
            readings: run.context.gate.readings(),
        }),
        warm_up: around.warm_up,
    }))
}

impl Measuring<'_> {
    /// Sees the resident workers at rest, or flags the block.
    pub(super) fn see_idle(&mut self, crew: &Crew) {
        if idle::settle(&crew.resident()) == Rest::Busy {
            self.flag("peer_not_idle");
        }
    }

    fn flag(&mut self, name: &str) {
        if !self.flags.iter().any(|flag| flag == name) {
            self.flags.push(name.to_owned());
            self.flags.sort();
        }
    }

    /// Adds a sample. A reading of zero is below what the timer resolves: a state, no number.
    pub(super) fn timed(&mut self, run: &Run<'_, '_>, slot: Slot, nanoseconds: u64) {
        let state = if nanoseconds == 0 { SampleState::Censored } else { SampleState::Timed };
        self.push(run, slot, nanoseconds, state);
    }

    /// Adds what is to be said of a sample that was not answered: one that ran over its limit is
    /// a state, never a number.
    fn unanswered(&mut self, run: &Run<'_, '_>, slot: Slot, error: &WorkerError) {
        if matches!(error, WorkerError::Ended { kind: ArmFaultKind::Hung, .. }) {
            self.push(run, slot, 0, SampleState::TimedOut);
        }
    }

    /// Adds what became of an arm's drafts in a chunk.
    pub(super) fn drafted(&mut self, run: &Run<'_, '_>, arm: usize, decoded: &Decoded) {
        let Some(counts) = &decoded.speculation else { return };
        ArmSpeculation::add(
            &mut self.speculation,
            &ArmSpeculation {
                arm: run.job.name(arm).to_owned(),
                condition: self.block.condition,
                kept_tokens: u64::from(decoded.timed_tokens),
                counts: counts.clone(),
            },
        );
    }

    fn push(&mut self, run: &Run<'_, '_>, slot: Slot, nanoseconds: u64, state: SampleState) {
        let inputs = run.context.inputs_of(run.job.name(slot.arm));
        let input = inputs.items.get(self.block.input);
        self.rows.push(SampleRow {
            condition: self.block.condition,
            round: self.round,
            segment: run.desk.state.segment,
            block: self.block.index,
            chunk: slot.chunk,
            place: u32::try_from(slot.place).unwrap_or(u32::MAX),
            arm: run.job.name(slot.arm).to_owned(),
            input: input.map(|item| item.id.clone()).unwrap_or_default(),
            work: slot.work,
            tokens: u32::try_from(slot.tokens).unwrap_or(u32::MAX),
            nanoseconds,
            started_nanoseconds: slot.started,
            state,
            flags: String::new(),
            energy: None,
        });
    }

    /// The arm of this slot failed: it leaves the crew.
    pub(super) fn arm_failed(
        &mut self,
        run: &mut Run<'_, '_>,
        crew: &mut Crew,
        slot: Slot,
        error: &WorkerError,
    ) -> Result<(), Stop> {
        self.unanswered(run, slot, error);
        drop_arm(run, crew, slot.arm, error, self.round)
    }

    /// Holds tokens that an arm chose against what it should have chosen. `offset` is the place
    /// of the first in the whole output.
    pub(super) fn check_output(
        &mut self,
        run: &Run<'_, '_>,
        arm: usize,
        (expected, found): (&[Token], &[Token]),
        offset: u64,
    ) {
        let input = run.input_label(self.block.condition, self.block.input);
        let mut comparison = TokensComparison::new();
        comparison.add(&input, expected, found);
        let divergence = comparison.finish().first_divergence.map(|mut place| {
            place.position += offset;
            format!("{place} (while timed: round {}, block {})", self.round, self.block.index)
        });
        let name = run.job.name(arm);
        let compared = expected.len() as u64;
        self.add_check(OutputCheck { arm: name.to_owned(), compared, divergence, agreed: None });
    }

    /// Counts the choices of an arm that was fed off's tokens and chose as off did after them.
    pub(super) fn check_choices(
        &mut self,
        run: &Run<'_, '_>,
        arm: usize,
        (expected, found): (&[Token], &[Token]),
        offset: u64,
    ) {
        let input = run.input_label(self.block.condition, self.block.input);
        let mut choices = (0_u64..).zip(expected.iter().zip(found));
        let agreed = expected.iter().zip(found).filter(|(off, own)| off == own).count() as u64;
        let apart = choices.find(|(_, (off, own))| off != own).map(|(place, (off, own))| {
            let place = place + offset;
            format!("input {input}, position {place}: off chose {off}, the arm {own} (while timed)")
        });
        self.add_check(OutputCheck {
            arm: run.job.name(arm).to_owned(),
            compared: expected.len().min(found.len()) as u64,
            divergence: apart,
            agreed: Some(agreed),
        });
    }

    fn add_check(&mut self, more: OutputCheck) {
        let known = |check: &&mut OutputCheck| check.arm == more.arm;
        let Some(check) = self.outputs.iter_mut().find(known) else {
            self.outputs.push(more);
            return;
        };
        check.compared += more.compared;
        check.divergence = check.divergence.take().or(more.divergence);
        check.agreed = match (check.agreed, more.agreed) {
            (Some(before), Some(more)) => Some(before + more),
            (before, more) => before.or(more),
        };
    }
}

/// Takes a failed arm out of the crew and ends its process.
pub(super) fn drop_arm(
    run: &mut Run<'_, '_>,
    crew: &mut Crew,
    arm: usize,
    error: &WorkerError,
    round: u32,
) -> Result<(), Stop> {
    let worker = crew.workers.remove(&arm);
    run.arm_ends(arm, worker.as_ref(), error, Some(round))
}

/// Tokens evaluated in one chunk, the untimed ones included.
pub(super) fn tokens_of_chunk(chunk_tokens: u32) -> usize {
    chunk_tokens as usize + UNTIMED_TOKENS as usize
}
