//! Exactly one stopping rule, and one that can be carried out.

use crate::manifest::checked::CheckedTable;
use crate::manifest::code::Code;
use crate::manifest::diagnostics::Diagnostic;
use crate::manifest::faults::Faults;
use crate::manifest::span::Spot;
use crate::manifest::stop::Stop;

use super::looks;

/// Fewest rounds at a look of a confidence sequence, whose promise is asymptotic. A test holds it
/// to the rule's own number.
pub(in crate::manifest) const EARLIEST_SEQUENCE_LOOK: u32 = 20;

/// Most rounds of a confidence sequence: it is computed anew after each.
const MOST_SEQUENCE_ROUNDS: u32 = 1000;

/// The rules by their keys, with what to write.
const RULES: [&str; 3] = ["fixed", "group_sequential", "confidence_sequence"];

/// The stopping rule, where it is right.
pub(super) fn hold(root: &CheckedTable, faults: &mut Faults) -> Option<Stop> {
    let stop = root.table("stop")?;
    let rounds = root.table("design").and_then(|design| design.whole32("rounds"));
    let mut written = RULES.iter().filter_map(|key| Some((*key, stop.wrote(key)?)));
    let Some((rule, first)) = written.next() else {
        faults.push(
            Diagnostic::error(
                Code::MISSING_TABLE,
                stop.span.clone(),
                "`[stop]` does not say when to stop",
            )
            .help("add `[stop.fixed]` with `cap_minutes = 20`; or `[stop.group_sequential]` or `[stop.confidence_sequence]` to stop early"),
        );
        return None;
    };
    let others: Vec<_> = written.collect();
    for (other, place) in &others {
        faults.push(
            Diagnostic::error(
                Code::EXCLUSIVE_KEYS,
                place.clone(),
                format!("`[stop.{rule}]` and `[stop.{other}]` exclude each other"),
            )
            .also(first.clone(), "the other one")
            .help("one rule says when to stop: leave one of them out"),
        );
    }
    let table = stop.table(rule);
    let found = match rule {
        "fixed" => fixed(table?),
        "group_sequential" => looks::hold(table?, rounds.as_ref(), faults),
        _ => confidence_sequence(table?, rounds.as_ref(), faults),
    };
    found.filter(|_| others.is_empty())
}

fn fixed(table: &CheckedTable) -> Option<Stop> {
    Some(Stop::Fixed { cap_minutes: table.real("cap_minutes")?.value })
}

fn confidence_sequence(
    table: &CheckedTable,
    rounds: Option<&Spot<u32>>,
    faults: &mut Faults,
) -> Option<Stop> {
    if let Some(rounds) = rounds {
        let fault = |why: String, help: String| {
            Diagnostic::error(Code::OUT_OF_RANGE, rounds.span.clone(), why)
                .here("rounds")
                .also(table.span.clone(), "the rule")
                .help(help)
        };
        if rounds.value < EARLIEST_SEQUENCE_LOOK {
            faults.push(fault(
                format!(
                    "a confidence sequence first looks after {EARLIEST_SEQUENCE_LOOK} rounds, and the design has {}",
                    rounds.value
                ),
                format!(
                    "write `rounds = {EARLIEST_SEQUENCE_LOOK}` or more, or take `[stop.group_sequential]` (8 rounds or more) or `[stop.fixed]`"
                ),
            ));
        } else if rounds.value > MOST_SEQUENCE_ROUNDS {
            faults.push(fault(
                format!(
                    "a confidence sequence runs {MOST_SEQUENCE_ROUNDS} rounds at most, and the design has {}",
                    rounds.value
                ),
                format!("write `rounds = {MOST_SEQUENCE_ROUNDS}` or fewer"),
            ));
        }
    }
    Some(Stop::ConfidenceSequence {
        futility_percent: table.real("futility_percent").map(|percent| percent.value),
        cap_minutes: table.real("cap_minutes")?.value,
    })
}
