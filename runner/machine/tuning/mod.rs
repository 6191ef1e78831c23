//! Changing what may be changed to make a machine steadier, and putting it back exactly: old values
//! lie in a journal before anything is written.

mod apply;
mod journal;
mod restore;
mod wanted;
mod write;

pub use apply::{Applied, apply};
pub use restore::{Restored, restore};
pub use write::Refused;

#[cfg(test)]
mod tests;
