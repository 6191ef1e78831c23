//! The plan of a manifest in which nothing is wrong.

use super::builds::Builds;
use super::checked::{Checked, CheckedTable};
use super::draft::{self, ArmDraft, ArmOrigin, SettingsDraft};
use super::language::LAYERS_KEY;
use super::names::ExperimentId;
use super::plan::{
    Arm, ArmInputs, BUFFERS, Budget, Claim, Condition, ConditionSetting, Decision, Design,
    EngineBase, Gate, History, Ladder, MeasurementClass, Metric, MetricPlan, ModelChoice, Pieces,
    Plan, PriorArt, RegimePlan, StackFact, StackPlan, WarmUp, WorkerChoice, Workload,
};
use super::rules::Found;

/// `None` when something was faulty or missing.
pub(super) fn assemble(
    root: &CheckedTable,
    arms: Vec<ArmDraft>,
    builds: &Builds,
    found: Found,
) -> Option<Plan> {
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
            stop: found.ladder_stop,
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
        engine: engine(root.table("engine")?, builds)?,
        workload: Workload {
            inputs: match work.work.reads_text() {
                true => workload.text("inputs")?.value,
                false => BUFFERS.to_owned(),
            },
            inputs_blake3: found.inputs_blake3?,
            class: match work.work.reads_text() {
                true => workload.choice("class")?.value,
                false => MeasurementClass::DenseThroughput,
            },
            work: work.work,
            depth_tokens: work.depth,
        },
        arms: arms
            .into_iter()
            .zip(found.arm_inputs)
            .map(|(draft, inputs)| arm(draft, inputs, work.work.reads_text()))
            .collect::<Option<Vec<_>>>()?,
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
        budget: root.table("budget").map(budget),
        warm_up: match root.table("warm_up") {
            None => None,
            Some(table) => Some(warm_up(table)?),
        },
        stack: root.table("stack").and_then(stack),
        regime: root.table("regime").and_then(regime),
        history: match root.table("history") {
            None => None,
            Some(table) => Some(history(table)?),
        },
    })
}

fn prior_art(table: &CheckedTable) -> Option<PriorArt> {
    Some(PriorArt { record: table.text("record")?.value, scope: table.text("scope")?.value })
}

fn engine(table: &CheckedTable, builds: &Builds) -> Option<EngineBase> {
    let model = match table.text("model") {
        Some(name) => ModelChoice::Named(name.value),
        None => ModelChoice::File {
            path: table.text("model_file")?.value,
            sha256: table.text("model_sha256")?.value,
        },
    };
    Some(EngineBase {
        worker: draft::worker(table, builds).map_or(WorkerChoice::Native, |worker| worker.value),
        model,
        form: table.choice("form").map(|form| form.value),
        layers: table.whole32(LAYERS_KEY).map(|layers| layers.value),
        settings: SettingsDraft::of(table).settings,
        freeze: table.choice("freeze")?.value,
        environment: draft::environment(table),
    })
}

fn arm(draft: ArmDraft, inputs: Option<ArmInputs>, reads_text: bool) -> Option<Arm> {
    Some(Arm {
        name: draft.name?.value,
        role: draft.role?.value,
        settings: draft.settings.settings,
        form: draft.form.map(|form| form.value),
        layers: draft.layers.map(|layers| layers.value),
        inputs,
        pieces: match reads_text {
            true => None,
            false => Some(draft.pieces.map_or(Pieces::One, |pieces| pieces.value)),
        },
        worker: draft.worker.map(|worker| worker.value),
        contracts: draft.contracts.into_iter().map(|contract| contract.value).collect(),
        expect: draft.expect,
        accepted_tokens_at_least: draft.expect_accepted.map(|least| least.value),
        expect_devices: draft.expect_devices,
        expect_buffers: draft.expect_buffers,
        environment: draft.environment,
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

fn budget(table: &CheckedTable) -> Budget {
    let most = |key: &str| table.whole(key).map(|most| most.value);
    let buffers = table.table("buffer").map(|buffers| buffers.values.keys());
    let of_type = buffers.into_iter().flatten().filter_map(|name| {
        let of_type = table.table("buffer")?.table(name)?;
        Some((name.clone(), of_type.whole("at_most_megabytes")?.value))
    });
    Budget {
        memory_megabytes: most("memory_megabytes"),
        arm_megabytes: most("arm_megabytes"),
        buffer_megabytes: of_type.collect(),
    }
}

fn warm_up(table: &CheckedTable) -> Option<WarmUp> {
    // the language has this rule alone
    table.text("rule")?;
    Some(WarmUp::Stationary {
        window_pieces: table.whole32("window_pieces")?.value,
        tolerance_percent: table.real("tolerance_percent")?.value,
        at_most_pieces: table.whole32("at_most_pieces")?.value,
    })
}

fn stack(table: &CheckedTable) -> Option<StackPlan> {
    let named = table.list("matters")?.value.iter();
    let fact = |entry: &Checked| serde_json::from_value(entry.value.scalar_json()?).ok();
    let mut matters = named.map(fact).collect::<Option<Vec<StackFact>>>()?;
    matters.sort();
    matters.dedup();
    Some(StackPlan { matters })
}

fn history(table: &CheckedTable) -> Option<History> {
    Some(History {
        checkout: table.text("checkout")?.value,
        good: table.text("good")?.value,
        bad: table.text("bad")?.value,
        repeats_at_most: table.whole32("repeats_at_most")?.value,
    })
}

/// An empty table says nothing.
fn regime(table: &CheckedTable) -> Option<RegimePlan> {
    let claims = table.choice("claims").map(|claims| claims.value);
    let predicts = table.choice("predicts").map(|predicts| predicts.value);
    (claims.is_some() || predicts.is_some()).then_some(RegimePlan { claims, predicts })
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
