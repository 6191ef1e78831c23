//! Stopping rules.

use super::{key, table, whole};
use crate::manifest::language::describe::Need::{Optional, Required};
use crate::manifest::language::describe::{Choice, Key, RealRange, Shape, Table};

/// Upper end for a single entry of `spent_percent`: what is over 100 has a fault of its own.
const MOST_SPENT_PERCENT: f64 = 1000.0;

pub(super) fn stop() -> Table {
    table(
        "[stop]",
        "When to stop: exactly one of the three rules.",
        vec![
            key(
                "fixed",
                Optional,
                Shape::Table(fixed()),
                "[stop.fixed]\ncap_minutes = 20",
                "After all registered rounds.",
            ),
            key(
                "group_sequential",
                Optional,
                Shape::Table(group_sequential()),
                "[stop.group_sequential]\nlooks_at_rounds = [8, 16]\nspending = \"obrien_fleming\"\ncap_minutes = 20",
                "At one of a few looks that are agreed beforehand.",
            ),
            key(
                "confidence_sequence",
                Optional,
                Shape::Table(confidence_sequence()),
                "[stop.confidence_sequence]\ncap_minutes = 60",
                "After any whole round from the 20th on.",
            ),
        ],
    )
}

fn fixed() -> Table {
    table("[stop.fixed]", "After all registered rounds.", vec![cap()])
}

fn group_sequential() -> Table {
    table(
        "[stop.group_sequential]",
        "A few looks, with the error shared out between them; the run ends at the first that decides. Either `spending` or `spent_percent`.",
        vec![
            key(
                "looks_at_rounds",
                Required,
                Shape::List { item: Box::new(whole(1, 10_000)), least: 1 },
                "[8, 16]",
                "Whole rounds at each look: 2 to 10 looks, increasing, the first at 8 or more, the last at `[design] rounds`.",
            ),
            key(
                "spending",
                Optional,
                Shape::OneOf(spendings()),
                "\"obrien_fleming\"",
                "How the error is shared out between the looks.",
            ),
            key(
                "spent_percent",
                Optional,
                Shape::List {
                    item: Box::new(Shape::Real(RealRange::above(0.0, MOST_SPENT_PERCENT))),
                    least: 1,
                },
                "[20, 100]",
                "Instead of `spending`: error spent up to and with each look, percent of all; increasing, the last is 100.",
            ),
            futility(),
            cap(),
        ],
    )
}

fn confidence_sequence() -> Table {
    table(
        "[stop.confidence_sequence]",
        "A look after every whole round from the 20th on, up to `[design] rounds` (20 to 1000); the run ends at the first that decides. Wider than looks agreed beforehand.",
        vec![futility(), cap()],
    )
}

fn cap() -> Key {
    key(
        "cap_minutes",
        Required,
        Shape::Real(RealRange::above(0.0, 10_080.0)),
        "20",
        "Cap on wall time, waiting for quiet included, minutes; past it the run is void. At most a week.",
    )
}

fn futility() -> Key {
    key(
        "futility_percent",
        Optional,
        Shape::Real(RealRange::inside(0.0, 50.0)),
        "10",
        "Stop, parked, when the chance of a decision by the last look falls below, percent.",
    )
}

/// The spending rules that have a name.
fn spendings() -> Vec<Choice> {
    [
        ("obrien_fleming", "Lan and DeMets' function of the O'Brien-Fleming type: little early"),
        ("pocock", "Lan and DeMets' function of the Pocock type: much early"),
        ("exact_obrien_fleming", "O'Brien and Fleming's own boundary"),
        ("exact_pocock", "Pocock's own boundary: the same at each look"),
    ]
    .into_iter()
    .map(|(text, doc)| Choice { text: text.to_owned(), doc: doc.to_owned() })
    .collect()
}
