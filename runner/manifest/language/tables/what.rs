//! Tables that say what is run: engine, workload, condition, prior art.

use engine_protocol::Form;

use super::{LINE, U32, key, table, whole};
use crate::manifest::language::describe::Need::{Optional, Required};
use crate::manifest::language::describe::{Choice, Key, Literal, Need, Shape, Table, TextRule};
use crate::manifest::language::settings;
use crate::manifest::plan::{ConditionSetting, Freeze, MeasurementClass};

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

pub(super) fn native() -> Shape {
    Shape::OneOf(vec![Choice {
        text: "native".to_owned(),
        doc: "The engine that `runner` was built with.".to_owned(),
    }])
}

/// The key `form` of `[engine]` and of `[[arm]]`.
pub(super) fn form(doc: &'static str) -> Key {
    key("form", Optional, Shape::choices::<Form>(), "\"q8_0\"", doc)
}

pub(super) fn engine() -> Table {
    let mut keys = vec![
        key(
            "build",
            Optional,
            native(),
            "\"native\"",
            "The engine's build. `native` is meant when neither this nor `worker` is given.",
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
        key(
            "freeze",
            Need::Default(Literal::Text("build")),
            Shape::choices::<Freeze>(),
            "\"build\"",
            "How much of the engine must be the same at `exec` as at registration.",
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
        "What the arms work on. Either `decode_tokens` with `prompt_tokens`, or `prefill_tokens`.",
        vec![
            key(
                "inputs",
                Required,
                LINE,
                "\"prose-48\"",
                "Name of an embedded set, or path of a set file.",
            ),
            key(
                "class",
                Required,
                Shape::choices::<MeasurementClass>(),
                "\"dense_throughput\"",
                "The measurement class.",
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
                "Filler in the KV cache before each block's work.",
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
