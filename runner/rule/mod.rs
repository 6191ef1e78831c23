//! The registered rule as numbers: when it looks, how wide its intervals are then, and what an
//! interval decides. The judgement, the run's stopping and every simulation call this same code.

mod confidence_sequence;
mod decision;
mod floor;
mod futility;
mod group_sequential;
mod ladder;
mod look_verdict;
mod looks;
mod registered;

#[cfg(test)]
mod error_rate_tests;

pub use decision::{Decision, decide};
pub use floor::{AA_CONFIDENCE_PERCENT, AaState, aa_state};
pub use futility::{Course, chance_of_decision};
pub use ladder::{Bought, Missed, Stopping, later_step, missed, stopping};
pub use look_verdict::{LookOutcome, LookVerdict, at_look, at_look_with};
pub use looks::{EARLIEST_LOOK, EARLIEST_SEQUENCE_LOOK, FEWEST_ROUNDS, Look, LookFault, looks};
pub use registered::RegisteredRule;
