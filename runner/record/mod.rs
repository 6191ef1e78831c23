//! Sealed records and the ledger.

mod adopt;
mod attempt;
mod claims;
mod confirm;
mod counterparts;
mod difference;
mod entry;
mod environment_provenance;
#[cfg(test)]
pub(crate) mod example;
mod files;
mod finite;
mod frozen;
mod hash;
mod history;
mod identity;
mod imported;
mod index_file;
mod ledger;
#[cfg(test)]
mod ledger_tests;
mod list;
mod machine_bounds;
mod machine_facts;
mod manifest_source;
mod pilots;
mod plans;
mod privacy;
mod provenance;
mod provenance_parts;
mod publishable;
mod read;
mod registered;
mod runs;
mod samples;
mod seal;
mod seal_line;
#[cfg(test)]
mod seal_tests;
mod sealed;
mod store;
#[cfg(test)]
mod vector_tests;
mod verify;
mod verify_index;
mod verify_record;

pub use crate::manifest::{ManifestHash, QuestionKey};
pub use adopt::{AdoptedLedger, adopt_ledger};
pub use attempt::earlier_runs;
pub use claims::{SealedClaim, sealed_claims, verdict_word};
pub use counterparts::{Counterpart, Counterparts, counterparts, registered_plan};
pub use entry::{ENTRY_VERSION, Entry, EntryBody, Registration};
pub use environment_provenance::EnvironmentProvenance;
pub use files::record_files;
pub use frozen::{
    Frozen, FrozenArmInputs, FrozenDrafter, FrozenEngine, FrozenForm, FrozenHistory, FrozenInputs,
    FrozenModel, FrozenSlice, HistoryStep, worker_name,
};
pub use hash::{BadHash, ContentHash, EntryHash, RunName};
pub use history::{
    HISTORY_FILE, HISTORY_PAGE, HistoryCommit, HistoryOutcome, HistoryStepResult, SearchedHistory,
    SkippedCommit, read_history, store_history,
};
pub use imported::{
    Better, FEWEST_FOR_INTERVAL, IMPORTED_FOLDER, IMPORTED_VERSION, ImportRow, Imported,
    ImportedSample, ImportedSamples, ImportedSource, NewImport, NewSeries, OneSide, Parallel,
    Series, SeriesKind, Shape, StoredImport, Unpaired, imports, parallels, read_import,
    sides_of_import, sides_of_record, store_import,
};
pub use index_file::write_index;
pub use ledger::{
    NewRegistration, PriorExperiment, RegistrationOutcome, experiment_number, find_registration,
    heads, ledger_folder, prior_experiments, read_ledger, register,
};
pub use list::{FinishedSummary, Listing, RunSummary, SummaryRow, SummaryState, list};
pub use machine_bounds::{
    ArithmeticFigure, Distribution, MACHINES_FOLDER, MemoryFigure, StoredBounds, read_bounds,
    store_bounds,
};
pub use machine_facts::{UNKNOWN, machine_facts};
pub use manifest_source::ManifestSource;
pub use pilots::{
    PILOTS_FOLDER, PilotEffect, StoredPilot, pilot_names, pilots_on, read_pilot, store_pilot,
};
pub use plans::records_where;
pub use privacy::without_private_paths;
pub use provenance::{
    ArmInputsProvenance, EngineProvenance, FactChange, FormProvenance, MachineFacts,
    ModelProvenance, Moment, Provenance, Regime, RepositoryProvenance, RunnerProvenance,
    SliceProvenance, WorkloadProvenance,
};
pub use provenance_parts::{ProvenanceParts, STACK_MACHINE_FACTS};
pub use publishable::publishable_facts;
pub use read::{Head, HeadComparison, MANIFEST_FILE, PROVENANCE_FILE, TABLE_FILE, read};
pub use registered::{Circumstances, CommitState, Registered};
pub use runs::{
    JOURNAL_FILE, LEDGER_FOLDER, RECORD_FILE, RunFolder, RunState, experiment_folder, experiments,
    run_folder, runs_of,
};
pub use samples::samples;
pub use seal::{NewRecord, RECORD_BYTES, SealRequest, seal};
pub use sealed::{EarlierRun, EarlierVerdict, RECORD_VERSION, Record, SamplesSeal, Sealed};
pub use store::PARTIAL;
pub use verify::{Checks, Finding, INDEX_FILE, Severity, passes, verify};
