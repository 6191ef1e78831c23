//! What is known of the noise beforehand: two numbers, or a stored run.

use super::{LINE, key, table};
use crate::manifest::language::describe::Need::{Optional, Required};
use crate::manifest::language::describe::{RealRange, Shape, Table};

pub(super) fn noise() -> Table {
    table(
        "[noise]",
        "What is known of the noise beforehand, as standard deviations of the log ratio of treatment over off: either both `assumed_…` numbers, or the stored run that they are read from.",
        vec![
            key(
                "assumed_round_sd_percent",
                Optional,
                Shape::Real(RealRange::between(0.0, 100.0)),
                "0.8",
                "Between rounds, percent.",
            ),
            key(
                "assumed_block_sd_percent",
                Optional,
                Shape::Real(RealRange::above(0.0, 100.0)),
                "3.0",
                "Between blocks of a round, percent.",
            ),
            key(
                "record",
                Optional,
                LINE,
                "\"earlier-id/20261129-161031\"",
                "Instead: `<id>/<run>` of a record, whose off and aa arms show the noise.",
            ),
            key(
                "pilot",
                Optional,
                LINE,
                "\"20261129-161031\"",
                "Instead: the name of a pilot in `results/pilots/`, as `runner try` prints it.",
            ),
            key(
                "expected_effect_percent",
                Required,
                Shape::Real(RealRange::above(-100.0, 10_000.0)),
                "5.0",
                "The effect that the experiment is made to find, percent, signed; beyond the margin.",
            ),
        ],
    )
}
