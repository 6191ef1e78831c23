//! Reads a manifest where it stands: connects the language to the project's workloads, models and
//! stored runs.

mod manifest;
mod noise;
mod stored_plan;

pub use manifest::{ReadManifest, Unreadable, read_manifest};
