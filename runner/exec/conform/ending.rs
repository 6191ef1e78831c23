//! How a worker ends, and that what it says on standard error stops nothing.

use std::time::{Duration, Instant};

use engine_protocol::{Beginning, Command, DecodeRequest, Feed, Reply};

use super::bench::{Bench, CONTEXT_TOKENS};
use super::check::{Check, Rule};
use super::seen::in_words;
use super::talk::END_WAIT;
use crate::exec::process::describe_status;

const SHUTDOWN: Rule = Rule {
    name: "shutdown",
    asked: "`shutdown`, standard input left open",
    hint: "answer `ending`, then end with status 0 within 5 s, without waiting for the end of input",
};

const INPUT_CLOSED: Rule = Rule {
    name: "input_closed",
    asked: "standard input closed while nothing is asked",
    hint: "end when standard input ends: no worker may outlive the program that started it",
};

const CLOSED_COMPUTING: Rule = Rule {
    name: "input_closed_computing",
    asked: "standard input closed in the middle of a long `decode`",
    hint: "read standard input in a thread of its own, and end the whole process when it closes, \
           whatever is being computed",
};

const STANDARD_ERROR: Rule = Rule {
    name: "standard_error",
    asked: "a model loaded and 8 tokens decoded, standard error read all the time",
    hint: "write no more than a few lines to standard error; its end is kept and shown with faults",
};

/// Computation that is asked for before the input is closed. It is never waited for.
const LONG: Duration = Duration::from_secs(20);

/// Most tokens of it.
const MOST_TOKENS: u64 = 60_000;

/// A process each.
pub(super) fn checks(bench: &mut Bench<'_>) -> Vec<Check> {
    let mut checks =
        vec![SHUTDOWN.judged(shutdown(bench)), INPUT_CLOSED.judged(input_closed(bench))];
    match speed(bench) {
        Ok(per_token) => {
            let bytes = bench.seen.error_bytes;
            checks.push(STANDARD_ERROR.pass(format!("{bytes} bytes of all processes")));
            checks.push(closed_computing(bench, per_token));
        }
        Err(wrong) => {
            checks.push(STANDARD_ERROR.fail(wrong));
            checks.push(CLOSED_COMPUTING.not_made("nothing was decoded"));
        }
    }
    checks
}

fn shutdown(bench: &mut Bench<'_>) -> Result<String, String> {
    let (mut talk, _) = bench.greeted()?;
    match talk.ask(Command::Shutdown)? {
        Reply::Ending => {}
        other => return Err(format!("`ending` is due, there came {}", in_words(&other))),
    }
    match talk.ends_by_itself() {
        Some(status) if status.success() => Ok(describe_status(status)),
        Some(status) => Err(format!("it answered, and ended with {}", describe_status(status))),
        None => Err(format!("it answered, and still ran {} s later", END_WAIT.as_secs())),
    }
}

fn input_closed(bench: &mut Bench<'_>) -> Result<String, String> {
    let (mut talk, _) = bench.greeted()?;
    match talk.close() {
        (Some(status), _) => Ok(describe_status(status)),
        (None, _) => Err(format!("it still ran {} s later", END_WAIT.as_secs())),
    }
}

/// Time of a decoded token, from here.
fn speed(bench: &mut Bench<'_>) -> Result<Duration, String> {
    let mut ready = bench.loaded()?;
    let prompt = ready.text(8);
    let begun = ready.talk.ask(Command::Begin(Beginning { depth: Vec::new(), prompt }))?;
    let Reply::Begun(_) = begun else {
        return Err(format!("`begun` is due, there came {}", in_words(&begun)));
    };
    let asked = Instant::now();
    let decode = DecodeRequest { untimed_tokens: 0, timed_tokens: 8, feed: Feed::Free };
    let decoded = ready.talk.ask(Command::Decode(decode))?;
    let took = asked.elapsed();
    let Reply::Decoded(_) = decoded else {
        return Err(format!("`decoded` is due, there came {}", in_words(&decoded)));
    };
    ready.talk.over();
    Ok(took / 8)
}

fn closed_computing(bench: &mut Bench<'_>, per_token: Duration) -> Check {
    let fitting = LONG.as_nanos() / per_token.as_nanos().max(1);
    let tokens = u64::try_from(fitting).unwrap_or(MOST_TOKENS).clamp(256, MOST_TOKENS);
    let tokens = u32::try_from(tokens).unwrap_or(u32::MAX);
    let mut ready = match bench.loaded_with(tokens.max(CONTEXT_TOKENS) + 16) {
        Ok(ready) => ready,
        Err(why) => return CLOSED_COMPUTING.not_made(why),
    };
    // one whose context cannot be chosen decodes what fits
    let room =
        ready.loaded.effective.context_tokens.map_or(tokens, |context| context.saturating_sub(16));
    let timed = tokens.min(room);
    let prompt = ready.text(8);
    match ready.talk.ask(Command::Begin(Beginning { depth: Vec::new(), prompt })) {
        Ok(Reply::Begun(_)) => {}
        Ok(other) => {
            return CLOSED_COMPUTING
                .not_made(format!("`begun` is due, there came {}", in_words(&other)));
        }
        Err(why) => return CLOSED_COMPUTING.not_made(why),
    }
    let decode = DecodeRequest { untimed_tokens: 0, timed_tokens: timed, feed: Feed::Free };
    match ready.talk.send(Command::Decode(decode), Duration::from_millis(200)) {
        Ok(false) => {}
        Ok(true) => {
            return CLOSED_COMPUTING.not_made(format!(
                "it had answered before its input could be closed: {timed} tokens are all that fit"
            ));
        }
        Err(wrong) => return CLOSED_COMPUTING.fail(wrong),
    }
    CLOSED_COMPUTING.judged(match ready.talk.close() {
        (Some(_), true) => Err("it computed to the end and answered before it ended".to_owned()),
        (Some(status), false) => Ok(format!("{}, without an answer", describe_status(status))),
        (None, _) => Err(format!("it still ran {} s later", END_WAIT.as_secs())),
    })
}
