//! The top of a manifest, and which tables stand below it.

use super::parts::{LINE, PROSE, U32, key, table, whole};
use super::{arm, around, build, history, judging, noise, stop, what};
use crate::manifest::language::describe::Need::{AllDefaults, Optional, Required};
use crate::manifest::language::describe::{Shape, Table, TextRule};
use crate::manifest::plan::PriorAccess;

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
                "regime",
                Optional,
                Shape::Table(what::regime()),
                "[regime]\npredicts = \"the-whole-models-id\"",
                "What the figures are to speak of.",
            ),
            key(
                "engine",
                Required,
                Shape::Table(what::engine()),
                "[engine]\nmodel = \"builtin-tiny\"",
                "Held constant in every arm.",
            ),
            key(
                "build",
                Optional,
                build::builds(),
                build::EXAMPLE,
                "Builds of the engine for this manifest alone; those of `experiments/builds.toml` are known anyway.",
            ),
            key(
                "history",
                Optional,
                Shape::Table(history::history()),
                "[history]\ncheckout = \"../llama.cpp\"\ngood = \"b4560\"\nbad = \"b4567\"",
                "Looks for the commit that changed the metric.",
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
                "A key of `[workload]`, or `chunk_tokens`, at each of whose values every arm is repeated.",
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
                Shape::Table(noise::noise()),
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
                Shape::Table(stop::stop()),
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
                "budget",
                Optional,
                Shape::Table(around::budget()),
                "[budget]\nmemory_megabytes = 4000",
                "How much memory the arms may take; as much as the machine has when absent.",
            ),
            key(
                "warm_up",
                Optional,
                Shape::Table(around::warm_up()),
                "[warm_up]\nrule = \"stationary\"",
                "When warming up is over; after one piece of the work when absent.",
            ),
            key(
                "stack",
                Optional,
                Shape::Table(around::stack()),
                "[stack]\nmatters = [\"cpu_model\", \"kernel\", \"engine_source\"]",
                "On which facts of machine and engine the figures depend; on all of the stack key when absent.",
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
