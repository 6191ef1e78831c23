//! What a run's figures are held against: the machine's stored bounds, proven to be able to fail
//! before the first block, and the traffic of what each arm loaded.

use std::collections::BTreeMap;
use std::path::Path;

use engine_protocol::{KvType, Settings};

use super::context::ArmWorker;
use super::machine_root::{machine_name, machine_root};
use super::prepare::Prepared;
use crate::failure::Failure;
use crate::machine::Facts;
use crate::manifest::{Arm, Plan};
use crate::model::{self, Traffic};
use crate::project::Project;
use crate::record::read_bounds;
use crate::verdict::{ArmTraffic, BoundsEvidence, BoundsProof, MachineBounds, bounds_proof};

/// Upstream's type of cached keys and values where none is asked for.
const DEFAULT_KV_TYPE: KvType = KvType::F16;

/// The machine's side of the evidence.
#[derive(Debug, Clone)]
pub(super) struct RunBounds {
    machine: Option<MachineBounds>,
    unknown: Vec<String>,
    proof: BoundsProof,
}

impl RunBounds {
    /// Reads what is stored for this machine, and lets a value that cannot be go through the check.
    ///
    /// # Errors
    /// Refused when the check lets it pass; failed when stored bounds cannot be read.
    pub(super) fn prepare(plan: &Plan, project: &Project) -> Result<RunBounds, Failure> {
        let name = machine_name(&Facts::read(&machine_root()));
        let (machine, unknown) = match read_bounds(project, &name)? {
            Some(stored) => {
                let (machine, unknown) = stored.largest();
                (Some(machine), unknown)
            }
            None => (None, Vec::new()),
        };
        let proof = bounds_proof(plan, machine.as_ref()).map_err(|why| {
            Failure::refused(format!("the check of bounds is broken: {why}"))
                .hint("this is a fault of the program: nothing that it measures can be trusted")
        })?;
        Ok(RunBounds { machine, unknown, proof })
    }

    /// The whole evidence, once it is known what each arm loaded.
    pub(super) fn evidence(
        self,
        plan: &Plan,
        prepared: &Prepared,
        workers: &[ArmWorker],
    ) -> BoundsEvidence {
        let mut unknown = self.unknown;
        let mut arms = Vec::new();
        let mut known: BTreeMap<&Path, Result<Traffic, String>> = BTreeMap::new();
        for arm in &plan.arms {
            // the file that the arm loads: a form or a slice of the model where it asks for one
            let Some((path, _)) = prepared.file_of(plan, arm) else { continue };
            let found = known.entry(path).or_insert_with(|| traffic(path));
            let settings = effective(plan, arm, workers);
            match found {
                _ if plan.peer_of(arm).is_some_and(|peer| !peer.alternates()) => {
                    unknown.push(format!(
                        "the bounds of `{}`: what another engine reads and computes is not counted",
                        arm.name
                    ))
                }
                _ if settings.gpu_layers.is_some_and(|layers| layers > 0) => unknown.push(format!(
                    "the bounds of `{}`: it computes on a device, of which none are measured",
                    arm.name
                )),
                Ok(traffic) => arms.extend(of_arm(plan, arm, traffic, &settings)),
                Err(why) => unknown.push(format!("what `{}` must read: {why}", arm.name)),
            }
        }
        BoundsEvidence { machine: self.machine, traffic: arms, unknown, proof: self.proof }
    }
}

fn traffic(path: &Path) -> Result<Traffic, String> {
    model::inspect(path).map_err(|failure| failure.what).and_then(|facts| model::traffic(&facts))
}

/// Settings as the worker said that they are in effect, over those that were asked for.
fn effective(plan: &Plan, arm: &Arm, workers: &[ArmWorker]) -> Settings {
    let asked = plan.settings_of(arm);
    let worker = workers.iter().find(|worker| worker.arm == arm.name.as_str());
    match worker.and_then(|worker| worker.loaded.as_ref()) {
        Some(loaded) => asked.overlaid(&loaded.effective),
        None => asked,
    }
}

/// One for each condition value.
fn of_arm(plan: &Plan, arm: &Arm, traffic: &Traffic, settings: &Settings) -> Vec<ArmTraffic> {
    let type_name = |kind: Option<KvType>| {
        let name = serde_json::to_value(kind.unwrap_or(DEFAULT_KV_TYPE)).unwrap_or_default();
        name.as_str().unwrap_or_default().to_owned()
    };
    let keys = type_name(settings.kv_key_type);
    let values = type_name(settings.kv_value_type);
    let of_condition = |(condition, value): (usize, Option<u32>)| {
        let depth = u64::from(plan.depth_at(value));
        let kv_bytes = traffic.cache.and_then(|cache| cache.bytes(depth, &keys, &values));
        ArmTraffic {
            arm: arm.name.to_string(),
            condition: condition as u32,
            block_bytes: traffic.block_bytes,
            output_bytes: traffic.output_bytes,
            // a lower bound: what is not known is not held against anybody
            kv_bytes: kv_bytes.unwrap_or(0),
            operations: traffic.operations,
            last_operations: traffic.last_operations,
            micro_batch_tokens: settings.micro_batch_tokens,
            sequences: plan.slots_of(arm),
        }
    };
    plan.condition_values().into_iter().enumerate().map(of_condition).collect()
}
