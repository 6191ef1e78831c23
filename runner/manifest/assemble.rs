//! The plan of a manifest in which nothing is wrong.

use super::checked::CheckedTable;
use super::draft::{self, ArmDraft, ArmOrigin, SettingsDraft};
use super::names::ExperimentId;
use super::plan::{
    Arm, Claim, Condition, ConditionSetting, Decision, Design, EngineBase, Gate, Ladder, Metric,
    MetricPlan, ModelChoice, Plan, PriorArt, WorkerChoice, Workload,
};
use super::rules::Found;

/// `None` when something was faulty or missing.
pub(super) fn assemble(root: &CheckedTable, arms: Vec<ArmDraft>, found: Found) -> Option<Plan> {
    let work = found.work?;
    let workload = root.table("workload")?;
    let design = root.table("design")?;
    let decision = root.table("decision")?;
    let ladder = match root.table("ladder") {
        None => None,
        Some(table) => Some(Ladder {
            setting: table.text("setting")?.value,
            arms: arms
                .iter()
                .filter(|arm| arm.from == ArmOrigin::Rung)
                .map(|arm| arm.name.as_ref().map(|name| name.value.clone()))
                .collect::<Option<Vec<_>>>()?,
        }),
    };
    Some(Plan {
        schema: root.whole32("schema")?.value,
        id: root.choice::<ExperimentId>("id")?.value,
        title: root.text("title")?.value,
        hypothesis: root.text("hypothesis")?.value,
        mechanism: root.text("mechanism").map(|mechanism| mechanism.value),
        prior_access: root.choice("prior_access")?.value,
        prior_art: root.tables("prior_art").iter().map(prior_art).collect::<Option<Vec<_>>>()?,
        engine: engine(root.table("engine")?)?,
        workload: Workload {
            inputs: workload.text("inputs")?.value,
            inputs_blake3: found.inputs_blake3?,
            class: workload.choice("class")?.value,
            work: work.work,
            depth_tokens: work.depth,
        },
        arms: arms.into_iter().map(arm).collect::<Option<Vec<_>>>()?,
        ladder,
        condition: match root.table("condition") {
            None => None,
            Some(table) => Some(condition(table)?),
        },
        metric: metric(root.table("metric")?)?,
        noise: found.noise?,
        design: Design {
            rounds: design.whole32("rounds")?.value,
            blocks_per_round: design.whole32("blocks_per_round")?.value,
            order_seed: design.whole("order_seed")?.value,
            input_scope: design.choice("input_scope")?.value,
        },
        stop: found.stop?,
        gate: gate(root.table("gate")?)?,
        decision: Decision {
            margin_percent: decision.real("margin_percent")?.value,
            confidence_percent: decision.real("confidence_percent")?.value,
            parked_resolution: decision.table("parked")?.text("resolution")?.value,
        },
        claim: claim(root.table("claim")?),
    })
}

fn prior_art(table: &CheckedTable) -> Option<PriorArt> {
    Some(PriorArt { record: table.text("record")?.value, scope: table.text("scope")?.value })
}

fn engine(table: &CheckedTable) -> Option<EngineBase> {
    let model = match table.text("model") {
        Some(name) => ModelChoice::Named(name.value),
        None => ModelChoice::File {
            path: table.text("model_file")?.value,
            sha256: table.text("model_sha256")?.value,
        },
    };
    Some(EngineBase {
        worker: draft::worker(table).map_or(WorkerChoice::Native, |worker| worker.value),
        model,
        form: table.choice("form").map(|form| form.value),
        settings: SettingsDraft::of(table).settings,
        freeze: table.choice("freeze")?.value,
    })
}

fn arm(draft: ArmDraft) -> Option<Arm> {
    Some(Arm {
        name: draft.name?.value,
        role: draft.role?.value,
        settings: draft.settings.settings,
        form: draft.form.map(|form| form.value),
        worker: draft.worker.map(|worker| worker.value),
        contracts: draft.contracts.into_iter().map(|contract| contract.value).collect(),
        expect: draft.expect,
        accepted_tokens_at_least: draft.expect_accepted.map(|least| least.value),
    })
}

fn condition(table: &CheckedTable) -> Option<Condition> {
    let values = table
        .list("values")?
        .value
        .iter()
        .map(|value| u32::try_from(value.value.scalar_json()?.as_u64()?).ok());
    Some(Condition {
        setting: table.choice::<ConditionSetting>("setting")?.value,
        values: values.collect::<Option<Vec<_>>>()?,
    })
}

fn metric(table: &CheckedTable) -> Option<MetricPlan> {
    let secondary = table.list("secondary").map(|list| list.value).unwrap_or_default();
    let secondary = secondary
        .iter()
        .map(|entry| serde_json::from_value::<Metric>(entry.value.scalar_json()?).ok());
    Some(MetricPlan {
        primary: table.choice("primary")?.value,
        secondary: secondary.collect::<Option<Vec<_>>>()?,
    })
}

fn gate(table: &CheckedTable) -> Option<Gate> {
    Some(Gate {
        others_cpu_percent: table.real("others_cpu_percent")?.value,
        pressure_percent: table.real("pressure_percent")?.value,
        wait_seconds: table.real("wait_seconds")?.value,
        contaminated_percent: table.real("contaminated_percent")?.value,
    })
}

fn claim(table: &CheckedTable) -> Claim {
    let wording = |key: &str| table.text(key).map(|text| text.value);
    Claim {
        win: wording("win"),
        loss: wording("loss"),
        level: wording("level"),
        parked: wording("parked"),
    }
}
