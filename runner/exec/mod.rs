//! The run: gate, workers, blocks, journal. The only place that starts a process.

mod block;
mod block_decode;
mod block_prefill;
mod clock;
mod context;
mod contract_identical;
mod contract_logits;
mod contracts;
mod crew;
mod desk;
mod entry;
mod environment;
mod executable;
mod execute;
mod fault;
mod finish;
mod gate;
mod generate;
mod git;
mod greet;
mod identity;
mod idle;
mod interrupt;
mod job;
mod journal;
mod limits;
mod lock;
mod logits_file;
mod machine_gate;
mod memory_kills;
mod observer;
mod pilot;
mod preflight;
mod process;
mod references;
mod registered_run;
mod rounds;
mod run;
mod state;
mod stop;
mod tail;
mod texts;
pub mod tool;
mod worker;

pub use context::{ArmWorker, FinishedRun, Inputs, Item, RunContext};
pub use entry::{
    BlockDone, Entry, JOURNAL_FORMAT, Line, Opened, OutputCheck, Preflight, Reference, Resumed,
    WorkerStarted,
};
pub use executable::{Executables, KeptExecutable};
pub use gate::{Gate, GateOutcome, OpenGate};
pub use git::{GitFacts, git_facts, is_uncommitted};
pub use greet::{TokenisedInputs, greet, plan_tokens};
pub use identity::ProcessIdentity;
pub use limits::RequestLimits;
pub use machine_gate::MachineGate;
pub use observer::{Event, Observer, Phase, Silent};
pub use pilot::run_pilot;
pub use registered_run::run;

#[cfg(test)]
mod tests;
