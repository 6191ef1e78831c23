//! Manifests to start from.

use super::names::ExperimentId;

/// Which manifest to start from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TemplateKind {
    /// One treatment against off.
    AbTest,
    /// A setting with several rungs, each against off.
    Ladder,
    /// How far a setting may change the output: several contracts at once.
    Contract,
    /// Drafts of several lengths, with the control that tells rollback from batching.
    Speculation,
    /// One kind of operation by itself: in one piece against the model's own pieces.
    Primitive,
    /// Other engines beside the worker.
    Peers,
}

impl TemplateKind {
    /// All kinds, in the order of the help.
    pub const ALL: &[TemplateKind] = &[
        TemplateKind::AbTest,
        TemplateKind::Ladder,
        TemplateKind::Contract,
        TemplateKind::Speculation,
        TemplateKind::Primitive,
        TemplateKind::Peers,
    ];

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            TemplateKind::AbTest => "ab",
            TemplateKind::Ladder => "ladder",
            TemplateKind::Contract => "contract",
            TemplateKind::Speculation => "speculation",
            TemplateKind::Primitive => "primitive",
            TemplateKind::Peers => "peers",
        }
    }

    /// The kind of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<TemplateKind> {
        TemplateKind::ALL.iter().copied().find(|kind| kind.name() == name)
    }
}

/// A commented manifest that passes `check`.
#[must_use]
pub fn template(kind: TemplateKind, id: &ExperimentId) -> String {
    let text = match kind {
        TemplateKind::AbTest => include_str!("templates/ab.toml"),
        TemplateKind::Ladder => include_str!("templates/ladder.toml"),
        TemplateKind::Contract => include_str!("templates/contract.toml"),
        TemplateKind::Speculation => include_str!("templates/speculation.toml"),
        TemplateKind::Primitive => include_str!("templates/primitive.toml"),
        TemplateKind::Peers => include_str!("templates/peers.toml"),
    };
    text.replace("the-id", id.as_str())
}
