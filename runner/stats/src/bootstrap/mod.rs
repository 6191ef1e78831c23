//! The bootstrap: intervals from resampling units of analysis.

mod interval;
mod means;
mod places;
mod resampling;
#[cfg(test)]
mod tests;

pub use interval::ResampledInterval;
pub use resampling::{Bootstrap, NoBootstrap, Resampling};
