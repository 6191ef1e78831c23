//! The rule of a ladder: where one would have stopped climbing.

use super::{key, table};
use crate::manifest::language::describe::Need::{Optional, Required};
use crate::manifest::language::describe::{Key, RealRange, Shape};
use crate::manifest::plan::AssumedCurve;

/// Most that a rule may ask of a step, percent: more than a doubling of the speed is asked of no
/// doubling.
const MOST_PERCENT: f64 = 100.0;

/// The key `stop` of `[ladder]`.
pub(super) fn ladder_stop() -> Key {
    let threshold = |name: &'static str, doc: &'static str| {
        key(name, Optional, Shape::Real(RealRange::above(0.0, MOST_PERCENT)), "5.0", doc)
    };
    Key {
        name: "stop".into(),
        shape: Shape::Table(table(
            "stop of [ladder]",
            "Where one would stop climbing. The whole ladder is measured all the same, and the record says whether the rule would have missed the best rung.",
            vec![
                key(
                    "assumes",
                    Required,
                    Shape::choices::<AssumedCurve>(),
                    "\"unknown\"",
                    "The curve that the rule takes for granted.",
                ),
                threshold(
                    "under_percent_per_doubling",
                    "It stops at the first rung that bought less for each doubling of the setting, percent. Rungs are numbers, ascending.",
                ),
                threshold(
                    "under_percent_per_step",
                    "Instead: it stops at the first rung that bought less than the rung before it, percent.",
                ),
            ],
        )),
        need: Optional,
        doc: "Where one would stop climbing. It stops nothing: all rungs share their blocks, so there is nothing to save.".into(),
        example: "stop.assumes = \"unknown\"".into(),
    }
}
