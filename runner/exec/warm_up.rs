//! Untimed work before the first block of a round: one piece of it, or pieces until an arm has come
//! to rest by the registered rule.

use std::collections::BTreeSet;

use engine_protocol::{Beginning, Feed, PrefillRequest, PrimitiveRequest};

use super::block::drop_arm;
use super::crew::Crew;
use super::fault::WorkerError;
use super::job::UNTIMED_TOKENS;
use super::run::Run;
use super::stationary::Stationary;
use super::stop::Stop;
use super::texts::Texts;
use super::worker::{Call, Worker};
use super::{block_decode, block_primitive};
use crate::design::Block;
use crate::manifest::{Drafting, TimedWork, WarmUp};
use crate::verdict::{ArmWarmUp, WarmUpOutcome};

/// What the workers of a round were warmed up for.
#[derive(Debug, Default)]
pub(super) struct Warmed {
    conditions: BTreeSet<u32>,
}

impl Warmed {
    /// Whether a block needs warming up before it: the first of a round; by a registered rule the
    /// first of each condition value, since other values are work of another shape.
    pub(super) fn needs(&mut self, rule: Option<&WarmUp>, condition: u32) -> bool {
        let first = self.conditions.is_empty();
        let new = self.conditions.insert(condition);
        match rule {
            None => first,
            Some(WarmUp::Stationary { .. }) => new,
        }
    }
}

/// Warms up every worker for a block. What is handed back is empty without a registered rule.
pub(super) fn warm_up(
    run: &mut Run<'_, '_>,
    crew: &mut Crew,
    (round, block): (u32, &Block),
    texts: &Texts,
) -> Result<Vec<ArmWarmUp>, Stop> {
    let mut found = Vec::new();
    for arm in &block.order {
        let rule = run.job.plan.warm_up.as_ref().map(Stationary::of);
        let mut pieces = Pieces::of(run, *arm, block, texts);
        let mut nanoseconds = Vec::new();
        let outcome = loop {
            run.heed_interrupt()?;
            let Some(worker) = crew.workers.get_mut(arm) else { break None };
            match pieces.next(worker, run.call()) {
                Ok(took) => nanoseconds.push(took),
                Err(error) => {
                    drop_arm(run, crew, *arm, &error, round)?;
                    break Some(WarmUpOutcome::Ended);
                }
            }
            match &rule {
                None => break None,
                Some(rule) if rule.is_settled(&nanoseconds) => break Some(WarmUpOutcome::Settled),
                Some(rule) if rule.is_over(&nanoseconds) => {
                    break Some(WarmUpOutcome::DidNotSettle);
                }
                Some(_) => {}
            }
        };
        if let (Some(outcome), true) = (outcome, rule.is_some()) {
            let arm = run.job.name(*arm).to_owned();
            let condition = block.condition;
            found.push(ArmWarmUp { arm, round, condition, outcome, nanoseconds });
        }
    }
    Ok(found)
}

/// Pieces of an arm's work, one after the other.
struct Pieces {
    work: TimedWork,
    beginning: Beginning,
    drafting: Option<Drafting>,
    /// One repetition of the arm's primitive, which also allocates and fills its buffers.
    primitive: Option<PrimitiveRequest>,
    /// Where the sequence may end at most.
    end: usize,
    /// Tokens that a piece may put behind the sequence at most.
    longest: usize,
    /// Where the sequence stands.
    position: Option<u32>,
}

impl Pieces {
    fn of(run: &Run<'_, '_>, arm: usize, block: &Block, texts: &Texts) -> Pieces {
        let condition = block.condition;
        let own = texts.of_arm(arm);
        let (depth, prompt) = (own.depth(condition), own.front(condition, block.input));
        let work = run.job.work(condition);
        let chunk = match work {
            TimedWork::Decode { chunk_tokens, .. } => (chunk_tokens + UNTIMED_TOKENS) as usize,
            TimedWork::Prefill { .. } | TimedWork::Primitive { .. } => 0,
        };
        let beyond = run.job.beyond(condition);
        Pieces {
            work,
            end: depth.len() + prompt.len() + run.job.decoded_tokens(condition) + beyond,
            longest: chunk + beyond,
            beginning: Beginning { depth, prompt },
            drafting: run.job.drafting(arm),
            primitive: block_primitive::request(run, texts, (arm, block), 1),
            position: None,
        }
    }

    /// Does a piece; its time in nanoseconds. The prompt is put into the cache before the first
    /// one, and again when a block's length is used up.
    fn next(&mut self, worker: &mut Worker, call: Call<'_>) -> Result<u64, WorkerError> {
        match self.work {
            TimedWork::Decode { chunk_tokens, .. } => {
                let fits = |position: &u32| *position as usize + self.longest <= self.end;
                let position = match self.position.filter(fits) {
                    Some(position) => position,
                    None => worker.begin(self.beginning.clone(), call)?.position,
                };
                let request = block_decode::request(chunk_tokens, Feed::Free);
                let decoded = worker.decode(request, position, self.drafting, call)?;
                self.position = Some(decoded.position);
                Ok(decoded.nanoseconds)
            }
            TimedWork::Prefill { .. } => {
                let Beginning { depth, prompt } = self.beginning.clone();
                let request = PrefillRequest { depth, tokens: prompt };
                Ok(worker.prefill(request, call)?.nanoseconds)
            }
            TimedWork::Primitive { .. } => {
                let Some(request) = self.primitive.clone() else { return Ok(0) };
                let done = worker.primitive(request, call)?;
                Ok(done.nanoseconds.iter().fold(0, |sum: u64, took| sum.saturating_add(*took)))
            }
        }
    }
}
