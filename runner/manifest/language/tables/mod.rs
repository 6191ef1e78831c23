//! Version 1 of the language, table by table.

mod arm;
mod judging;
mod what;

use std::borrow::Cow;

use super::describe::Need::{AllDefaults, Optional, Required};
use super::describe::{Key, Need, Shape, Table, TextRule};
use crate::manifest::plan::PriorAccess;

/// Greatest whole number that every JSON reader keeps exactly: 2^53 - 1 (RFC 8259, section 6).
pub const GREATEST_EXACT: u64 = (1 << 53) - 1;
/// Whole numbers of a plan are u32.
const U32: u64 = u32::MAX as u64;

const LINE: Shape = Shape::Text(TextRule::Line);
const PROSE: Shape = Shape::Text(TextRule::Prose);

fn key(
    name: &'static str,
    need: Need,
    shape: Shape,
    example: &'static str,
    doc: &'static str,
) -> Key {
    let header = example.starts_with("[[")
        || example
            .strip_prefix('[')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_alphabetic()));
    let dotted = example.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
    let example = if header || dotted {
        Cow::Borrowed(example)
    } else {
        Cow::Owned(format!("{name} = {example}"))
    };
    Key { name: name.into(), shape, need, doc: doc.into(), example }
}

fn table(title: &'static str, doc: &'static str, keys: Vec<Key>) -> Table {
    Table { title, doc, keys, refused: &[] }
}

fn whole(least: u64, most: u64) -> Shape {
    Shape::Whole { least, most }
}

/// The top of a manifest.
pub fn root() -> Table {
    table(
        "the top of the manifest",
        "What the experiment is called and believes. These keys stand before the first table.",
        vec![
            key("schema", Required, whole(1, U32), "1", "Version of the manifest language: 1."),
            key(
                "id",
                Required,
                Shape::Text(TextRule::Id),
                "\"my-question\"",
                "Names the experiment, and its folder in `results/`. Never reused. 64 characters or fewer.",
            ),
            key("title", Required, LINE, "\"What is compared\"", "One line for tables."),
            key(
                "hypothesis",
                Required,
                PROSE,
                "\"… raises decode throughput by 5 % or more\"",
                "What is believed, with a number, before any is seen.",
            ),
            key(
                "mechanism",
                Optional,
                PROSE,
                "\"weights are read once for several tokens\"",
                "Why it should be so.",
            ),
            key(
                "prior_access",
                Required,
                Shape::choices::<PriorAccess>(),
                "\"none\"",
                "What was seen of this question before registration.",
            ),
            key(
                "prior_art",
                Optional,
                Shape::Tables(what::prior_art()),
                "[[prior_art]]\nrecord = \"earlier-id/1\"\nscope = \"what it speaks of\"",
                "Earlier records on the question.",
            ),
            key(
                "engine",
                Required,
                Shape::Table(what::engine()),
                "[engine]\nmodel = \"builtin-tiny\"",
                "Held constant in every arm.",
            ),
            key(
                "workload",
                Required,
                Shape::Table(what::workload()),
                "[workload]\ninputs = \"prose-48\"\nclass = \"dense_throughput\"\nprompt_tokens = 32\ndecode_tokens = 64",
                "What the arms work on.",
            ),
            key(
                "arm",
                Required,
                Shape::Tables(arm::arm()),
                "[[arm]]\nname = \"off\"\nrole = \"off\"",
                "The configurations under test.",
            ),
            key(
                "ladder",
                Optional,
                Shape::Table(arm::ladder()),
                "[ladder]\nsetting = \"micro_batch_tokens\"\nrungs = [64, 128]",
                "A setting whose rungs are each a treatment.",
            ),
            key(
                "condition",
                Optional,
                Shape::Table(what::condition()),
                "[condition]\nsetting = \"depth_tokens\"\nvalues = [0, 512]",
                "A key of `[workload]` at each of whose values every arm is repeated.",
            ),
            key(
                "metric",
                Required,
                Shape::Table(judging::metric()),
                "[metric]\nprimary = \"decode_tokens_per_second\"",
                "What is judged.",
            ),
            key(
                "noise",
                Required,
                Shape::Table(judging::noise()),
                "[noise]\nassumed_round_sd_percent = 0.8\nassumed_block_sd_percent = 3.0\nexpected_effect_percent = 5.0",
                "What is known of the noise before the run.",
            ),
            key(
                "design",
                Required,
                Shape::Table(judging::design()),
                "[design]\nrounds = 12\nblocks_per_round = 4\norder_seed = 1",
                "How the work is laid out.",
            ),
            key(
                "stop",
                Required,
                Shape::Table(judging::stop()),
                "[stop.fixed]\ncap_minutes = 20",
                "When to stop: exactly one rule.",
            ),
            key(
                "gate",
                AllDefaults,
                Shape::Table(judging::gate()),
                "[gate]",
                "How quiet the machine must be.",
            ),
            key(
                "decision",
                Required,
                Shape::Table(judging::decision()),
                "[decision]\nmargin_percent = 2.0\nparked.resolution = \"a second registration\"",
                "The rule's numbers.",
            ),
            key(
                "claim",
                AllDefaults,
                Shape::Table(judging::claim()),
                "[claim]",
                "The sentence for each outcome.",
            ),
        ],
    )
}
