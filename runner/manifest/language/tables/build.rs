//! The table of a build, in a manifest and in a project's catalogue of builds.

use engine_protocol::Toggle;

use super::parts::{GREATEST_EXACT, LINE, key, table, whole};
use crate::manifest::language::describe::Need::{Optional, Required};
use crate::manifest::language::describe::{NameRule, Shape, Table, TextRule};
use crate::manifest::plan::{BlasLibrary, BuildBackend, BuildThreading};

/// The builds that a manifest or a catalogue declares.
pub(super) fn builds() -> Shape {
    Shape::Named(NameRule::Build, build())
}

/// A project's `experiments/builds.toml`.
pub fn catalogue() -> Table {
    table(
        "the top of the catalogue of builds",
        "Builds that every manifest of the project may name.",
        vec![
            key("schema", Required, whole(1, 1), "1", "Version of the catalogue: 1."),
            key("build", Optional, builds(), EXAMPLE, "The builds."),
        ],
    )
}

pub(super) const EXAMPLE: &str = "[build.x86-64-v3]\ninstruction_set = \"x86-64-v3\"";

fn build() -> Table {
    let texts = || Shape::List { item: Box::new(LINE), least: 1 };
    let mut keys = sources();
    keys.extend([
        key(
            "backend",
            Optional,
            Shape::choices::<BuildBackend>(),
            "\"cuda\"",
            "What computes; `cpu` when absent.",
        ),
        key(
            "instruction_set",
            Optional,
            LINE,
            "\"x86-64-v3\"",
            "As the compiler names it (`-march`). This machine's own when absent, and with `native`.",
        ),
        key(
            "llamafile_kernels",
            Optional,
            Shape::choices::<Toggle>(),
            "\"off\"",
            "Whether llamafile's matrix kernels are compiled in; `on` when absent.",
        ),
        key(
            "weight_repack",
            Optional,
            Shape::choices::<Toggle>(),
            "\"off\"",
            "Whether weights can be laid out anew for the processor's kernels; `on` when absent.",
        ),
        key(
            "threading",
            Optional,
            Shape::choices::<BuildThreading>(),
            "\"own\"",
            "Who runs the threads; OpenMP where it is found when absent.",
        ),
        key(
            "blas",
            Optional,
            Shape::choices::<BlasLibrary>(),
            "\"openblas\"",
            "A library for products of large matrices; none when absent.",
        ),
        key("c_compiler", Optional, LINE, "\"clang\"", "The one that is found when absent."),
        key("cxx_compiler", Optional, LINE, "\"clang++\"", "The one that is found when absent."),
        key(
            "flags",
            Optional,
            texts(),
            "[\"-fno-unroll-loops\"]",
            "Further flags of the compilers.",
        ),
        key(
            "link_order_seed",
            Optional,
            whole(0, GREATEST_EXACT),
            "1",
            "The same objects in another order, by this seed: what layout alone does.",
        ),
        key(
            "cuda_architectures",
            Optional,
            texts(),
            "[\"90\"]",
            "With `backend = \"cuda\"`: for which GPUs the kernels are compiled.",
        ),
    ]);
    table(
        "[build.NAME]",
        "A build of the engine that arms may name (docs/builds.md). What it does not say is as in upstream's own Release build on this machine, from the sources that this program pins.",
        keys,
    )
}

fn sources() -> Vec<crate::manifest::language::describe::Key> {
    vec![
        key(
            "package_version",
            Optional,
            LINE,
            "\"0.1.160\"",
            "Another version of the pinned source package.",
        ),
        key(
            "package_blake3",
            Optional,
            Shape::Text(TextRule::Sha256),
            "\"…\"",
            "BLAKE3 over its files, which the refusal of a wrong one prints.",
        ),
        key(
            "checkout",
            Optional,
            LINE,
            "\"../llama.cpp\"",
            "A git repository of llama.cpp, absolute or from the project's root. Without `revision`: as it stands, changes included.",
        ),
        key(
            "revision",
            Optional,
            LINE,
            "\"b4567\"",
            "Which commit of `checkout`: a tag, a branch or a hash. It is copied into the cache; the checkout stays as it is.",
        ),
        key(
            "libraries",
            Optional,
            LINE,
            "\"/opt/llama/lib\"",
            "Prebuilt libraries: the folder below which they lie, absolute or from the project's root.",
        ),
        key(
            "headers",
            Optional,
            Shape::List { item: Box::new(LINE), least: 1 },
            "[\"/opt/llama/include\"]",
            "With `libraries`: folders of the headers that they were compiled with.",
        ),
    ]
}
