//! Error rates when the samples are looked at more than once.

mod boundaries;
mod classical;
mod crossing;
mod fault;
mod mixture;
mod spending;
mod stagewise;

#[cfg(test)]
mod published_tests;

pub use boundaries::{FARTHEST_BOUNDARY, boundaries_of_spending};
pub use classical::{obrien_fleming_boundaries, pocock_boundaries};
pub use crossing::{Continuation, Crossing, crossing_probabilities};
pub use fault::SequentialFault;
pub use mixture::{mixture_bound, mixture_rho};
pub use spending::{obrien_fleming_spending, pocock_spending};
pub use stagewise::{StagewiseEstimate, stagewise_estimate};
