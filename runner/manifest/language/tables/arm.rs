//! Tables of arms and ladders, with what they promise.

use super::around::environment;
use super::expect::expect;
use super::ladder_stop::ladder_stop;
use super::peer::peer;
use super::what::{form, layers};
use super::{LINE, U32, key, table, whole};
use crate::manifest::language::describe::Need::{Optional, Required};
use crate::manifest::language::describe::{
    Choice, Key, Literal, Need, RealRange, Shape, Table, TextRule,
};
use crate::manifest::language::settings::{self, INPUTS_KEY};
use crate::manifest::plan::{Pieces, Role};

/// Fewest teacher-forced positions from which a contract may speak of all.
const FEWEST_POSITIONS: u64 = 512;

pub(super) fn arm() -> Table {
    let mut keys = vec![
        key(
            "name",
            Required,
            Shape::Text(TextRule::ArmName),
            "\"flash\"",
            "Unique. 64 characters or fewer.",
        ),
        key("role", Required, Shape::choices::<Role>(), "\"treatment\"", "What the arm is for."),
        key(
            "build",
            Optional,
            LINE,
            "\"x86-64-v3\"",
            "A build of the engine for this arm alone: a declared one, or `native`.",
        ),
        key(
            "worker",
            Optional,
            LINE,
            "\"target/other/engine-worker\"",
            "Instead of `build`: path of a worker executable for this arm alone.",
        ),
        form("The engine's model in this form, for this arm alone."),
        layers(
            "The engine's model cut to its first layers, for this arm alone. Only a `ceiling` or a `control` may have another number than `off`.",
        ),
        key(
            INPUTS_KEY,
            Optional,
            LINE,
            "\"filler-48\"",
            "A set of its own, by name or path, with as many items as the workload's or more: the arm works on item k of it where the others work on item k of theirs. Only a `ceiling` or a `control` that promises nothing may have one (docs/workloads.md).",
        ),
        key(
            "pieces",
            Optional,
            Shape::choices::<Pieces>(),
            "\"composition\"",
            "Primitive: how the work is cut; one piece when absent.",
        ),
        key(
            "contract",
            Optional,
            Shape::Table(contract()),
            "contract.identical.of = \"tokens\"",
            "What the arm promises of its output, against off. Every treatment has at least one, but for a primitive, which has no output.",
        ),
        key(
            "expect",
            Optional,
            Shape::Table(expect()),
            "expect.operation.flash_attn_ext.at_least = 1",
            "Proof that the treatment was applied.",
        ),
        key(
            "peer",
            Optional,
            Shape::Table(peer()),
            "peer.openai.address = \"127.0.0.1:8080\"",
            "Another engine: of an arm with the role `peer`.",
        ),
        environment(
            "A variable that this arm's worker alone is started with, laid over those of `[engine]`.",
        ),
    ];
    keys.extend(settings::keys());
    table(
        "[[arm]]",
        "One configuration, run by a worker process of its own. Exactly one has the role `off`, at least one `aa`. Settings stand as keys of their own.",
        keys,
    )
}

pub(super) fn ladder() -> Table {
    table(
        "[ladder]",
        "A setting, or `form`, whose rungs are each a treatment against the one off. The arms are named `setting=value`. A ladder over a setting of drafts says here what else of drafts its rungs have.",
        with_drafts(vec![
            key(
                "setting",
                Required,
                LINE,
                "\"micro_batch_tokens\"",
                "Key of the setting, or `form`.",
            ),
            key(
                "rungs",
                Required,
                Shape::Rungs,
                "[64, 128, 256]",
                "Values, all different; one treatment each.",
            ),
            key(
                "contract",
                Optional,
                Shape::Table(contract()),
                "[ladder]\ncontract.identical.of = \"tokens\"",
                "What every rung promises. As in `[[arm]]`; at least one.",
            ),
            key(
                "expect",
                Optional,
                Shape::Table(expect()),
                "[ladder]\nexpect.operation.mul_mat.at_least = 1",
                "What must be seen of every rung. As in `[[arm]]`.",
            ),
            ladder_stop(),
        ]),
    )
}

/// The settings of drafts behind a ladder's own keys.
fn with_drafts(mut keys: Vec<Key>) -> Vec<Key> {
    keys.extend(settings::keys().into_iter().filter(|key| settings::is_of_drafts(&key.name)));
    keys
}

fn contract() -> Table {
    let basis = || {
        key(
            "basis",
            Required,
            LINE,
            "\"worst of three earlier runs was 0.9991\"",
            "Where the bar comes from, in words.",
        )
    };
    let positions = || {
        key(
            "positions",
            Need::Default(Literal::Whole(512)),
            whole(FEWEST_POSITIONS, U32),
            "512",
            "Teacher-forced positions that are compared: 512 or more.",
        )
    };
    let part = |name: &'static str, doc: &'static str, example: &'static str, of: Table| Key {
        name: name.into(),
        shape: Shape::Table(of),
        need: Optional,
        doc: doc.into(),
        example: example.into(),
    };
    table(
        "contract of [[arm]]",
        "What an arm promises of its output, against off.",
        vec![
            part(
                "identical",
                "The same greedy tokens, after each arm has shown that it equals itself.",
                "contract.identical.of = \"tokens\"",
                table(
                    "contract.identical",
                    "The same greedy tokens, byte for byte.",
                    vec![key(
                        "of",
                        Required,
                        Shape::OneOf(vec![Choice {
                            text: "tokens".to_owned(),
                            doc: "Greedy tokens.".to_owned(),
                        }]),
                        "\"tokens\"",
                        "What is compared.",
                    )],
                ),
            ),
            part(
                "cosine",
                "The least cosine of any position's logits reaches a bar.",
                "contract.cosine.at_least = 0.999",
                table(
                    "contract.cosine",
                    "Cosine of each position's logits with off's; the least one is judged.",
                    vec![
                        key(
                            "at_least",
                            Required,
                            Shape::Real(RealRange::above(0.0, 1.0)),
                            "0.999",
                            "The bar.",
                        ),
                        basis(),
                        positions(),
                    ],
                ),
            ),
            part(
                "kl",
                "Mean and 99th percentile of the Kullback-Leibler divergence stay under bars.",
                "contract.kl.mean_at_most = 0.01",
                table(
                    "contract.kl",
                    "Kullback-Leibler divergence of off's next-token distribution from the arm's, in nats.",
                    vec![
                        key(
                            "mean_at_most",
                            Required,
                            Shape::Real(RealRange::above(0.0, 1000.0)),
                            "0.01",
                            "Bar on the mean over positions, nats.",
                        ),
                        key(
                            "p99_at_most",
                            Required,
                            Shape::Real(RealRange::above(0.0, 1000.0)),
                            "0.1",
                            "Bar on the 99th percentile over positions, nats.",
                        ),
                        basis(),
                        positions(),
                    ],
                ),
            ),
            part(
                "argmax",
                "A share of positions keeps its most likely token.",
                "contract.argmax.agreement_at_least = 0.99",
                table(
                    "contract.argmax",
                    "Share of positions with the same most likely token.",
                    vec![
                        key(
                            "agreement_at_least",
                            Required,
                            Shape::Real(RealRange::above(0.0, 1.0)),
                            "0.99",
                            "The bar, a share.",
                        ),
                        basis(),
                        positions(),
                    ],
                ),
            ),
        ],
    )
}
