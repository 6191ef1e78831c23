//! What a machine can do at most, measured: memory bandwidth by working-set size, copying,
//! multiply-adds by type, steps of the timer; and a canary, a fixed piece of work that shows how
//! evenly the machine runs.
//!
//! Nothing here reads a clock of its own: one is handed in ([`Clock`]). Nothing is judged and
//! nothing is stored. Each measurement gives all its repetitions, never a single number.
//!
//! What a bound needs is that no true value passes it. So each probe is the plainest loop that
//! keeps the hardware busy, compiled for the widest instructions that this processor has (chosen
//! when it runs), and its work is consumed, so that no compiler can leave it out.

mod arithmetic;
mod canary;
mod clock;
mod copy;
mod integers;
mod read;
mod repeat;
mod timer;

pub use arithmetic::{Operand, instructions, multiply_adds};
pub use canary::{Canary, CanaryReading};
pub use clock::Clock;
pub use copy::copy;
pub use read::read;
pub use timer::timer_steps;
