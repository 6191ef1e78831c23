//! The table of another engine as an arm.

use super::{LINE, PROSE, key, table, whole};
use crate::manifest::language::describe::Need::{Optional, Required};
use crate::manifest::language::describe::{Key, Literal, Need, RealRange, Shape, Table};
use crate::manifest::plan::{LoadName, PeerUnit, PromptCache, ReadsName, StartUp};

/// Longest wait for a server: an hour loads any model.
const MOST_READY_SECONDS: u64 = 3600;
/// More clients than any server has slots.
const MOST_CLIENTS: u64 = 1024;
/// More belong into more blocks.
const MOST_REQUESTS: u64 = 10_000;

pub(super) fn peer() -> Table {
    table(
        "peer of [[arm]]",
        "Another engine: of an arm with the role `peer` alone. One of the two (docs/peers.md).",
        vec![
            part(
                "command",
                command(),
                "A program that is started.",
                "peer.command.argv = [\"llama-bench\", \"-m\", \"{model}\"]",
            ),
            part(
                "openai",
                openai(),
                "A server that speaks OpenAI's completions interface.",
                "peer.openai.address = \"127.0.0.1:8080\"",
            ),
        ],
    )
}

fn part(name: &'static str, of: Table, doc: &'static str, example: &'static str) -> Key {
    Key {
        name: name.into(),
        shape: Shape::Table(of),
        need: Optional,
        doc: doc.into(),
        example: example.into(),
    }
}

fn argv(need: Need, doc: &'static str) -> Key {
    key(
        "argv",
        need,
        Shape::List { item: Box::new(PROSE), least: 1 },
        "[\"target/llama.cpp/bin/llama-bench\", \"-m\", \"{model}\", \"-o\", \"json\"]",
        doc,
    )
}

fn command() -> Table {
    table(
        "peer.command",
        "A program, started without a shell. Its work is paired whole, unless it speaks the worker protocol.",
        vec![
            argv(
                Required,
                "Program (absolute, from the project's root, or found on PATH) and arguments, as they are. An argument that is `{model}`, `{threads}`, `{context_tokens}`, `{prompt_tokens}`, `{decode_tokens}`, `{prefill_tokens}`, `{depth_tokens}` (all tokens before the timed work) or `{prompt_file}` stands for its value.",
            ),
            key(
                "reads",
                Required,
                Shape::choices::<ReadsName>(),
                "\"llama_bench\"",
                "How its figures are read.",
            ),
            key(
                "pattern",
                Optional,
                PROSE,
                "'eval: (?<value>[0-9.]+) tokens per second'",
                "`reads = \"pattern\"`: a regular expression with a group `value`, which must match its output once. The unit must follow the number.",
            ),
            key(
                "unit",
                Optional,
                Shape::choices::<PeerUnit>(),
                "\"tokens_per_second\"",
                "`reads = \"pattern\"`: what the number counts.",
            ),
            key(
                "start_up",
                Optional,
                Shape::choices::<StartUp>(),
                "\"outside_timer\"",
                "`reads = \"pattern\"`: whether loading the model lies inside the time that it reports.",
            ),
        ],
    )
}

fn openai() -> Table {
    table(
        "peer.openai",
        "A server. Prompts are sent as off's tokens to `/v1/completions`, answers are streamed, and the clock is the client's.",
        vec![
            key("address", Required, LINE, "\"127.0.0.1:8080\"", "`HOST:PORT`."),
            argv(
                Optional,
                "Program and arguments that start it, as in `peer.command`; `{host}` and `{port}` are those of `address`. Absent: a server that runs already.",
            ),
            key(
                "model",
                Need::Default(Literal::Text("default")),
                LINE,
                "\"default\"",
                "The model's name in requests, where the server asks for one.",
            ),
            key(
                "ready_path",
                Need::Default(Literal::Text("/v1/models")),
                LINE,
                "\"/health\"",
                "Path that answers 200 once the server is ready.",
            ),
            key(
                "ready_seconds",
                Need::Default(Literal::Whole(120)),
                whole(1, MOST_READY_SECONDS),
                "120",
                "Longest wait for that.",
            ),
            key(
                "prompt_cache",
                Required,
                Shape::choices::<PromptCache>(),
                "\"off\"",
                "Whether a prompt that was seen before may be quicker. `off` is asked for and checked.",
            ),
            key(
                "load",
                Need::Default(Literal::Text("one")),
                Shape::choices::<LoadName>(),
                "\"one\"",
                "How requests come.",
            ),
            key(
                "clients",
                Optional,
                whole(1, MOST_CLIENTS),
                "4",
                "`load = \"closed\"`: clients that ask at the same time.",
            ),
            key(
                "requests",
                Optional,
                whole(1, MOST_REQUESTS),
                "16",
                "`load = \"closed\"` and `\"open\"`: requests of a block.",
            ),
            key(
                "requests_per_second",
                Optional,
                Shape::Real(RealRange::between(0.001, 10_000.0)),
                "2.0",
                "`load = \"open\"`: mean rate of arrival.",
            ),
        ],
    )
}
