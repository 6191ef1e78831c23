//! Tables of what surrounds the arms: memory that they may take, and how they are warmed up.

use super::{key, table, whole};
use crate::manifest::language::describe::Need::{Optional, Required};
use crate::manifest::language::describe::{
    Choice, Key, Literal, NameRule, Need, RealRange, Shape, Table,
};
use crate::manifest::plan::StackFact;

/// Most megabytes of a budget: a thousand terabytes.
const MOST_MEGABYTES: u64 = 1_000_000_000;

/// Most pieces of warming up: at 0.1 s a piece, a quarter of an hour.
const MOST_PIECES: u64 = 10_000;

/// The key `environment` of `[engine]` and of `[[arm]]`.
pub(super) fn environment(doc: &'static str) -> Key {
    Key {
        name: "environment".into(),
        shape: Shape::Variables,
        need: Optional,
        doc: doc.into(),
        example: "environment.OMP_PROC_BIND = \"true\"".into(),
    }
}

pub(super) fn budget() -> Table {
    let megabytes = || whole(1, MOST_MEGABYTES);
    let of_type = table(
        "buffer.<name> of [budget]",
        "Most memory of all arms together in buffers of a type.",
        vec![key(
            "at_most_megabytes",
            Required,
            megabytes(),
            "4000",
            "Most megabytes in buffers of this type, all arms together.",
        )],
    );
    table(
        "[budget]",
        "Most memory that the workers may hold, computed from their allocations (weights, KV cache, scratch, outputs), in megabytes of a million bytes. `exec` refuses what is over it before anything is timed. Resident memory is no budget: it falls when the system takes pages away.",
        vec![
            key(
                "memory_megabytes",
                Optional,
                megabytes(),
                "4000",
                "Of all arms together: they are resident at once.",
            ),
            key("arm_megabytes", Optional, megabytes(), "1500", "Of any one arm."),
            Key {
                name: "buffer".into(),
                shape: Shape::Named(NameRule::Device, of_type),
                need: Optional,
                doc: "By the engine's name of a buffer type.".into(),
                example: "buffer.CUDA0.at_most_megabytes = 4000".into(),
            },
        ],
    )
}

pub(super) fn warm_up() -> Table {
    table(
        "[warm_up]",
        "When warming up is over. Without this table one untimed piece of the work is done before a round's first block. A piece is a chunk of decoding, or a whole prefill, of the arm itself.",
        vec![
            key(
                "rule",
                Required,
                Shape::OneOf(vec![Choice {
                    text: "stationary".to_owned(),
                    doc: "Pieces are repeated until the medians of the last two windows agree."
                        .to_owned(),
                }]),
                "\"stationary\"",
                "The rule, applied to each arm in each round and at each condition value. `stationary`: pieces are repeated until the medians of the last two windows agree.",
            ),
            key(
                "window_pieces",
                Need::Default(Literal::Whole(5)),
                whole(1, MOST_PIECES / 2),
                "5",
                "Pieces in a window.",
            ),
            key(
                "tolerance_percent",
                Need::Default(Literal::Real(2.0)),
                Shape::Real(RealRange::above(0.0, 100.0)),
                "2.0",
                "The medians agree when they differ by less, percent of the earlier one.",
            ),
            key(
                "at_most_pieces",
                Need::Default(Literal::Whole(60)),
                whole(2, MOST_PIECES),
                "60",
                "After so many pieces the run goes on, and the record says that the arm did not settle. Two windows or more.",
            ),
        ],
    )
}

pub(super) fn stack() -> Table {
    table(
        "[stack]",
        "On which facts of machine and engine the figures depend. When one of them changes, `record stale` marks the record's figures, and they are to be measured again.",
        vec![key(
            "matters",
            Required,
            Shape::List { item: Box::new(Shape::choices::<StackFact>()), least: 1 },
            "[\"cpu_model\", \"kernel\", \"engine_source\", \"engine_flags\"]",
            "The facts that matter, each once.",
        )],
    )
}
