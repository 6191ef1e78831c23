//! The run: gate, workers, blocks, journal. The only place that starts a process.

mod after_timing;
mod block;
mod block_decode;
mod block_prefill;
mod clock;
mod conduct;
mod context;
mod contract_fork;
mod contract_identical;
mod contract_logits;
mod contract_rows;
mod contract_texts;
mod contracts;
mod crew;
mod desk;
mod entry;
mod environment;
mod executable;
mod execute;
mod fault;
mod fetch;
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
mod lengths;
mod limits;
mod lock;
mod logits_file;
mod machine_gate;
mod memory_kills;
mod natural_text;
mod observer;
mod pilot;
mod pilot_look;
mod pilot_plan;
mod preflight;
mod prepare;
mod process;
mod provenance;
mod quiet;
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

pub use conduct::{Conduct, conduct};
pub use context::{ArmWorker, FinishedRun, Inputs, Item, RunContext};
pub use entry::{
    BlockDone, Entry, JOURNAL_FORMAT, Line, Opened, OutputCheck, Preflight, Reference, Resumed,
    WorkerStarted,
};
pub use executable::{Executables, KeptExecutable};
pub use fetch::fetch_model;
pub use gate::{Gate, GateOutcome, OpenGate};
pub use git::{GitFacts, git_facts, is_uncommitted};
pub use greet::{TokenisedInputs, greet, plan_tokens};
pub use identity::ProcessIdentity;
pub use lengths::check_lengths;
pub use limits::RequestLimits;
pub use machine_gate::MachineGate;
pub use observer::{Event, Observer, Phase, Silent};
pub use pilot::run_pilot;
pub use pilot_look::{Pilot, PilotArm, PilotResult, PilotWork, pilot};
pub use prepare::{Prepared, executables, workers};
pub use provenance::{BuildStamp, circumstances};
pub use quiet::{MachineQuiet, machine_quiet};
pub use registered_run::run;

#[cfg(test)]
mod tests;
