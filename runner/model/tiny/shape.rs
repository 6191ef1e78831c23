//! The built-in models by their sizes.

use super::super::experts::Experts;

/// `builtin-tiny` in the catalogue.
pub const TINY_NAME: &str = "builtin-tiny";
/// `builtin-tiny-experts` in the catalogue.
pub const TINY_EXPERTS_NAME: &str = "builtin-tiny-experts";

/// A model's sizes.
#[derive(Debug, Clone, Copy)]
pub(in crate::model) struct Shape {
    /// In the catalogue and in the file.
    pub(super) name: &'static str,
    /// Arbitrary. Another seed is another model, with another hash.
    pub(super) seed: u8,
    pub(super) embedding: usize,
    pub(super) layers: usize,
    pub(super) heads: usize,
    pub(super) kv_heads: usize,
    /// Of an expert, where there are experts.
    pub(super) feed_forward: usize,
    /// How strongly a token's followers are preferred.
    pub(super) follower_gain: f64,
    pub(super) experts: Option<Experts>,
}

impl Shape {
    /// Values of a head.
    pub(super) fn head(&self) -> usize {
        self.embedding / self.heads
    }
}

/// A small dense model. Followers get a logit of about 6 over noise of about 1; found by trial:
/// greedy text of 512 tokens does not repeat itself.
pub(in crate::model) const TINY: Shape = Shape {
    name: TINY_NAME,
    seed: 29,
    embedding: 256,
    layers: 4,
    heads: 8,
    kv_heads: 4,
    feed_forward: 512,
    follower_gain: 0.6,
    experts: None,
};

/// A small mixture of experts: of 8 feed-forward parts in each layer, two work on a token. Narrower
/// than the dense one, so that it has a few hundred kilobytes; the preference is raised by as much
/// as the root of the width falls, to keep its logit.
pub(in crate::model) const TINY_EXPERTS: Shape = Shape {
    name: TINY_EXPERTS_NAME,
    seed: 31,
    embedding: 64,
    layers: 2,
    heads: 2,
    kv_heads: 1,
    feed_forward: 64,
    follower_gain: 1.2,
    experts: Some(Experts { count: 8, used: 2 }),
};
