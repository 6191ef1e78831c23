//! Whether a chunk of decoding has the length that it may have, every token counted once.

use engine_protocol::{Decoded, DraftAcceptance, SpeculationCounts};

use super::fault::WorkerError;
use super::worker::Tells;
use crate::manifest::Drafting;

/// What a chunk was asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked {
    pub(super) untimed: u32,
    pub(super) timed: u32,
    /// Where the sequence stood.
    pub(super) position: u32,
    /// What the arm drafts.
    pub(super) drafting: Option<Drafting>,
    /// Most tokens that it may go beyond: fed text is never passed.
    pub(super) beyond: u32,
    /// Sequences side by side.
    pub(super) slots: u32,
    /// Whether its tokens are told.
    pub(super) tells: Tells,
}

/// Holds an answer against what was asked.
pub(super) fn check(asked: Asked, decoded: &Decoded) -> Result<(), WorkerError> {
    let kept = decoded.timed_tokens;
    let most = asked.timed.saturating_add(asked.beyond);
    if kept < asked.timed || kept > most {
        let allowed = if most == asked.timed {
            format!("{most} were asked for")
        } else {
            format!("{} to {most} were asked for", asked.timed)
        };
        return Err(WorkerError::broken(format!("timed tokens: it reports {kept}, {allowed}")));
    }
    let all = u64::from(asked.untimed) + u64::from(kept);
    // without drafts there is one length alone
    let why = if most == asked.timed { "were asked for" } else { "fit the rest" };
    let position = u64::from(asked.position) + all;
    equal("position after the chunk", u64::from(decoded.position), position, why)?;
    if asked.tells == Tells::TimeAlone {
        return Ok(());
    }
    equal("chosen tokens", decoded.chosen.len() as u64, all, why)?;
    let sequences = decoded.slots.map_or(1, |slots| slots.sequences);
    equal(
        "sequences decoded side by side",
        sequences.into(),
        asked.slots.into(),
        "were asked for",
    )?;
    match (asked.drafting, &decoded.speculation) {
        (None, None) => Ok(()),
        (None, Some(_)) => {
            Err(WorkerError::broken("it reports drafts, and none were asked for".to_owned()))
        }
        (Some(_), None) => {
            Err(WorkerError::broken("it does not report what became of drafts".to_owned()))
        }
        (Some(drafting), Some(counts)) => of_drafts(drafting, kept, counts),
    }
}

/// Each evaluation keeps one token and those of its draft that were accepted.
fn of_drafts(drafting: Drafting, kept: u32, counts: &SpeculationCounts) -> Result<(), WorkerError> {
    let by_width = || (1_u64..).zip(counts.evaluations_by_width.iter().copied());
    let evaluations = by_width().fold(0_u64, |sum, (_, count)| sum.saturating_add(count));
    let evaluated = by_width()
        .fold(0_u64, |sum, (width, count)| sum.saturating_add(width.saturating_mul(count)));
    equal("evaluations by width", evaluations, counts.evaluations, "fit the rest")?;
    equal("tokens evaluated by width", evaluated, counts.evaluated_tokens, "fit the rest")?;
    equal(
        "tokens kept (evaluations and accepted tokens)",
        counts.evaluations.saturating_add(counts.accepted()),
        u64::from(kept),
        "fit the rest",
    )?;
    let longest = counts.drafted_by_position.len().max(counts.accepted_by_position.len());
    if longest > drafting.tokens as usize {
        return Err(WorkerError::broken(format!(
            "it reports drafts of {longest} tokens, the longest may have {}",
            drafting.tokens
        )));
    }
    let more = counts.accepted_by_position.iter().enumerate().find(|(position, accepted)| {
        counts.drafted_by_position.get(*position).is_none_or(|drafted| *accepted > drafted)
    });
    if let Some((position, accepted)) = more {
        return Err(WorkerError::broken(format!(
            "it reports {accepted} accepted tokens at place {} of the draft, more than were drafted",
            position + 1
        )));
    }
    of_widths(drafting, counts)
}

/// A batch is its first token and the draft; one of a control has full width, whatever was drafted.
fn of_widths(drafting: Drafting, counts: &SpeculationCounts) -> Result<(), WorkerError> {
    let evaluations = counts.evaluations;
    let full = u64::from(drafting.tokens) + 1;
    let by_width = || (1_u64..).zip(counts.evaluations_by_width.iter().copied());
    for (place, drafted) in (1_u64..).zip(&counts.drafted_by_position) {
        if *drafted > evaluations {
            return Err(WorkerError::broken(format!(
                "it reports {drafted} tokens drafted at place {place} of the draft, {evaluations} \
                 evaluations hold one each at most"
            )));
        }
    }
    match drafting.acceptance {
        DraftAcceptance::Nothing => {
            let of_full =
                by_width().find(|(width, _)| *width == full).map_or(0, |(_, count)| count);
            let what = format!("evaluations of the full width of {full}");
            equal(&what, of_full, evaluations, "fit the rest")?;
            let evaluated = evaluations.saturating_mul(full);
            equal("tokens evaluated", counts.evaluated_tokens, evaluated, "fit the rest")?;
            equal("accepted tokens", counts.accepted(), 0, "may be kept")
        }
        DraftAcceptance::Greedy => {
            if let Some((width, _)) = by_width().find(|(width, count)| *width > full && *count > 0)
            {
                return Err(WorkerError::broken(format!(
                    "it reports a batch of {width} tokens, {full} are the most"
                )));
            }
            let evaluated = evaluations.saturating_add(counts.drafted());
            let what = "tokens evaluated (evaluations and drafted tokens)";
            equal(what, counts.evaluated_tokens, evaluated, "fit the rest")
        }
    }
}

fn equal(what: &str, got: u64, wanted: u64, why: &str) -> Result<(), WorkerError> {
    if got == wanted {
        return Ok(());
    }
    Err(WorkerError::broken(format!("{what}: it reports {got}, {wanted} {why}")))
}
