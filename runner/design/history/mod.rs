//! The search for the commit that changed a metric: what is measured next, and what each step is.

mod search;
mod step;

pub use search::{Commit, Found, Next, Search, Step, most_steps};
pub use step::{CommitOfStep, step_plan};
