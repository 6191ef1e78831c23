//! The table of a history.

use super::parts::{LINE, key, table, whole};
use crate::manifest::language::describe::Need::{Default, Required};
use crate::manifest::language::describe::{Literal, Table};

pub(super) fn history() -> Table {
    table(
        "[history]",
        "Which commit between two changed the metric (docs/builds.md). The manifest has the arms `off`, `aa` and one `treatment` without builds of their own: in each step `off` and `aa` run the good commit and the treatment the one that the step is about. A merge counts as one commit.",
        vec![
            key(
                "checkout",
                Required,
                LINE,
                "\"../llama.cpp\"",
                "A git repository of llama.cpp, absolute or from the project's root. It stays as it is.",
            ),
            key(
                "good",
                Required,
                LINE,
                "\"b4560\"",
                "The commit before: a tag, a branch or a hash.",
            ),
            key(
                "bad",
                Required,
                LINE,
                "\"b4567\"",
                "The commit after, which has the other as an ancestor.",
            ),
            key(
                "repeats_at_most",
                Default(Literal::Whole(2)),
                whole(0, 9),
                "2",
                "How often a step that says neither is measured again, as an experiment of its own.",
            ),
        ],
    )
}
