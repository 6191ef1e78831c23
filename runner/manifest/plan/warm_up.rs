//! How workers are warmed up before they are timed.

use serde::{Deserialize, Serialize};

/// When warming up is over. Without a rule one untimed piece of the work is done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum WarmUp {
    /// Pieces of the arm's own work are repeated until the medians of the last two windows differ
    /// by less than the tolerance.
    Stationary {
        /// Pieces in a window.
        window_pieces: u32,
        /// Greatest difference of the medians, percent of the earlier one.
        tolerance_percent: f64,
        /// After so many the run goes on, and says that the arm did not settle.
        at_most_pieces: u32,
    },
}
