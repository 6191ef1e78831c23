//! Sealed records and the ledger.

mod adopt;
mod amend;
mod append;
mod attempt;
mod claims;
mod cluster_job;
mod collect;
mod confirm;
mod counterparts;
mod deviate;
mod difference;
mod entries;
mod entry;
#[cfg(test)]
mod entry_vector_tests;
mod environment_provenance;
#[cfg(test)]
pub(crate) mod example;
mod figure_state;
mod files;
mod finite;
mod floor;
mod floor_check;
mod frozen;
mod hash;
mod history;
mod hosts;
mod identity;
mod imported;
mod index_file;
mod judge_again;
mod ledger;
#[cfg(test)]
mod ledger_tests;
mod life;
mod list;
mod list_cache;
#[cfg(test)]
mod list_cache_tests;
mod machine_bounds;
mod machine_facts;
mod manifest_source;
mod overrule;
mod parallel;
mod pilots;
mod plans;
mod prior;
mod prior_art;
mod privacy;
mod provenance;
mod provenance_parts;
mod publishable;
mod read;
mod reference;
mod register;
mod registered;
mod retract;
mod runs;
mod samples;
mod scheduler_provenance;
mod seal;
mod seal_line;
#[cfg(test)]
mod seal_tests;
mod sealed;
mod stale;
mod store;
#[cfg(test)]
mod vector_tests;
mod verify;
mod verify_entries;
mod verify_index;
mod verify_record;
mod versions;
mod withdraw;

pub use crate::manifest::{ManifestHash, QuestionKey};
pub use adopt::{AdoptedLedger, adopt_ledger};
pub use amend::{AmendReason, NewAmendment, amend, check_amendable};
pub use append::Appended;
pub use attempt::{earlier_runs, earlier_runs_anywhere};
pub use claims::{SealedClaim, sealed_claims, verdict_word};
pub use cluster_job::{
    ClusterJob, JOB_VERSION, JobFolder, jobs_folder, jobs_of, own_job, results_beside, taken_names,
};
pub use collect::{collect, finished_records, run_of_job};
pub use counterparts::{Counterpart, Counterparts, counterparts, registered_plan};
pub use deviate::{NewDeviation, deviate};
pub use entries::{
    Amendment, Deviation, DeviationOutcome, FloorAnchor, FloorDistribution, FloorName, Overruling,
    Registration, Retraction, StaleFact, StaleMark, Withdrawal,
};
pub use entry::{ENTRY_VERSION, Entry, EntryBody};
pub use environment_provenance::EnvironmentProvenance;
pub use figure_state::{FigureState, comparison_state, record_state};
pub use files::record_files;
pub use floor::{FEWEST_ROUNDS, Floor, FloorRequest, anchor, floors};
pub use floor_check::{FloorCheck, FloorOutcome, floor_check};
pub use frozen::{
    Frozen, FrozenArmInputs, FrozenDrafter, FrozenEngine, FrozenForm, FrozenHistory, FrozenInputs,
    FrozenModel, FrozenSlice, HistoryStep, worker_name,
};
pub use hash::{BadHash, ContentHash, EntryHash, RunName};
pub use history::{
    HISTORY_FILE, HISTORY_PAGE, HistoryCommit, HistoryOutcome, HistoryStepResult, SearchedHistory,
    SkippedCommit, read_history, store_history,
};
pub use hosts::{
    ArmPlacement, HostPlace, HostProvenance, SERVER_FACTS_VERSION, ServerFacts, ServerProcess,
    host_name,
};
pub use imported::{
    Better, FEWEST_FOR_INTERVAL, IMPORTED_FOLDER, IMPORTED_VERSION, ImportRow, Imported,
    ImportedSample, ImportedSamples, ImportedSource, NewImport, NewSeries, OneSide, Parallel,
    Series, SeriesKind, Shape, StoredImport, Unpaired, imports, model_of_plan, parallels,
    read_import, same_model, sides_of_import, sides_of_record, store_import,
};
pub use index_file::write_file;
pub use judge_again::{evidence_of, judge_again};
pub use ledger::{heads, ledger_folder, read_ledger};
pub use life::{ComparisonState, Dated, Life, LooksBefore, life};
pub use list::{
    FinishedSummary, Listing, RunSummary, SummaryRow, SummaryState, list, list_with_cache,
};
pub use machine_bounds::{
    ArithmeticFigure, Distribution, MACHINES_FOLDER, MemoryFigure, StoredBounds, read_bounds,
    store_bounds,
};
pub use machine_facts::{UNKNOWN, machine_facts};
pub use manifest_source::ManifestSource;
pub use overrule::{Decided, overrule};
pub use pilots::{
    PILOTS_FOLDER, PilotEffect, StoredPilot, pilot_names, pilots_on, read_pilot, store_pilot,
};
pub use plans::records_where;
pub use prior::{PriorExperiment, experiment_number, prior_experiments};
pub use prior_art::{
    Found, ImportFound, Nearness, Outcome, PriorArtFound, PriorArtList, prior_art,
};
pub use privacy::without_private_paths;
pub use provenance::{
    ArmInputsProvenance, EngineProvenance, FactChange, FormProvenance, MachineFacts,
    ModelProvenance, Moment, Provenance, Regime, RepositoryProvenance, RunnerProvenance,
    SliceProvenance, WorkloadProvenance,
};
pub use provenance_parts::{ProvenanceParts, STACK_MACHINE_FACTS};
pub use publishable::publishable_facts;
pub use read::{Head, HeadComparison, MANIFEST_FILE, PROVENANCE_FILE, TABLE_FILE, read};
pub use reference::RecordName;
pub use register::{NewRegistration, RegistrationOutcome, find_registration, register};
pub use registered::{Circumstances, CommitState, Registered};
pub use retract::{Strike, retract};
pub use runs::{
    JOURNAL_FILE, LEDGER_FOLDER, RECORD_FILE, RunFolder, RunState, experiment_folder, experiments,
    run_folder, runs_of,
};
pub use samples::samples;
pub use scheduler_provenance::SchedulerProvenance;
pub use seal::{NewRecord, RECORD_BYTES, SealRequest, seal};
pub use sealed::{EarlierRun, EarlierVerdict, RECORD_VERSION, Record, SamplesSeal, Sealed};
pub use stale::{
    StackNow, StaleCheck, StaleChecks, StaleScope, StaleStep, mark_stale, stale_checks,
};
pub use store::PARTIAL;
pub use verify::{Checks, Finding, INDEX_FILE, Severity, passes, verify};
pub use versions::{FrozenVersions, frozen_versions};
pub use withdraw::withdraw;
