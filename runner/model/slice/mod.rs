//! The first layers of a model as a model of its own: what drafts for the whole one, and what arms
//! load that are to run fewer layers.

mod cut;
mod description;
mod kept;

pub use kept::{SliceFile, slice};
