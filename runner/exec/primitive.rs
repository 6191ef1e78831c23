//! What each arm computes of a primitive: resolved from the model's header, and counted by its worker
//! before anything is timed.

use std::collections::BTreeMap;
use std::path::PathBuf;

use engine_protocol::{Primitive, PrimitiveRequest, PrimitiveTimed};

use super::entry::Preflight;
use super::fault::WorkerError;
use super::preflight::ends;
use super::prepare::Prepared;
use super::run::Run;
use super::stop::Stop;
use super::texts::Texts;
use super::worker::Worker;
use crate::failure::Failure;
use crate::manifest::{Arm, Plan, TimedWork};
use crate::model::{self, Cut, described};
use crate::verdict::{ArmPrimitive, Engagement, condition_label};

/// By arm and condition.
type Primitives = BTreeMap<(usize, u32), Primitive>;

/// The primitives of all arms at all conditions, from the header of the model that each arm loads.
pub(super) fn of_all(run: &Run<'_, '_>) -> Result<Primitives, Failure> {
    let plan = run.job.plan;
    resolve(plan, &|arm| Ok(run.context.model_of(plan, arm)?.to_path_buf()))
}

/// What each arm computes, a line for each arm and condition; none where texts are worked on.
///
/// # Errors
/// Refused where a model does not say a size that is needed.
pub fn primitives_of(plan: &Plan, prepared: &Prepared) -> Result<Vec<String>, Failure> {
    if plan.workload.work.reads_text() {
        return Ok(Vec::new());
    }
    let file_of = |arm: &Arm| {
        // a form that is not made yet has the sizes of the file that it will be made of
        let file = prepared.forms.file_of(plan, arm, &prepared.model);
        Ok(file.map_or(prepared.model.path.as_path(), |file| file.0).to_path_buf())
    };
    let values = plan.condition_values();
    let line = |((arm, condition), primitive): ((usize, u32), Primitive)| {
        let value = values.get(condition as usize).copied().flatten();
        let label = condition_label(plan, value);
        let at = if label.is_empty() { label } else { format!(" at {label}") };
        let name = plan.arms.get(arm).map_or("", |arm| arm.name.as_str());
        format!("{name}{at}: {}", described(&primitive))
    };
    Ok(resolve(plan, &file_of)?.into_iter().map(line).collect())
}

fn resolve(
    plan: &Plan,
    file_of: &dyn Fn(&Arm) -> Result<PathBuf, Failure>,
) -> Result<Primitives, Failure> {
    let mut all = BTreeMap::new();
    for (index, arm) in plan.arms.iter().enumerate() {
        let facts = model::inspect(&file_of(arm)?)?;
        for (condition, value) in (0_u32..).zip(plan.condition_values()) {
            let TimedWork::Primitive { what, .. } = plan.work_at(value) else { continue };
            let cut = Cut { what, pieces: plan.pieces_of(arm), cells: plan.depth_at(value) };
            let primitive = model::primitive(&facts, cut, &plan.settings_of(arm))
                .map_err(|failure| failure.at(format!("arm `{}`", arm.name)))?;
            all.insert((index, condition), primitive);
        }
    }
    Ok(all)
}

/// Pieces of a primitive.
fn pieces(primitive: &Primitive) -> u64 {
    match primitive {
        Primitive::Copy { pieces } => pieces.len() as u64,
        Primitive::MatrixProduct { matrices, .. } => matrices.len() as u64,
        Primitive::Attention { pieces, .. } => u64::from(*pieces),
    }
}

/// Has an arm compute each of its primitives once, and keeps what its worker counted; whether the arm
/// is still there.
pub(super) fn look_at(
    run: &mut Run<'_, '_>,
    arm: usize,
    worker: &mut Worker,
    texts: &Texts,
    findings: &mut Preflight,
) -> Result<bool, Stop> {
    let Some(planned) = run.job.plan.arms.get(arm) else { return Ok(true) };
    let (name, cut) = (planned.name.to_string(), run.job.plan.pieces_of(planned));
    for condition in run.job.conditions() {
        let TimedWork::Primitive { buffers, .. } = run.job.work(condition) else { continue };
        let Some(primitive) = texts.primitives.get(&(arm, condition)) else { continue };
        let request = PrimitiveRequest {
            primitive: primitive.clone(),
            untimed_repetitions: 0,
            repetitions: 1,
            buffers,
            first_buffer: 0,
        };
        let asked = worker.primitive(request, run.call());
        let timed = match asked.and_then(|timed| whole(primitive, timed)) {
            Ok(timed) => timed,
            Err(error) => {
                ends(run, arm, Some(worker), &error)?;
                return Ok(false);
            }
        };
        findings.primitives.push(ArmPrimitive {
            arm: name.clone(),
            condition,
            pieces: cut,
            description: described(primitive),
            bytes_moved: timed.bytes_moved,
            operations: timed.operations,
            device: timed
                .evaluated
                .iter()
                .map(|one| one.device.as_str())
                .collect::<Vec<_>>()
                .join(", "),
            buffers: timed.buffers,
            buffer_bytes: timed.buffer_bytes,
            cache_bytes: timed.cache_bytes,
        });
        let known = findings.engagement.iter_mut().find(|known| known.arm == name);
        match known {
            Some(known) => known.operations.extend(timed.evaluated),
            None => findings
                .engagement
                .push(Engagement { arm: name.clone(), operations: timed.evaluated }),
        }
    }
    Ok(true)
}

/// As many operations ran as there are pieces, and something was moved.
fn whole(primitive: &Primitive, timed: PrimitiveTimed) -> Result<PrimitiveTimed, WorkerError> {
    let (asked, ran) =
        (pieces(primitive), timed.evaluated.iter().map(|one| one.count).sum::<u64>());
    if asked != ran {
        return Err(WorkerError::broken(format!(
            "it computed {ran} pieces of a primitive, {asked} were asked for"
        )));
    }
    if timed.bytes_moved == 0 {
        return Err(WorkerError::broken("it says that its primitive moved no byte".to_owned()));
    }
    Ok(timed)
}
