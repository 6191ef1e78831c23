//! From a plan to a schedule, its cost and what it can show.

mod balance;
mod cost;
pub mod history;
mod noise;
mod operating;
mod reach;
mod resolution;
mod schedule;
mod simulation;
mod time;
mod variation;

#[cfg(test)]
mod operating_tests;
#[cfg(test)]
mod reach_tests;
#[cfg(test)]
mod schedule_tests;
#[cfg(test)]
pub(crate) mod test_plan;

pub use crate::rule::{AA_CONFIDENCE_PERCENT, FEWEST_ROUNDS};
pub use balance::balanced_orders;
pub use cost::{Cost, cost};
pub use noise::rounds_for_margin;
#[cfg(test)]
pub(crate) use operating::operating_by;
pub use operating::{NoiseOrigin, Operating, OperatingRow, PlannedLook, operating};
pub use reach::{Aim, REQUIRED_CHANCE, Reach, Reachable, reach};
pub use resolution::{Resolution, Resolved, Shortfall};
pub use schedule::{Block, Round, Schedule, schedule};
pub use simulation::{Chances, NotSimulated};
pub use time::{MeasuredRun, TimeEstimate, estimated_time};
