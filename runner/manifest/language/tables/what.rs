//! Tables that say what is run: engine, workload, condition, prior art.

use engine_protocol::Form;

use super::around::environment;
use super::{LINE, U32, key, table, whole};
use crate::manifest::language::describe::Need::{Optional, Required};
use crate::manifest::language::describe::{Key, Literal, Need, Shape, Table, TextRule};
use crate::manifest::language::settings;
use crate::manifest::plan::{
    ClaimedExtent, ConditionSetting, Freeze, MeasurementClass, PrimitiveName,
};

pub(super) fn prior_art() -> Table {
    table(
        "[[prior_art]]",
        "An earlier record and the scope it speaks of.",
        vec![
            key("record", Required, LINE, "\"earlier-id/1\"", "`<id>/<run>`."),
            key(
                "scope",
                Required,
                LINE,
                "\"decode of prose, two threads\"",
                "What that record speaks of.",
            ),
        ],
    )
}

/// More repetitions belong into more blocks.
const MOST_REPETITIONS: u64 = 100_000;

/// As many as the worker makes.
const MOST_BUFFERS: u64 = 1 << 16;

/// The key `form` of `[engine]` and of `[[arm]]`.
pub(super) fn form(doc: &'static str) -> Key {
    key("form", Optional, Shape::choices::<Form>(), "\"q8_0\"", doc)
}

/// The key `layers` of `[engine]` and of `[[arm]]`.
pub(super) fn layers(doc: &'static str) -> Key {
    key("layers", Optional, whole(1, U32), "4", doc)
}

pub(super) fn regime() -> Table {
    table(
        "[regime]",
        "What the figures are to speak of. A claim that goes beyond what the arms run is refused.",
        vec![
            key(
                "claims",
                Optional,
                Shape::choices::<ClaimedExtent>(),
                "\"whole_model\"",
                "What the claims are to be of. The manifest is refused when the arms run something else.",
            ),
            key(
                "predicts",
                Optional,
                Shape::Text(TextRule::Id),
                "\"the-whole-models-id\"",
                "Of an experiment on a slice: the experiment that asks the same of the whole model. `report` puts the two beside each other.",
            ),
        ],
    )
}

pub(super) fn engine() -> Table {
    let mut keys = vec![
        key(
            "build",
            Optional,
            LINE,
            "\"native\"",
            "The engine's build: `native` is the one that `runner` was built with, and is meant when neither this nor `worker` is given; others are declared (`[build.NAME]`, or `experiments/builds.toml`).",
        ),
        key(
            "worker",
            Optional,
            LINE,
            "\"target/other/engine-worker\"",
            "Instead of `build`: path of a worker executable, absolute or from the project's root.",
        ),
        key(
            "model",
            Optional,
            LINE,
            "\"builtin-tiny\"",
            "A name in `experiments/models.toml`, or one that is built in. Either this, or `model_file`.",
        ),
        key(
            "model_file",
            Optional,
            LINE,
            "\"models/mine.gguf\"",
            "A GGUF file of your own, absolute or from the project's root.",
        ),
        key(
            "model_sha256",
            Optional,
            Shape::Text(TextRule::Sha256),
            "\"9f86d081…\"",
            "SHA-256 of `model_file`.",
        ),
        form(
            "The model in this form, in every arm that names none of its own; `runner model forms` makes it. Absent: the file as it is.",
        ),
        layers(
            "The model cut to its first layers, in every arm that names none of its own; the slice is made when it is needed. Absent: the whole model.",
        ),
        key(
            "freeze",
            Need::Default(Literal::Text("build")),
            Shape::choices::<Freeze>(),
            "\"build\"",
            "How much of the engine must be the same at `exec` as at registration.",
        ),
        environment(
            "A variable that every arm's worker is started with. What is not named here does not reach a worker.",
        ),
    ];
    keys.extend(settings::keys());
    table(
        "[engine]",
        "Held constant in every arm. Settings of the engine stand here as keys of their own; an arm may lay others over them.",
        keys,
    )
}

pub(super) fn workload() -> Table {
    table(
        "[workload]",
        "What the arms work on. Either `decode_tokens` with `prompt_tokens`, or `prefill_tokens`, or `primitive` with `repetitions` (docs/primitives.md).",
        vec![
            key(
                "inputs",
                Optional,
                LINE,
                "\"prose-48\"",
                "Name of an embedded set, or path of a set file. Needed, but for a primitive, which reads no text.",
            ),
            key(
                "class",
                Optional,
                Shape::choices::<MeasurementClass>(),
                "\"dense_throughput\"",
                "The measurement class. Needed, but for a primitive, which reads no text.",
            ),
            key(
                "prompt_tokens",
                Optional,
                whole(1, U32),
                "32",
                "Decode: tokens of the input put in front, untimed.",
            ),
            key(
                "decode_tokens",
                Optional,
                whole(1, U32),
                "64",
                "Decode: timed tokens of a block and arm. End-of-text is ignored, the count is fixed.",
            ),
            key(
                "prefill_tokens",
                Optional,
                whole(1, U32),
                "512",
                "Prefill: timed tokens of a block and arm.",
            ),
            key(
                "depth_tokens",
                Need::Default(Literal::Whole(0)),
                whole(0, U32),
                "512",
                "Filler in the KV cache before each block's work. Of a primitive: cells that are copied or attended to.",
            ),
            key(
                "primitive",
                Optional,
                Shape::choices::<PrimitiveName>(),
                "\"copy\"",
                "One kind of operation by itself, as much of it as the whole model needs.",
            ),
            key(
                "repetitions",
                Optional,
                whole(1, MOST_REPETITIONS),
                "16",
                "Primitive: timed repetitions of a block and arm, each on the next buffer.",
            ),
            key(
                "buffers",
                Optional,
                whole(1, MOST_BUFFERS),
                "8",
                "Primitive: buffers to rotate over. Absent: so many that together they are at least four times as large as the last-level cache.",
            ),
            key(
                "weight_type",
                Optional,
                Shape::choices::<Form>(),
                "\"q4_1\"",
                "Matrix products: type of all weights.",
            ),
            key(
                "batch",
                Optional,
                whole(1, U32),
                "1",
                "Matrix products: columns. Attention: queries of a head.",
            ),
        ],
    )
}

pub(super) fn condition() -> Table {
    table(
        "[condition]",
        "Everything, off and aa included, is repeated at each value. Pairs never cross values.",
        vec![
            key(
                "setting",
                Required,
                Shape::choices::<ConditionSetting>(),
                "\"depth_tokens\"",
                "A key of `[workload]` that belongs to its work; of decode work `chunk_tokens` too, which then is not in `[design]`.",
            ),
            key(
                "values",
                Required,
                Shape::List { item: Box::new(whole(0, U32)), least: 1 },
                "[0, 512, 2048]",
                "All different.",
            ),
        ],
    )
}
