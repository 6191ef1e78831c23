//! Sealed records and the ledger.

mod confirm;
mod difference;
mod entry;
mod frozen;
mod hash;
mod identity;
mod ledger;
mod provenance;
mod registered;
mod runs;
mod store;

pub use entry::{ENTRY_VERSION, Entry, EntryBody, Registration};
pub use frozen::{Frozen, FrozenEngine, FrozenInputs, FrozenModel, worker_name};
pub use hash::{BadHash, ContentHash, EntryHash, RunName};
pub use identity::{ManifestHash, QuestionKey};
pub use ledger::{
    NewRegistration, PriorExperiment, RegistrationOutcome, find_registration, heads,
    ledger_folder, prior_experiments, read_ledger, register,
};
pub use provenance::{
    EngineProvenance, FactChange, MachineFacts, ModelProvenance, Moment, Provenance, Regime,
    RepositoryProvenance, RunnerProvenance, WorkloadProvenance,
};
pub use registered::{Circumstances, CommitState, Registered};
pub use runs::{
    JOURNAL_FILE, LEDGER_FOLDER, RECORD_FILE, RunFolder, RunState, experiment_folder, experiments,
    run_folder, runs_of,
};
pub use store::PARTIAL;
