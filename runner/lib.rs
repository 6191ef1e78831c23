//! Pre-registered, paired experiments on LLM inference engines.
//!
//! The folders read as the pipeline: a manifest becomes a checked plan, a plan a schedule, a
//! registered plan a run, a run's samples an analysis with verdicts, and those a sealed record.
//! The library neither prints nor exits; `docs/architecture.md` has the map.

pub mod audit;
pub mod bisect;
pub mod builds;
pub mod design;
pub mod exec;
pub mod failure;
pub mod golden;
pub mod import;
pub mod machine;
pub mod manifest;
pub mod model;
pub mod parity;
pub mod project;
pub mod reading;
pub mod record;
pub mod report;
pub mod rule;
pub mod verdict;
pub mod workload;

/// Numbers in, numbers out: a crate of its own, since it is compiled for speed.
pub use experiment_statistics as stats;
pub use failure::{Failure, FailureKind};
