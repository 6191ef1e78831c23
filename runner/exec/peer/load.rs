//! Many requests: by clients that wait for their answer, or on a schedule that does not wait.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use engine_protocol::{PeerReport, Token};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::answer::Timed;
use super::completion::Completion;
use super::openai::{Asked, nanoseconds, scaled};
use super::requests::Client;

/// One request's work.
#[derive(Debug, Clone, Copy)]
pub(super) struct Each<'block> {
    pub(super) prompt: &'block [Token],
    /// Tokens of each answer.
    pub(super) tokens: u32,
    /// Of those, how many count as timed for each request.
    pub(super) timed: u32,
}

/// So many clients, each of which asks again once it was answered.
pub(super) fn closed(
    client: &Client,
    each: Each<'_>,
    clients: u32,
    requests: u32,
) -> Result<Timed, String> {
    let begun = Instant::now();
    let next = Mutex::new(0_u32);
    let results: Vec<Vec<Result<Completion, String>>> = std::thread::scope(|scope| {
        let one = || {
            let mut done = Vec::new();
            loop {
                let number = {
                    let mut next = next.lock().unwrap_or_else(PoisonError::into_inner);
                    if *next >= requests {
                        return done;
                    }
                    *next += 1;
                    *next - 1
                };
                let asked = Asked::send(client, fresh(each.prompt, number), each.tokens);
                let ended = asked.end();
                let failed = ended.is_err();
                done.push(ended);
                if failed {
                    return done;
                }
            }
        };
        let threads: Vec<_> = (0..clients.min(requests)).map(|_| scope.spawn(one)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or_default()).collect()
    });
    summed(begun, results.into_iter().flatten(), each, requests)
}

/// Requests on schedule. A request that could not be sent in time counts from when it was due.
pub(super) fn open(
    client: &Client,
    each: Each<'_>,
    requests: u32,
    requests_per_kilosecond: u32,
) -> Result<Timed, String> {
    let schedule = schedule(each.prompt, requests, requests_per_kilosecond);
    let begun = Instant::now();
    let mut asked = Vec::new();
    for (number, at) in (0..).zip(schedule) {
        let due = begun + at;
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        asked.push(Asked::send_due(client, fresh(each.prompt, number), each.tokens, due));
    }
    let ended = asked.into_iter().map(Asked::end);
    summed(begun, ended, each, requests)
}

/// When requests are due, from the first, at 0: gaps of an exponential distribution. The seed is the
/// prompt, so that a block has the same schedule in every arm and on every machine.
fn schedule(prompt: &[Token], requests: u32, requests_per_kilosecond: u32) -> Vec<Duration> {
    let bytes: Vec<u8> = prompt.iter().flat_map(|token| token.to_le_bytes()).collect();
    let mut random = ChaCha8Rng::from_seed(*blake3::hash(&bytes).as_bytes());
    let mean = 1e3 / f64::from(requests_per_kilosecond.max(1));
    let mut at = 0.0;
    (0..requests)
        .map(|_| {
            let due = Duration::from_secs_f64(at);
            // 53 random bits, from above 0 to 1
            let uniform = ((random.next_u64() >> 11) as f64 + 1.0) / (1_u64 << 53) as f64;
            at += -mean * libm::log(uniform);
            due
        })
        .collect()
}

/// A prompt that no other request of the block begins with: its tokens turned by a number of places,
/// but for the first one, which opens a text.
pub(in crate::exec) fn fresh(prompt: &[Token], number: u32) -> Vec<Token> {
    let mut turned = prompt.to_vec();
    if let Some(rest) = turned.get_mut(1..)
        && !rest.is_empty()
    {
        let places = number as usize % rest.len();
        rest.rotate_left(places);
    }
    turned
}

/// From when the first request was due until the last token was there, prompts and waiting included.
fn summed(
    begun: Instant,
    completions: impl Iterator<Item = Result<Completion, String>>,
    each: Each<'_>,
    requests: u32,
) -> Result<Timed, String> {
    let mut report = PeerReport::default();
    let mut last = begun;
    for completion in completions {
        let completion = completion?;
        last = completion.last().map_or(last, |at| at.max(last));
        report.add(&completion.report());
    }
    let took = nanoseconds(last.duration_since(begun));
    if report.requests != u64::from(requests) || took == 0 {
        return Err(format!("{} of {requests} requests were answered", report.requests));
    }
    let timed = u64::from(each.timed) * u64::from(requests);
    Ok(Timed { nanoseconds: scaled(took, report.tokens, timed), report })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schedule_is_a_function_of_the_prompt_and_has_the_rate_that_was_asked_for() {
        let prompt: Vec<Token> = (0..32).collect();
        let first = schedule(&prompt, 2000, 4000);
        assert_eq!(first, schedule(&prompt, 2000, 4000));
        assert_ne!(first, schedule(&prompt[1..], 2000, 4000));
        assert_eq!(first[0], Duration::ZERO);
        // 4 a second: 2000 take 500 s, give or take three standard deviations (500 / sqrt(2000))
        let last = first.last().unwrap().as_secs_f64();
        assert!((last - 500.0).abs() < 3.0 * 500.0 / 2000_f64.sqrt(), "{last}");
    }

    #[test]
    fn fresh_prompts_begin_otherwise_and_hold_the_same_tokens() {
        let prompt: Vec<Token> = (0..8).collect();
        let prompts: Vec<_> = (0..7).map(|number| fresh(&prompt, number)).collect();
        for (index, one) in prompts.iter().enumerate() {
            assert_eq!(one[0], 0);
            assert!(prompts[..index].iter().all(|other| other[1] != one[1]));
            let mut sorted = one.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, prompt);
        }
        assert_eq!(fresh(&[], 3), Vec::<Token>::new());
    }
}
