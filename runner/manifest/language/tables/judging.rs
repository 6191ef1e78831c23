//! Tables that say how much is run and how it is judged.

use super::{GREATEST_EXACT, LINE, U32, key, table, whole};
use crate::manifest::language::describe::Need::{Optional, Required};
use crate::manifest::language::describe::{Key, Literal, Need, RealRange, Shape, Table};
use crate::manifest::plan::{InputScope, Metric};

pub(super) fn metric() -> Table {
    table(
        "[metric]",
        "What is judged, and what is only described.",
        vec![
            key(
                "primary",
                Required,
                Shape::choices::<Metric>(),
                "\"decode_tokens_per_second\"",
                "Verdicts belong to this one: `decode_tokens_per_second` for decode work, `prefill_tokens_per_second` for prefill work, `bytes_per_second` for copies, `operations_per_second` for matrix products and attention; `joules_per_token` for decode and prefill work, where the machine tells its energy (docs/energy.md).",
            ),
            key(
                "secondary",
                Optional,
                Shape::List { item: Box::new(Shape::choices::<Metric>()), least: 0 },
                "[\"prompt_milliseconds\"]",
                "Described only: `prompt_milliseconds` for decode work; `joules_per_token` for decode and prefill work, or their speed beside it; `bytes_per_second` for matrix products and attention.",
            ),
        ],
    )
}

pub(super) fn design() -> Table {
    table(
        "[design]",
        "How the work is laid out.",
        vec![
            key(
                "rounds",
                Required,
                whole(2, 10_000),
                "12",
                "Restarts of the workers; the unit of analysis. An interval needs two.",
            ),
            key(
                "blocks_per_round",
                Required,
                whole(1, 10_000),
                "4",
                "Inputs between two restarts, for each condition value.",
            ),
            key(
                "chunk_tokens",
                Optional,
                whole(1, U32),
                "8",
                "Decode: timed tokens of a chunk, after which the arms alternate; 8 when absent. Divides `decode_tokens`. Not beside a condition on `chunk_tokens`.",
            ),
            key(
                "order_seed",
                Required,
                whole(0, GREATEST_EXACT),
                "20261129",
                "Orders and inputs follow from it.",
            ),
            key(
                "input_scope",
                Need::Default(Literal::Text("set")),
                Shape::choices::<InputScope>(),
                "\"set\"",
                "Whether the claim is about these inputs or about their class. `class` needs 8 different inputs or more, drawn and not made by a rule.",
            ),
        ],
    )
}

pub(super) fn gate() -> Table {
    table(
        "[gate]",
        "How quiet the machine must be before, between and after blocks.",
        vec![
            // 102,400: 1024 processors, the most that `threads` may be.
            key(
                "others_cpu_percent",
                Need::Default(Literal::Real(10.0)),
                Shape::Real(RealRange::between(0.0, 102_400.0)),
                "10",
                "Most CPU time of other processes, percent of one processor.",
            ),
            key(
                "pressure_percent",
                Need::Default(Literal::Real(10.0)),
                Shape::Real(RealRange::between(0.0, 100.0)),
                "10",
                "Most CPU pressure over a second in which our workers are idle, percent.",
            ),
            key(
                "wait_seconds",
                Need::Default(Literal::Real(60.0)),
                Shape::Real(RealRange::between(0.0, 86_400.0)),
                "60",
                "Longest wait for quiet before any one block, seconds.",
            ),
            key(
                "contaminated_percent",
                Need::Default(Literal::Real(20.0)),
                Shape::Real(RealRange::between(0.0, 100.0)),
                "20",
                "Greatest share of flagged blocks, percent; over it the run is void.",
            ),
        ],
    )
}

pub(super) fn decision() -> Table {
    table(
        "[decision]",
        "The decision rule's numbers.",
        vec![
            key(
                "margin_percent",
                Required,
                Shape::Real(RealRange::above(0.0, 1000.0)),
                "2.0",
                "The smallest effect that matters, percent.",
            ),
            key(
                "confidence_percent",
                Need::Default(Literal::Real(95.0)),
                Shape::Real(RealRange::between(50.0, 99.9)),
                "95",
                "Of the intervals, simultaneous over all comparisons, percent.",
            ),
            Key {
                name: "parked".into(),
                shape: Shape::Table(table(
                    "decision.parked",
                    "What comes after a parked result.",
                    vec![key(
                        "resolution",
                        Required,
                        LINE,
                        "\"a second registration on a quieter machine\"",
                        "Who or what resolves a parked result, fixed beforehand.",
                    )],
                )),
                need: Required,
                doc: "What comes after a parked result.".into(),
                example: "parked.resolution = \"a second registration on a quieter machine\""
                    .into(),
            },
        ],
    )
}

pub(super) fn claim() -> Table {
    let wording =
        |name: &'static str| key(name, Optional, LINE, "\"…\"", "Instead of the default wording.");
    table(
        "[claim]",
        "The sentence that may be written for each outcome. Absent ones have a default wording.",
        vec![wording("win"), wording("loss"), wording("level"), wording("parked")],
    )
}
