//! The noise of stored runs, as a manifest may name it.

use sample_table::SampleRow;

use crate::manifest::{ExperimentId, NoNoise, NoiseFacts, NoiseSource, Plan, from_canonical};
use crate::project::Project;
use crate::record::{self, Record, RunName, RunState};
use crate::verdict::{ReasonCode, registered_noise};

/// The noise of a record or a pilot of the project.
pub(super) fn noise(project: &Project, source: &NoiseSource) -> Result<NoiseFacts, NoNoise> {
    match source {
        NoiseSource::Record(name) => of_record(project, name),
        NoiseSource::Pilot(name) => of_pilot(project, name),
    }
}

/// Names of all records, or of all pilots, that can be read.
pub(super) fn sources(project: &Project, source: &NoiseSource) -> Vec<String> {
    match source {
        NoiseSource::Pilot(_) => record::pilot_names(project).unwrap_or_default(),
        NoiseSource::Record(_) => record::experiments(project)
            .unwrap_or_default()
            .iter()
            .flat_map(|id| record::runs_of(project, id).unwrap_or_default())
            .filter(|run| run.state == RunState::Finished)
            .map(|run| format!("{}/{}", run.id, run.run))
            .collect(),
    }
}

fn of_record(project: &Project, name: &str) -> Result<NoiseFacts, NoNoise> {
    let unknown = |why: String| NoNoise::Unknown(why);
    let (id, run) =
        name.split_once('/').ok_or_else(|| unknown("a record is named `<id>/<run>`".to_owned()))?;
    let id = ExperimentId::try_from(id.to_owned()).map_err(|bad| unknown(bad.why))?;
    let run = RunName::try_from(run.to_owned()).map_err(|bad| unknown(bad.why))?;
    let runs = record::runs_of(project, &id).map_err(NoNoise::Unreadable)?;
    match runs.iter().find(|folder| folder.run == run).map(|folder| folder.state) {
        Some(RunState::Finished) => {}
        Some(_) => return Err(unknown("this run has not ended".to_owned())),
        None => return Err(unknown("`results/` has no such run".to_owned())),
    }
    let record = record::read(project, &id, &run).map_err(NoNoise::Unreadable)?;
    let rows = record::samples(project, &record).map_err(NoNoise::Unreadable)?;
    let contamination = contamination(&record);
    facts(record.plan, &rows, contamination)
}

fn of_pilot(project: &Project, name: &str) -> Result<NoiseFacts, NoNoise> {
    let run = RunName::try_from(name.to_owned()).map_err(|bad| NoNoise::Unknown(bad.why))?;
    let (pilot, rows) = record::read_pilot(project, &run)
        .map_err(NoNoise::Unreadable)?
        .ok_or_else(|| NoNoise::Unknown("`results/pilots/` has none of this name".to_owned()))?;
    let plan = from_canonical(&pilot.canonical_manifest).map_err(NoNoise::Unreadable)?;
    facts(plan, &rows, None)
}

fn facts(
    plan: Plan,
    rows: &[SampleRow],
    contamination: Option<String>,
) -> Result<NoiseFacts, NoNoise> {
    let noise = registered_noise(&plan, rows).ok_or(NoNoise::TooFewRounds)?;
    Ok(NoiseFacts {
        round_sd_percent: noise.round_sd_percent,
        block_sd_percent: noise.block_sd_percent,
        round_freedom: noise.round_freedom,
        upper_round_value_sd_percent: noise.upper_round_value_sd_percent,
        plan,
        contamination,
    })
}

/// The reason of the first comparison that other work made void.
fn contamination(record: &Record) -> Option<String> {
    let busy = |code: ReasonCode| {
        matches!(
            code,
            ReasonCode::NeverQuiet
                | ReasonCode::ContaminationDiffersByArm
                | ReasonCode::NoAcceptedBlock
                | ReasonCode::ContaminatedOverCap
        )
    };
    let comparisons = &record.sealed.analysis.comparisons;
    let busy = comparisons.iter().find(|comparison| busy(comparison.reason.code))?;
    Some(busy.reason.text.clone())
}
