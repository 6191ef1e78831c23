//! The end of the context.

use engine_protocol::{
    Beginning, Command, DecodeRequest, Feed, PrefillRequest, Problem, ProblemKind, Reply,
};

use super::bench::{Bench, LoadedTalk};
use super::check::{Check, Rule};
use super::seen::in_words;

const CONTEXT: Rule = Rule {
    name: "context",
    asked: "`begin`, `prefill` and `decode` beyond the context, then a short `begin`",
    hint: "compare the length of the sequence with the context before anything is computed; answer a \
           `problem` of kind `context`, and go on",
};

/// A longer context than this is not overrun on purpose.
const MOST: u32 = 200_000;

/// One process.
pub(super) fn checks(bench: &mut Bench<'_>) -> Vec<Check> {
    let mut ready = match bench.loaded() {
        Ok(ready) => ready,
        Err(why) => return vec![CONTEXT.not_made(why)],
    };
    let Some(context) = ready.loaded.effective.context_tokens else {
        return vec![CONTEXT.fail("`effective` does not say `context_tokens`")];
    };
    if context > MOST {
        return vec![CONTEXT.not_made(format!("a context of {context} tokens is long"))];
    }
    let check = CONTEXT.judged(beyond(&mut ready, context as usize));
    ready.talk.over();
    vec![check]
}

fn beyond(ready: &mut LoadedTalk<'_>, context: usize) -> Result<String, String> {
    let long = ready.text(context + 1);
    let near = ready.text(context.saturating_sub(2));
    let short = ready.text(8.min(context));
    let begin = |prompt| Command::Begin(Beginning { depth: Vec::new(), prompt });
    refused(ready, "begin", begin(long.clone()))?;
    let prefill = PrefillRequest { depth: Vec::new(), tokens: long };
    refused(ready, "prefill", Command::Prefill(prefill))?;
    begun(ready, begin(near))?;
    let decode = DecodeRequest { untimed_tokens: 0, timed_tokens: 8, feed: Feed::Free };
    let said = refused(ready, "decode", Command::Decode(decode))?;
    begun(ready, begin(short)).map_err(|wrong| format!("after that, {wrong}"))?;
    Ok(said)
}

fn refused(ready: &mut LoadedTalk<'_>, name: &str, command: Command) -> Result<String, String> {
    match ready.talk.ask(command)? {
        reply @ Reply::Problem(Problem { kind: ProblemKind::Context, .. }) => Ok(in_words(&reply)),
        other => Err(format!(
            "to `{name}` a `problem` of kind `context` is due, there came {}",
            in_words(&other)
        )),
    }
}

fn begun(ready: &mut LoadedTalk<'_>, command: Command) -> Result<(), String> {
    match ready.talk.ask(command)? {
        Reply::Begun(_) => Ok(()),
        other => Err(format!("`begun` is due, there came {}", in_words(&other))),
    }
}
