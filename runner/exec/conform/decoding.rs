//! Prompts and decoding: counts, chunks, depth, and that the same gives the same.

use engine_protocol::{Beginning, Command, DecodeRequest, Decoded, Feed, Reply, Token};

use super::bench::{Bench, LoadedTalk};
use super::check::{Check, Rule, none_made};
use super::seen::in_words;
use crate::exec::decode_counts::{self, Asked};
use crate::exec::worker::Tells;

const BEFORE_BEGIN: Rule = Rule {
    name: "decode_before_begin",
    asked: "`decode` before `begin`",
    hint: "answer a `problem` of kind `protocol`: there is no text yet to go on with",
};

const BEGINS: Rule = Rule {
    name: "begins",
    asked: "`begin` with a prompt of 16 tokens",
    hint: "`prompt_tokens` counts the prompt, `position` depth and prompt together",
};

const FREE: Rule = Rule {
    name: "decodes_free",
    asked: "`decode` of 2 untimed and 6 timed tokens, feed `free`",
    hint: "evaluate the arm's own greedy choices; `timed_tokens` counts the timed ones, `chosen` has one \
           token for each evaluation, untimed ones included, and `position` grows by as many",
};

const FED: Rule = Rule {
    name: "decodes_fed",
    asked: "the same text again with feed `fed`",
    hint: "evaluate the tokens that are given; `chosen` has what would have been chosen after each",
};

const REPEATS: Rule = Rule {
    name: "repeats",
    asked: "the same `begin` and `decode` again",
    hint: "choose greedily, the lowest id on a tie, and begin with an empty cache: without that no \
           contract of equal output can hold",
};

const CHUNKS: Rule = Rule {
    name: "chunks",
    asked: "the same in chunks of 1, 1, 2 and 4 tokens, the first without untimed ones",
    hint: "keep the sequence between two `decode` requests; a chunk goes on where the last one ended",
};

const DEPTH: Rule = Rule {
    name: "depth",
    asked: "`begin` at a depth of 24 tokens, twice, with a `decode` after each",
    hint: "put `depth` before the prompt; it may be kept when it stands there already, and must give \
           the same as computed anew",
};

const ALL: [Rule; 7] = [BEFORE_BEGIN, BEGINS, FREE, FED, REPEATS, CHUNKS, DEPTH];

const PROMPT: usize = 16;

/// One process, in which one check builds on the last.
pub(super) fn checks(bench: &mut Bench<'_>) -> Vec<Check> {
    let mut ready = match bench.loaded() {
        Ok(ready) => ready,
        Err(why) => return none_made(&ALL, &why),
    };
    let prompt = ready.text(PROMPT);
    let mut checks = vec![ready.check(&BEFORE_BEGIN, before_begin)];
    checks.push(
        ready.check(&BEGINS, |ready| Ok(format!("position {}", begin(ready, &[], &prompt)?))),
    );
    let mut first = Vec::new();
    checks.push(ready.check(&FREE, |ready| {
        first = decode(ready, PROMPT, (2, 6), Feed::Free)?.chosen;
        Ok(listed(&first))
    }));
    if first.is_empty() {
        let rest = ALL.iter().skip(checks.len());
        checks.extend(rest.map(|rule| rule.not_made("nothing was decoded")));
        return checks;
    }
    checks.push(ready.check(&FED, |ready| fed(ready, &prompt, &first)));
    checks.push(ready.check(&REPEATS, |ready| in_chunks(ready, &prompt, &[(2, 6)], &first)));
    let chunks = [(0, 1), (0, 1), (1, 1), (2, 2)];
    checks.push(ready.check(&CHUNKS, |ready| in_chunks(ready, &prompt, &chunks, &first)));
    checks.push(ready.check(&DEPTH, depth));
    ready.talk.over();
    checks
}

fn before_begin(ready: &mut LoadedTalk<'_>) -> Result<String, String> {
    let decode = DecodeRequest { untimed_tokens: 0, timed_tokens: 1, feed: Feed::Free };
    match ready.talk.ask(Command::Decode(decode))? {
        reply @ Reply::Problem(_) => Ok(in_words(&reply)),
        other => Err(format!("a `problem` is due, there came {}", in_words(&other))),
    }
}

/// Begins; the position afterwards.
fn begin(ready: &mut LoadedTalk<'_>, depth: &[Token], prompt: &[Token]) -> Result<u32, String> {
    let begin = Beginning { depth: depth.to_vec(), prompt: prompt.to_vec() };
    let begun = match ready.talk.ask(Command::Begin(begin))? {
        Reply::Begun(begun) => begun,
        other => return Err(format!("`begun` is due, there came {}", in_words(&other))),
    };
    let wanted = (prompt.len(), depth.len() + prompt.len());
    let came = (begun.prompt_tokens as usize, begun.position as usize);
    if came != wanted {
        return Err(format!(
            "it reports {} prompt tokens and position {}, due are {} and {}",
            came.0, came.1, wanted.0, wanted.1
        ));
    }
    Ok(begun.position)
}

fn decode(
    ready: &mut LoadedTalk<'_>,
    position: usize,
    (untimed, timed): (u32, u32),
    feed: Feed,
) -> Result<Decoded, String> {
    let request = DecodeRequest { untimed_tokens: untimed, timed_tokens: timed, feed };
    let decoded = match ready.talk.ask(Command::Decode(request))? {
        Reply::Decoded(decoded) => decoded,
        other => return Err(format!("`decoded` is due, there came {}", in_words(&other))),
    };
    let position = u32::try_from(position).unwrap_or(u32::MAX);
    let tells = Tells::Tokens;
    let asked = Asked { untimed, timed, position, drafting: None, beyond: 0, slots: 1, tells };
    decode_counts::check(asked, &decoded)
        .map_err(|error| error.as_fault().map(|(_, words)| words).unwrap_or_default())?;
    ready.known(&decoded.chosen)?;
    Ok(decoded)
}

/// Feeds what was chosen freely: the choices must be the same.
fn fed(ready: &mut LoadedTalk<'_>, prompt: &[Token], chosen: &[Token]) -> Result<String, String> {
    begin(ready, &[], prompt)?;
    // what was evaluated first is not known: it was chosen after the prompt
    let first = decode(ready, prompt.len(), (0, 1), Feed::Free)?;
    same(&first.chosen, chosen.get(..1).unwrap_or_default())?;
    let evaluated = chosen.get(..chosen.len().saturating_sub(1)).unwrap_or_default().to_vec();
    let timed = u32::try_from(evaluated.len()).unwrap_or(u32::MAX);
    let decoded = decode(ready, prompt.len() + 1, (0, timed), Feed::Fed(evaluated))?;
    same(&decoded.chosen, chosen.get(1..).unwrap_or_default())?;
    Ok("the same choices".to_owned())
}

fn in_chunks(
    ready: &mut LoadedTalk<'_>,
    prompt: &[Token],
    chunks: &[(u32, u32)],
    wanted: &[Token],
) -> Result<String, String> {
    begin(ready, &[], prompt)?;
    let mut chosen = Vec::new();
    for chunk in chunks {
        let position = prompt.len() + chosen.len();
        chosen.extend(decode(ready, position, *chunk, Feed::Free)?.chosen);
    }
    same(&chosen, wanted)?;
    Ok("the same tokens".to_owned())
}

fn depth(ready: &mut LoadedTalk<'_>) -> Result<String, String> {
    let text = ready.text(24 + PROMPT);
    let (depth, prompt) = text.split_at(24);
    let mut once = || {
        let position = begin(ready, depth, prompt)?;
        Ok::<_, String>(decode(ready, position as usize, (0, 4), Feed::Free)?.chosen)
    };
    let (first, again) = (once()?, once()?);
    same(&again, &first)?;
    Ok(format!("position {}, the same tokens twice", text.len()))
}

fn same(chosen: &[Token], wanted: &[Token]) -> Result<(), String> {
    if chosen == wanted {
        return Ok(());
    }
    let place = chosen.iter().zip(wanted).take_while(|(one, other)| one == other).count();
    Err(format!(
        "other tokens were chosen from place {} on: {} instead of {}",
        place + 1,
        listed(chosen),
        listed(wanted)
    ))
}

fn listed(tokens: &[Token]) -> String {
    let shown: Vec<String> = tokens.iter().take(8).map(ToString::to_string).collect();
    format!("tokens {}", shown.join(" "))
}
