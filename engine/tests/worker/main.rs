//! The worker as a process, over pipes, with a real engine and a real model.
//!
//! The model is the GGUF file that `RUNNER_TEST_MODEL` names. Without it these tests do nothing on
//! a developer's machine, and fail where `CI` is `true`.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail the test that called them"
)]

mod blocks;
mod conversation;
mod faults;
mod gguf;
mod loading;
mod logits;
mod observe;
mod operations;
mod primitive;
mod requantise;
mod side_by_side;
mod slots;
mod speculation;
mod weights;
