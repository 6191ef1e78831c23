//! Looks of a group-sequential rule, and how the error is shared out between them.

use crate::manifest::checked::{CheckedTable, CheckedValue};
use crate::manifest::code::Code;
use crate::manifest::diagnostics::Diagnostic;
use crate::manifest::faults::Faults;
use crate::manifest::span::{Span, Spot};
use crate::manifest::stop::{Spending, Stop};

/// Fewest rounds at a look: under them the spread is not known well enough. A test holds it to
/// the rule's own number.
pub(in crate::manifest) const EARLIEST_LOOK: u32 = 8;

/// Most looks: each costs width, and beyond ten hardly any run ends earlier.
const MOST_LOOKS: usize = 10;

/// The rule, where it is right.
pub(super) fn hold(
    table: &CheckedTable,
    rounds: Option<&Spot<u32>>,
    faults: &mut Faults,
) -> Option<Stop> {
    let looks = listed(table, "looks_at_rounds", faults, |value| match value {
        CheckedValue::Whole(number) => u32::try_from(*number).ok(),
        _ => None,
    });
    if let Some(looks) = &looks {
        order(looks, rounds, faults);
    }
    let spending = spending(table, looks.as_ref(), faults);
    Some(Stop::GroupSequential {
        looks_at_rounds: looks?.value.into_iter().map(|look| look.value).collect(),
        spending: spending?,
        futility_percent: table.real("futility_percent").map(|percent| percent.value),
        cap_minutes: table.real("cap_minutes")?.value,
    })
}

/// A list of which every entry was right. Of another the faulty entries were left out, so that
/// the rest does not stand where it seems to.
fn listed<T>(
    table: &CheckedTable,
    key: &str,
    faults: &Faults,
    take: impl Fn(&CheckedValue) -> Option<T>,
) -> Option<Spot<Vec<Spot<T>>>> {
    let list = table.list(key)?;
    if faults.iter().any(|fault| list.span.contains(&fault.offset())) {
        return None;
    }
    let entries = list
        .value
        .iter()
        .map(|entry| Some(Spot { value: take(&entry.value)?, span: entry.span.clone() }))
        .collect::<Option<Vec<_>>>()?;
    Some(Spot { value: entries, span: list.span })
}

fn order(looks: &Spot<Vec<Spot<u32>>>, rounds: Option<&Spot<u32>>, faults: &mut Faults) {
    let all = &looks.value;
    let example = || match rounds.map(|rounds| rounds.value) {
        Some(all) if all > EARLIEST_LOOK => {
            let first = EARLIEST_LOOK.max(all / 2);
            format!("write, for example, `looks_at_rounds = [{first}, {all}]`")
        }
        _ => format!(
            "write, for example, `rounds = {0}` and `looks_at_rounds = [{EARLIEST_LOOK}, {0}]`",
            2 * EARLIEST_LOOK
        ),
    };
    let bad = |span: &Span, why: String| Diagnostic::error(Code::BAD_LOOKS, span.clone(), why);
    if all.len() > MOST_LOOKS {
        let why = format!("{} looks; a rule has {MOST_LOOKS} at most", all.len());
        faults.push(bad(&looks.span, why).help(
            "take fewer: each look widens the interval of all, or `[stop.confidence_sequence]`",
        ));
        return;
    }
    if let [only] = all.as_slice()
        && rounds.is_none_or(|rounds| rounds.value == only.value)
    {
        faults.push(
            bad(&only.span, "a single look stops nothing early".to_owned())
                .help("add a look before the last, or write `[stop.fixed]` with `cap_minutes`"),
        );
    }
    for pair in all.windows(2) {
        let [before, after] = pair else { continue };
        let (code, why) = if after.value == before.value {
            (Code::DUPLICATE_VALUE, format!("the look at {} rounds occurs twice", after.value))
        } else if after.value < before.value {
            let why =
                format!("a look at {} rounds cannot follow one at {}", after.value, before.value);
            (Code::BAD_LOOKS, why)
        } else {
            continue;
        };
        faults.push(
            Diagnostic::error(code, after.span.clone(), why)
                .here("this look")
                .also(before.span.clone(), "the one before")
                .help("looks increase: write them in the order in which they come"),
        );
    }
    if let Some(first) = all.first()
        && first.value < EARLIEST_LOOK
    {
        faults.push(
            bad(&first.span, format!("a look at {} rounds comes too early", first.value))
                .here(format!("at least {EARLIEST_LOOK}"))
                .help(format!(
                    "under {EARLIEST_LOOK} rounds the spread is not known well enough to stop by; {}",
                    example()
                )),
        );
    }
    if let (Some(last), Some(rounds)) = (all.last(), rounds)
        && last.value != rounds.value
    {
        let words = if last.value < rounds.value {
            "the last look leaves rounds unseen"
        } else {
            "the last look comes after the last round"
        };
        faults.push(
            bad(
                &last.span,
                format!("{words}: it is at {}, and the design has {}", last.value, rounds.value),
            )
            .here("last look")
            .also(rounds.span.clone(), "rounds")
            .help(format!(
                "end the list with {}, or write `rounds = {}`",
                rounds.value, last.value
            )),
        );
    }
}

fn spending(
    table: &CheckedTable,
    looks: Option<&Spot<Vec<Spot<u32>>>>,
    faults: &mut Faults,
) -> Option<Spending> {
    match (table.wrote("spending"), table.wrote("spent_percent")) {
        (Some(named), Some(listed)) => {
            faults.push(
                Diagnostic::error(
                    Code::EXCLUSIVE_KEYS,
                    listed,
                    "`spending` and `spent_percent` exclude each other",
                )
                .also(named, "the other one")
                .help("leave one of them out"),
            );
            None
        }
        (None, None) => {
            faults.push(
                Diagnostic::error(
                    Code::MISSING_KEY,
                    table.span.clone(),
                    "`[stop.group_sequential]` does not say how the error is shared out",
                )
                .help(
                    "add `spending = \"obrien_fleming\"`, or `spent_percent` with one entry a look",
                ),
            );
            None
        }
        (Some(_), None) => Some(table.choice("spending")?.value),
        (None, Some(_)) => {
            let spent = listed(table, "spent_percent", faults, |value| match value {
                CheckedValue::Real(number) => Some(*number),
                _ => None,
            })?;
            shares(&spent, looks, faults);
            let cumulative_percent = spent.value.into_iter().map(|share| share.value).collect();
            Some(Spending::Listed { cumulative_percent })
        }
    }
}

fn shares(spent: &Spot<Vec<Spot<f64>>>, looks: Option<&Spot<Vec<Spot<u32>>>>, faults: &mut Faults) {
    let all = &spent.value;
    if let Some(over) = all.iter().find(|share| share.value > 100.0) {
        faults.push(
            Diagnostic::error(
                Code::SPENDING_OVER_ALPHA,
                over.span.clone(),
                format!("{} % of the error cannot be spent", over.value),
            )
            .here("at most 100")
            .help("`spent_percent` is cumulative, of the whole error: 100 is all of it, and stands last"),
        );
        return;
    }
    let mut increasing = true;
    for pair in all.windows(2) {
        let [before, after] = pair else { continue };
        if after.value <= before.value {
            increasing = false;
            faults.push(
                Diagnostic::error(
                    Code::BAD_SPENDING,
                    after.span.clone(),
                    format!("{} % cannot be spent after {} %", after.value, before.value),
                )
                .here("this look")
                .also(before.span.clone(), "the one before")
                .help("`spent_percent` is cumulative: it increases from look to look"),
            );
        }
    }
    if let Some(looks) = looks
        && looks.value.len() != all.len()
    {
        faults.push(
            Diagnostic::error(
                Code::BAD_SPENDING,
                spent.span.clone(),
                format!("{} looks, and {} entries of what is spent", looks.value.len(), all.len()),
            )
            .here(format!("{} entries", all.len()))
            .also(looks.span.clone(), format!("{} looks", looks.value.len()))
            .help("write one entry for each look"),
        );
    } else if let Some(last) = all.last()
        && increasing
        && last.value < 100.0
    {
        faults.push(
            Diagnostic::error(
                Code::BAD_SPENDING,
                last.span.clone(),
                format!("only {} % of the error is spent at the last look", last.value),
            )
            .help("end the list with 100: what is left over would be given away"),
        );
    }
}
