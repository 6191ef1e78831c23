//! What a number of values can show, by integration over the spread that will be found.

mod chances;
mod over_spread;
mod paired_t;
mod rounds;

pub use chances::{DecisionChances, decision_chances, equivalence_power};
pub use paired_t::{paired_t_power, paired_t_resolvable_effect, paired_t_sample_size};
pub use rounds::{resolvable_effect, rounds_for_level, rounds_for_win};
