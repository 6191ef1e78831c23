//! Prefill.

use engine_protocol::{Command, PrefillRequest, Reply, Token};

use super::bench::{Bench, LoadedTalk};
use super::check::{Check, Rule, none_made};
use super::seen::in_words;

const PREFILLS: Rule = Rule {
    name: "prefills",
    asked: "`prefill` of 32 tokens, twice",
    hint: "time the evaluation of all `tokens`, and choose greedily after the last; the sequence is \
           trimmed to `depth` before and after, so the same gives the same",
};

const AT_DEPTH: Rule = Rule {
    name: "prefills_at_depth",
    asked: "`prefill` of 16 tokens at a depth of 24, twice",
    hint: "`timed_tokens` counts `tokens` alone: the depth is computed outside of the timer",
};

/// One process.
pub(super) fn checks(bench: &mut Bench<'_>) -> Vec<Check> {
    let mut ready = match bench.loaded() {
        Ok(ready) => ready,
        Err(why) => return none_made(&[PREFILLS, AT_DEPTH], &why),
    };
    let text = ready.text(40);
    let (depth, rest) = text.split_at(24);
    let checks = vec![
        ready.check(&PREFILLS, |ready| twice(ready, &[], text.get(..32).unwrap_or_default())),
        ready.check(&AT_DEPTH, |ready| twice(ready, depth, rest)),
    ];
    ready.talk.over();
    checks
}

fn twice(ready: &mut LoadedTalk<'_>, depth: &[Token], tokens: &[Token]) -> Result<String, String> {
    let mut once = || {
        let request = PrefillRequest { depth: depth.to_vec(), tokens: tokens.to_vec() };
        match ready.talk.ask(Command::Prefill(request))? {
            Reply::Prefilled(prefilled) if prefilled.timed_tokens as usize == tokens.len() => {
                prefilled
                    .chosen
                    .ok_or_else(|| "it does not tell the token that it chose".to_owned())
            }
            Reply::Prefilled(prefilled) => Err(format!(
                "it reports {} timed tokens, {} were asked for",
                prefilled.timed_tokens,
                tokens.len()
            )),
            other => Err(format!("`prefilled` is due, there came {}", in_words(&other))),
        }
    };
    let (first, again) = (once()?, once()?);
    if first != again {
        return Err(format!("token {first} was chosen at first, and {again} the second time"));
    }
    ready.known(&[first])?;
    Ok(format!("token {first}, twice"))
}
