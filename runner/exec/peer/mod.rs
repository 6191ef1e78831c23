//! Another engine behind the worker protocol: a process that answers like a worker and asks a command
//! or a server for each piece of work. `exec` starts it like any worker, so that limits, faults and
//! the order of blocks are those of every arm.
//!
//! What it cannot do, it says: no logits, no operations, no bytes, no token ids.

mod adapter;
mod answer;
mod arguments;
mod child;
mod command;
mod completion;
mod files;
mod greeting;
mod llama_bench;
mod load;
mod openai;
mod printed;
mod requests;
mod server;
mod sizes;
mod spec;
mod stream;

pub use adapter::serve;
pub(super) use files::files_of;
pub(super) use load::fresh;
pub use spec::PeerSpec;
