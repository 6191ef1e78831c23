//! Sets of inputs: those built into the program, a project's own, and the hash that freezes them.

mod canonical;
mod embedded;
mod format;
mod load;
mod set;

pub use embedded::{EMBEDDED_NAMES, embedded_text};
pub use load::{built_in, load};
pub use set::{InputSet, Item, JOINT, SetHash};
