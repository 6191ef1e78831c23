//! The table of what must be seen of an arm.

use super::{GREATEST_EXACT, key, table, whole};
use crate::manifest::language::describe::Need::{Optional, Required};
use crate::manifest::language::describe::{Key, NameRule, Shape, Table};

pub(super) fn expect() -> Table {
    table(
        "expect of [[arm]]",
        "Proof that the treatment was applied.",
        vec![operation(), device(), buffer(), accepted_tokens()],
    )
}

fn part(name: &'static str, shape: Shape, doc: &'static str, example: &'static str) -> Key {
    Key { name: name.into(), shape, need: Optional, doc: doc.into(), example: example.into() }
}

fn operation() -> Key {
    let bounds = table(
        "expect.operation.<name>",
        "How often an operation of the engine (`flash_attn_ext`, `mul_mat`, …) must run in an untimed, observed run. Bounds on the count; at least one of the two.",
        vec![
            key("at_least", Optional, whole(0, GREATEST_EXACT), "1", "Least count; 0 when absent."),
            key(
                "at_most",
                Optional,
                whole(0, GREATEST_EXACT),
                "0",
                "Greatest count; no limit when absent.",
            ),
        ],
    );
    part(
        "operation",
        Shape::Named(NameRule::Operation, bounds),
        "By the engine's name of an operation, lower case.",
        "expect.operation.flash_attn_ext.at_least = 1",
    )
}

fn device() -> Key {
    let bounds = table(
        "expect.device.<name>",
        "How many operations must run on a device (`CPU`, `CUDA0`, …) in an untimed, observed run. At least one bound.",
        vec![
            key(
                "at_least",
                Optional,
                whole(0, GREATEST_EXACT),
                "1",
                "Least number of operations of any sort; 0 when absent.",
            ),
            key(
                "at_most",
                Optional,
                whole(0, GREATEST_EXACT),
                "0",
                "Greatest number of operations; no limit when absent.",
            ),
            key(
                "at_least_percent",
                Optional,
                whole(1, 100),
                "90",
                "Least share of all operations of that run, percent.",
            ),
        ],
    );
    part(
        "device",
        Shape::Named(NameRule::Device, bounds),
        "By the engine's name of a device.",
        "expect.device.CUDA0.at_least = 1",
    )
}

fn buffer() -> Key {
    let bounds = table(
        "expect.buffer.<name>",
        "How many bytes the worker must hold in buffers of a type (`CPU`, `CPU_REPACK`, `CUDA0`, …). At least one bound.",
        vec![
            key(
                "at_least_bytes",
                Optional,
                whole(0, GREATEST_EXACT),
                "1",
                "Least bytes; 0 when absent.",
            ),
            key(
                "at_most_bytes",
                Optional,
                whole(0, GREATEST_EXACT),
                "0",
                "Most bytes; no limit when absent.",
            ),
        ],
    );
    part(
        "buffer",
        Shape::Named(NameRule::Device, bounds),
        "By the engine's name of a buffer type.",
        "expect.buffer.CPU_REPACK.at_least_bytes = 1",
    )
}

fn accepted_tokens() -> Key {
    let bounds = table(
        "expect.accepted_tokens",
        "How many drafted tokens must be accepted.",
        vec![key(
            "at_least",
            Required,
            whole(1, GREATEST_EXACT),
            "1",
            "Drafted tokens that were accepted while the clock ran, over the whole run, at each condition value.",
        )],
    );
    part(
        "accepted_tokens",
        Shape::Table(bounds),
        "That drafts were of use.",
        "expect.accepted_tokens.at_least = 1",
    )
}
