//! From a plan to a schedule, its cost and what it can resolve.

mod balance;
mod cost;
mod noise;
mod reach;
mod schedule;
mod simulation;

#[cfg(test)]
mod schedule_tests;
#[cfg(test)]
pub(crate) mod test_plan;

pub use balance::balanced_orders;
pub use cost::{Cost, cost};
pub use noise::{FEWEST_ROUNDS, rounds_for_margin};
pub use reach::{Aim, REQUIRED_CHANCE, Reach, Reachable, reach};
pub use schedule::{Block, Round, Schedule, schedule};
pub use simulation::AA_CONFIDENCE_PERCENT;
