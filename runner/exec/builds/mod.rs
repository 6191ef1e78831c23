//! Builds of the engine: made where they are missing, found where they are there.
//!
//! A build is a worker in the cache, in a folder named by a hash of all that it is made of: the
//! worker's own sources (part of this program), the engine's sources, compilers, flags, and the
//! processor where its own instruction set is meant.

mod cargo;
mod embedded;
mod export;
mod identity;
mod instruction_set;
mod libraries;
mod place;
mod ready;
mod refusals;
mod source;
mod stand_in;

pub use place::BuiltWorker;
pub use ready::{BuildStep, BuildWatcher, build, built, ready, ready_for};
pub use source::commit_of;

pub(super) use instruction_set::require;
pub(super) use ready::{Attempt, attempt};
pub(super) use source::GIT_LIMIT;
pub(super) use stand_in::{MADE_BY, stand_in};
