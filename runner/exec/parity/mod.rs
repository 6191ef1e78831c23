//! Drives a worker through what `parity` asks, golden by golden.

mod ask;
mod controls;
mod floats;
mod forms;
mod gates;
mod run;
mod session;
mod slots;
mod weights;

pub use ask::{ParityAsk, ParityPart};
pub use run::parity;
