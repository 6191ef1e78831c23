//! A registered experiment as jobs of an existing Slurm cluster: one job for each partition, followed to
//! its end, and its record collected. Slurm alone schedules.

mod client;
mod collect;
mod end;
mod follow;
mod partition;
mod place;
mod quote;
mod script;
mod state;
mod submit;

pub use client::SlurmProgram;
pub use follow::{SlurmEvent, run_on_slurm};
pub use partition::Partition;
pub use submit::{JobEnd, SlurmAsk};
