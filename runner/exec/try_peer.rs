//! Another engine before anything is timed: one piece of its work, so that what it prints or answers is
//! known to be readable, and whether it keeps prompts that it must not keep.

use engine_protocol::{Beginning, Feed, PrefillRequest, Token};

use super::block_decode;
use super::fault::WorkerError;
use super::peer;
use super::run::{Ready, Run};
use super::stop::Stop;
use super::texts::Texts;
use super::worker::{Call, Worker};
use crate::failure::Failure;
use crate::manifest::{Peer, PromptCache, TimedWork};
use crate::verdict::PromptCacheFinding;

/// Pairs of a fresh prompt and the same once more.
const PAIRS: u32 = 8;

/// So many pairs at least must have the repeated prompt quicker: by chance alone 9 of 256 have.
const QUICKER_PAIRS: u32 = 7;

/// A repeated prompt may be quicker by so much: the bound that the documentation states.
const QUICKER: f64 = 0.9;

/// Tries it out; what it keeps of prompts.
pub(super) fn try_out(
    run: &mut Run<'_, '_>,
    arm: usize,
    ready: &mut Ready,
    texts: &Texts,
) -> Result<Option<PromptCacheFinding>, Stop> {
    let Some((condition, input)) = run.job.cells().first().copied() else { return Ok(None) };
    let texts = texts.of_arm(arm);
    let (depth, front) = (texts.depth(condition), texts.front(condition, input));
    let work = run.job.work(condition);
    let planned = run.job.plan.arms.get(arm);
    let peer = planned.and_then(|planned| run.job.plan.peer_of(planned)).cloned();
    let call = run.call();
    // prompts that were not seen before come first: a load has many of them
    let seen = match peer {
        Some(Peer::Openai(server)) => {
            repeated(&mut ready.worker, server.prompt_cache, (&depth, &front), call).map(Some)
        }
        _ => Ok(None),
    };
    let tried =
        seen.and_then(|seen| piece(&mut ready.worker, work, (&depth, &front), call).map(|()| seen));
    let refused = |why: &str, hint: &str| -> Stop {
        Failure::refused(why).at(format!("arm `{}`", run.job.name(arm))).hint(hint).into()
    };
    match tried {
        Ok(Some(finding)) if finding.declared == PromptCache::Off => {
            if finding.repeated_by_fresh < QUICKER && finding.quicker_pairs >= QUICKER_PAIRS {
                return Err(refused(
                    &format!(
                        "a repeated prompt took {:.0} % of a fresh one's time, though `prompt_cache = \"off\"`",
                        finding.repeated_by_fresh * 100.0
                    ),
                    "start the server without a cache of prompts, or declare `peer.openai.prompt_cache = \"on\"`; nothing was measured",
                ));
            }
            Ok(Some(finding))
        }
        Ok(found) => Ok(found),
        Err(error) => match error.as_fault() {
            None => Err(Stop::Interrupted(run.interrupt.raised().unwrap_or("a signal"))),
            Some((_, detail)) => Err(refused(
                &format!("the other engine cannot be read: {detail}"),
                "nothing was measured; docs/peers.md says what it must print or answer",
            )),
        },
    }
}

/// One piece of the timed work.
fn piece(
    worker: &mut Worker,
    work: TimedWork,
    (depth, front): (&[Token], &[Token]),
    call: Call<'_>,
) -> Result<(), WorkerError> {
    match work {
        TimedWork::Decode { chunk_tokens, .. } => {
            let beginning = Beginning { depth: depth.to_vec(), prompt: front.to_vec() };
            let begun = worker.begin(beginning, call)?;
            let request = block_decode::request(chunk_tokens, Feed::Free);
            worker.decode(request, begun.position, None, call).map(|_| ())
        }
        TimedWork::Prefill { .. } => {
            let request = PrefillRequest { depth: depth.to_vec(), tokens: front.to_vec() };
            worker.prefill(request, call).map(|_| ())
        }
        TimedWork::Primitive { .. } => Ok(()),
    }
}

/// Prompts that were not seen before, each at once once more.
fn repeated(
    worker: &mut Worker,
    declared: PromptCache,
    (depth, front): (&[Token], &[Token]),
    call: Call<'_>,
) -> Result<PromptCacheFinding, WorkerError> {
    let mut ratios = Vec::new();
    for number in 1..=PAIRS {
        let all: Vec<Token> = depth.iter().chain(front).copied().collect();
        let tokens = peer::fresh(&all, number);
        let mut once = || {
            let request = PrefillRequest { depth: Vec::new(), tokens: tokens.clone() };
            worker.prefill(request, call).map(|done| done.nanoseconds)
        };
        let (first, again) = (once()?, once()?);
        ratios.push(again as f64 / first.max(1) as f64);
    }
    ratios.sort_by(f64::total_cmp);
    let quicker = ratios.iter().filter(|ratio| **ratio < 1.0).count();
    Ok(PromptCacheFinding {
        declared,
        pairs: PAIRS,
        quicker_pairs: u32::try_from(quicker).unwrap_or(u32::MAX),
        repeated_by_fresh: median(&ratios),
    })
}

/// Of an even number of sorted values the mean of the two in the middle.
fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    let at = |place: usize| sorted.get(place).copied().unwrap_or(1.0);
    (at(middle.saturating_sub(1)) + at(middle)) / 2.0
}
