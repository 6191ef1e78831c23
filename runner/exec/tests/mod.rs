//! Whole runs with real processes of the fake worker (`tests/programs/fake_worker`). It is an example:
//! `cargo test -p runner` builds it, `cargo test -p runner --lib` alone does not.

mod faults;
mod greeting;
mod identical;
mod interruptions;
mod kills;
mod logits;
mod looks;
mod refusals;
mod registered;
mod stage;
mod whole;
