//! Sets of inputs: those built into the program, a project's own, the hash that freezes them, and
//! what each is fit for.

mod buffers;
pub mod calibration;
mod canonical;
mod embedded;
mod format;
mod load;
mod names;
mod set;

pub use embedded::{EMBEDDED_NAMES, embedded_text};
pub use load::{built_in, load};
pub use names::set_names;
pub use set::{InputSet, Item, JOINT, SetHash};
