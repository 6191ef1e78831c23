//! What is to be run: the plan with its schedule, by value.

use std::collections::BTreeMap;

use engine_protocol::{DraftAcceptance, Greeting};

use crate::design::Schedule;
use crate::failure::Failure;
use crate::manifest::{Contract, Drafting, Plan, Role, TimedWork, WorkerChoice};

/// Holds the facts of this moment against those of the registration.
pub(super) type Confirm<'run> =
    &'run dyn Fn(&BTreeMap<WorkerChoice, Greeting>) -> Result<(), Failure>;

/// A plan that may be run.
pub(super) struct Job<'run> {
    /// What to run.
    pub(super) plan: &'run Plan,
    /// Hash of its canonical form; the journal carries it.
    pub(super) manifest_hash: String,
    /// In which order.
    pub(super) schedule: Schedule,
    /// Asked once the workers have greeted.
    pub(super) confirm: Confirm<'run>,
}

impl Job<'_> {
    /// An arm's name.
    pub(super) fn name(&self, arm: usize) -> &str {
        self.plan.arms.get(arm).map_or("", |arm| arm.name.as_str())
    }

    /// An arm's role.
    pub(super) fn role(&self, arm: usize) -> Role {
        self.plan.arms.get(arm).map_or(Role::Control, |arm| arm.role)
    }

    /// Whether an arm promises the same tokens.
    pub(super) fn is_identical(&self, arm: usize) -> bool {
        self.plan.arms.get(arm).is_some_and(|arm| arm.contracts.contains(&Contract::Identical))
    }

    /// Whether an arm works on a set of its own: what it puts out is held against nothing.
    pub(super) fn has_own_inputs(&self, arm: usize) -> bool {
        self.plan.arms.get(arm).is_some_and(|arm| arm.inputs.is_some())
    }

    /// Whether an arm generates its own tokens while it is timed, instead of being fed off's. One
    /// that drafts always does: how much is accepted hangs on the text, and a draft may end a chunk
    /// beyond what was asked for. So does one that works on other texts than off.
    pub(super) fn generates(&self, arm: usize) -> bool {
        matches!(self.role(arm), Role::Off | Role::Aa)
            || self.is_identical(arm)
            || self.drafting(arm).is_some()
            || self.has_own_inputs(arm)
    }

    /// Whether an arm is another engine that works on a whole block at once.
    pub(super) fn is_paired_whole(&self, arm: usize) -> bool {
        let peer = self.plan.arms.get(arm).and_then(|arm| self.plan.peer_of(arm));
        peer.is_some_and(|peer| !peer.alternates())
    }

    /// Sequences that an arm decodes side by side.
    pub(super) fn slots(&self, arm: usize) -> usize {
        self.plan.arms.get(arm).map_or(1, |arm| self.plan.slots_of(arm) as usize)
    }

    /// Contracts of an arm that are tested before and after timing; the others are while timed.
    pub(super) fn tested_contracts(&self, arm: usize) -> Vec<Contract> {
        let Some(arm) = self.plan.arms.get(arm) else { return Vec::new() };
        let tested = |contract: &&Contract| !self.plan.is_held_while_timed(arm, contract);
        arm.contracts.iter().filter(tested).cloned().collect()
    }

    /// A condition's value by its index.
    fn value(&self, condition: u32) -> Option<u32> {
        self.plan.condition_values().get(condition as usize).copied().flatten()
    }

    /// Depth at a condition.
    pub(super) fn depth(&self, condition: u32) -> usize {
        self.plan.depth_at(self.value(condition)) as usize
    }

    /// Timed work at a condition.
    pub(super) fn work(&self, condition: u32) -> TimedWork {
        self.plan.work_at(self.value(condition))
    }

    /// Tokens of an input that are evaluated at once: the prompt, or the timed prefill.
    pub(super) fn front_tokens(&self, condition: u32) -> usize {
        match self.work(condition) {
            TimedWork::Decode { prompt_tokens, .. } => prompt_tokens as usize,
            TimedWork::Prefill { prefill_tokens } => prefill_tokens as usize,
            TimedWork::Primitive { .. } => 0,
        }
    }

    /// Single tokens evaluated after that in a block, untimed ones included.
    pub(super) fn decoded_tokens(&self, condition: u32) -> usize {
        match self.work(condition) {
            TimedWork::Decode { decode_tokens, chunk_tokens, .. } => {
                let chunks = decode_tokens.div_ceil(chunk_tokens.max(1)) as usize;
                chunks * (chunk_tokens as usize + UNTIMED_TOKENS as usize)
            }
            TimedWork::Prefill { .. } | TimedWork::Primitive { .. } => 0,
        }
    }

    /// What an arm drafts; `None` where it does not.
    pub(super) fn drafting(&self, arm: usize) -> Option<Drafting> {
        self.plan.drafting_of(self.plan.arms.get(arm)?)
    }

    /// Whether an arm drafts and promises nothing of its tokens, as a ceiling does.
    pub(super) fn drafts_unpromised(&self, arm: usize) -> bool {
        self.drafting(arm).is_some() && !self.is_identical(arm)
    }

    /// Whether an arm shows what batches do by themselves: it drafts and keeps nothing.
    pub(super) fn is_draft_control(&self, arm: usize) -> bool {
        self.drafting(arm).is_some_and(|drafting| drafting.acceptance == DraftAcceptance::Nothing)
    }

    /// How many tokens any arm may go beyond what a block of decoding asks for, kept or rejected.
    pub(super) fn beyond(&self, condition: u32) -> usize {
        match self.work(condition) {
            TimedWork::Decode { .. } => self.plan.longest_draft() as usize,
            TimedWork::Prefill { .. } | TimedWork::Primitive { .. } => 0,
        }
    }

    /// All (condition, input) of the schedule, sorted, each once.
    pub(super) fn cells(&self) -> Vec<(u32, usize)> {
        let blocks = self.schedule.rounds.iter().flat_map(|round| &round.blocks);
        let mut cells: Vec<_> = blocks.map(|block| (block.condition, block.input)).collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// All conditions of the schedule, each once.
    pub(super) fn conditions(&self) -> Vec<u32> {
        let mut conditions: Vec<u32> = self.cells().into_iter().map(|cell| cell.0).collect();
        conditions.dedup();
        conditions
    }

    /// Blocks of the whole schedule.
    pub(super) fn blocks(&self) -> u32 {
        let blocks: usize = self.schedule.rounds.iter().map(|round| round.blocks.len()).sum();
        u32::try_from(blocks).unwrap_or(u32::MAX)
    }
}

/// Tokens evaluated before the clock of a chunk starts. Measured: the first token after a switch
/// between arms is 10 % slow.
pub(super) const UNTIMED_TOKENS: u32 = 1;
