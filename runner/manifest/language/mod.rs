//! The one description of the manifest language. Reading, suggestions for unknown keys, the JSON
//! schema and the tables of `docs/manifest.md` all come from it.

mod describe;
mod settings;
mod tables;

pub(super) use describe::{
    Choice, Key, Literal, NameRule, Need, RealRange, Shape, Table, TextRule,
};
pub(super) use settings::{
    FORM_KEY, INPUTS_KEY, LAYERS_KEY, is_of_drafts, is_setting, ladder_keys,
};

use std::sync::LazyLock;

/// The language, version 1: the table at the top of a manifest.
pub(super) fn language() -> &'static Table {
    static LANGUAGE: LazyLock<Table> = LazyLock::new(tables::root);
    &LANGUAGE
}

/// The language of a project's catalogue of builds, version 1.
pub(super) fn builds_language() -> &'static Table {
    static LANGUAGE: LazyLock<Table> = LazyLock::new(tables::catalogue);
    &LANGUAGE
}
