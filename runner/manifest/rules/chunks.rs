//! Chunks: how long they are, and that the timed tokens divide into them.

use crate::manifest::checked::CheckedTable;
use crate::manifest::code::Code;
use crate::manifest::diagnostics::Diagnostic;
use crate::manifest::faults::Faults;
use crate::manifest::plan::ConditionSetting;
use crate::manifest::span::Spot;

/// Timed tokens of a chunk when none are given: measured, see `docs/measuring.md`.
const CHUNK_TOKENS: u32 = 8;

/// Chunk lengths that are tried for one that divides.
const MOST_LENGTHS: usize = 4096;

/// Timed tokens of a chunk: the design's, or the first value of a condition that varies them.
pub(super) fn length(
    root: &CheckedTable,
    decode: &Spot<u32>,
    faults: &mut Faults,
) -> Option<Spot<u32>> {
    let design = root.table("design");
    let written = design.and_then(|design| design.wrote("chunk_tokens"));
    let varied = root.table("condition").and_then(|condition| {
        let setting = condition.choice::<ConditionSetting>("setting")?;
        (setting.value == ConditionSetting::ChunkTokens).then_some((condition, setting.span))
    });
    let Some((condition, setting)) = varied else {
        let chunk = match written {
            Some(_) => design?.whole32("chunk_tokens")?,
            None => Spot { value: CHUNK_TOKENS, span: decode.span.clone() },
        };
        divides(decode, &chunk, faults);
        return Some(chunk);
    };
    if let Some(written) = written {
        faults.push(
            Diagnostic::error(
                Code::EXCLUSIVE_KEYS,
                written,
                "`chunk_tokens` is given here, and the condition varies it",
            )
            .also(setting, "varied here")
            .help("leave `chunk_tokens` out of `[design]`: the condition's values hold"),
        );
    }
    let values: Vec<Spot<u32>> = condition
        .list("values")?
        .value
        .iter()
        .filter_map(|value| {
            let number = u32::try_from(value.value.scalar_json()?.as_u64()?).ok()?;
            Some(Spot { value: number, span: value.span.clone() })
        })
        // zero has a fault of its own
        .filter(|value| value.value > 0)
        .collect();
    for value in values.iter().filter(|value| !decode.value.is_multiple_of(value.value)) {
        faults.push(
            Diagnostic::error(
                Code::CHUNK_MISFIT,
                value.span.clone(),
                format!("{} tokens do not divide into chunks of {}", decode.value, value.value),
            )
            .also(decode.span.clone(), "tokens")
            .help(format!("write {}", divisors_near(decode.value, value.value))),
        );
    }
    values.into_iter().next()
}

/// The chunk lengths around one that does not divide; those of all tokens are not cut.
fn divisors_near(tokens: u32, length: u32) -> String {
    let divides = |length: &u32| tokens.is_multiple_of(*length);
    // a manifest may ask for billions of tokens
    let below = (1..length.min(tokens)).rev().take(MOST_LENGTHS).find(divides);
    let above = (length.saturating_add(1)..=tokens).take(MOST_LENGTHS).find(divides);
    match (below, above) {
        (Some(below), Some(above)) => format!("{below} or {above}"),
        _ => format!("what divides them; {tokens} itself means \"not cut\""),
    }
}

fn divides(decode: &Spot<u32>, chunk: &Spot<u32>, faults: &mut Faults) {
    let (decode_span, span) = (&decode.span, chunk.span.clone());
    let (decode, chunk) = (decode.value, chunk.value);
    if chunk == 0 || decode.is_multiple_of(chunk) {
        return;
    }
    let below = decode / chunk * chunk;
    let above = below.saturating_add(chunk);
    let nearest = match below {
        0 => format!("`decode_tokens = {above}`"),
        below => format!("`decode_tokens = {below}` or `{above}`"),
    };
    let mut fault = Diagnostic::error(
        Code::CHUNK_MISFIT,
        decode_span.clone(),
        format!("{decode} tokens do not divide into chunks of {chunk}"),
    );
    if span != *decode_span {
        fault = fault.also(span, "a chunk");
    }
    faults.push(fault.help(format!("write {nearest}, or other `chunk_tokens`")));
}
