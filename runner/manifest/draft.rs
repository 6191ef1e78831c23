//! A manifest between checked values and a plan: what the rules that look at several keys see.
//! What was faulty is `None`.

use std::collections::BTreeMap;

use engine_protocol::{Form, SETTING_KEYS, Settings};

use super::builds::Builds;
use super::checked::{CheckedTable, CheckedValue};
use super::draft_peer;
use super::language::{INPUTS_KEY, LAYERS_KEY};
use super::names::ArmName;
use super::plan::{
    BufferExpectation, Contract, DeviceExpectation, Environment, Expectation, Pieces, Role,
    WorkerChoice,
};
use super::span::{Span, Spot};

/// Settings with their places.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct SettingsDraft {
    /// Those that were right.
    pub settings: Settings,
    /// Where each value stands.
    pub places: BTreeMap<String, Span>,
}

/// An arm, written or made from a rung.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ArmDraft {
    /// Its header, or the rung.
    pub span: Span,
    /// Its name.
    pub name: Option<Spot<ArmName>>,
    /// Its role.
    pub role: Option<Spot<Role>>,
    /// Its own settings.
    pub settings: SettingsDraft,
    /// Its own form of the model.
    pub form: Option<Spot<Form>>,
    /// Its own number of layers.
    pub layers: Option<Spot<u32>>,
    /// The name of its own set.
    pub inputs: Option<Spot<String>>,
    /// Into which pieces its primitive is cut.
    pub pieces: Option<Spot<Pieces>>,
    /// Its own worker.
    pub worker: Option<Spot<WorkerChoice>>,
    /// Its contracts.
    pub contracts: Vec<Spot<Contract>>,
    /// Where a contract was written, right or wrong.
    pub contract_written: Option<Span>,
    /// Its expectations.
    pub expect: Vec<Expectation>,
    /// What it expects of devices.
    pub expect_devices: Vec<DeviceExpectation>,
    /// What it expects of buffers.
    pub expect_buffers: Vec<BufferExpectation>,
    /// Its own variables.
    pub environment: Environment,
    /// Accepted tokens that it expects.
    pub expect_accepted: Option<Spot<u64>>,
    /// Whether all that was written of it was right: only then it can be compared with others.
    pub whole: bool,
    /// Whether it came from a ladder.
    pub from: ArmOrigin,
}

/// Where an arm was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ArmOrigin {
    /// As `[[arm]]`.
    Written,
    /// As a rung of the ladder.
    Rung,
}

impl SettingsDraft {
    /// The settings that stand in a table.
    pub fn of(table: &CheckedTable) -> SettingsDraft {
        let mut draft = SettingsDraft::default();
        for key in SETTING_KEYS {
            let Some(checked) = table.values.get(*key) else { continue };
            let Some(json) = checked.value.setting_json() else { continue };
            if let Ok(one) = Settings::single(key, &json) {
                draft.settings = draft.settings.overlaid(&one);
                draft.places.insert((*key).to_owned(), checked.span.clone());
            }
        }
        draft
    }
}

impl ArmDraft {
    /// The name, or a word for it.
    pub fn called(&self) -> String {
        self.name.as_ref().map_or_else(|| "an arm".to_owned(), |name| format!("`{}`", name.value))
    }

    /// Where the arm is best marked: its name, else its header.
    pub fn place(&self) -> Span {
        self.name.as_ref().map_or_else(|| self.span.clone(), |name| name.span.clone())
    }

    /// An arm as written.
    pub fn written(table: &CheckedTable, builds: &Builds) -> ArmDraft {
        ArmDraft {
            span: table.span.clone(),
            name: table.choice("name"),
            role: table.choice("role"),
            settings: SettingsDraft::of(table),
            form: table.choice("form"),
            layers: table.whole32(LAYERS_KEY),
            inputs: table.text(INPUTS_KEY),
            pieces: table.choice("pieces"),
            worker: draft_peer::peer(table).or_else(|| worker(table, builds)),
            contracts: contracts(table),
            contract_written: contract_written(table),
            expect: expectations(table),
            expect_devices: expected_devices(table),
            expect_buffers: expected_buffers(table),
            environment: environment(table),
            expect_accepted: accepted(table),
            whole: is_whole(table) && !builds.leave_open(table),
            from: ArmOrigin::Written,
        }
    }
}

/// Whether every key that was written, in it or below it, is known and right.
pub(super) fn is_whole(table: &CheckedTable) -> bool {
    table.written.keys().all(|key| match table.values.get(key).map(|checked| &checked.value) {
        Some(CheckedValue::Table(inner)) => is_whole(inner),
        Some(_) => true,
        None => false,
    })
}

/// `worker`, or `build`.
pub(super) fn worker(table: &CheckedTable, builds: &Builds) -> Option<Spot<WorkerChoice>> {
    let executable = table
        .text("worker")
        .map(|path| Spot { value: WorkerChoice::Executable(path.value), span: path.span });
    executable.or_else(|| builds.chosen(table))
}

/// The contracts of an arm or a ladder.
pub(super) fn contracts(table: &CheckedTable) -> Vec<Spot<Contract>> {
    let Some(contract) = table.table("contract") else { return Vec::new() };
    let make = |kind: &str| -> Option<Spot<Contract>> {
        let table = contract.table(kind)?;
        let basis = || Some(table.text("basis")?.value);
        let positions = || Some(table.whole32("positions")?.value);
        let value = match kind {
            "identical" => table.text("of").map(|_| Contract::Identical),
            "cosine" => Some(Contract::Cosine {
                at_least: table.real("at_least")?.value,
                basis: basis()?,
                positions: positions()?,
            }),
            "kl" => Some(Contract::Kl {
                mean_at_most: table.real("mean_at_most")?.value,
                p99_at_most: table.real("p99_at_most")?.value,
                basis: basis()?,
                positions: positions()?,
            }),
            "argmax" => Some(Contract::Argmax {
                agreement_at_least: table.real("agreement_at_least")?.value,
                basis: basis()?,
                positions: positions()?,
            }),
            _ => None,
        }?;
        let span = table.values.get("positions").map_or(&table.span, |checked| &checked.span);
        Some(Spot { value, span: span.clone() })
    };
    ["identical", "cosine", "kl", "argmax"].into_iter().filter_map(make).collect()
}

/// Where the first contract was written, right or wrong.
pub(super) fn contract_written(table: &CheckedTable) -> Option<Span> {
    let place = table.wrote("contract")?;
    match table.table("contract") {
        // An empty table promises nothing.
        Some(contract) if contract.written.is_empty() => None,
        _ => Some(place),
    }
}

/// How many accepted tokens an arm or a ladder expects.
pub(super) fn accepted(table: &CheckedTable) -> Option<Spot<u64>> {
    table.table("expect")?.table("accepted_tokens")?.whole("at_least")
}

/// The expectations of an arm or a ladder.
pub(super) fn expectations(table: &CheckedTable) -> Vec<Expectation> {
    expected(table, "operation", |operation, bounds| Expectation {
        operation,
        at_least: bounds.whole("at_least").map_or(0, |least| least.value),
        at_most: bounds.whole("at_most").map(|most| most.value),
    })
}

/// What an arm or a ladder expects of devices.
pub(super) fn expected_devices(table: &CheckedTable) -> Vec<DeviceExpectation> {
    expected(table, "device", |device, bounds| DeviceExpectation {
        device,
        at_least: bounds.whole("at_least").map_or(0, |least| least.value),
        at_most: bounds.whole("at_most").map(|most| most.value),
        at_least_percent: bounds.whole32("at_least_percent").map(|share| share.value),
    })
}

/// What an arm or a ladder expects of buffers.
pub(super) fn expected_buffers(table: &CheckedTable) -> Vec<BufferExpectation> {
    expected(table, "buffer", |buffer, bounds| BufferExpectation {
        buffer,
        at_least_bytes: bounds.whole("at_least_bytes").map_or(0, |least| least.value),
        at_most_bytes: bounds.whole("at_most_bytes").map(|most| most.value),
    })
}

/// One expectation for each name below a key of `expect`, sorted by name.
fn expected<T>(
    table: &CheckedTable,
    key: &str,
    make: impl Fn(String, &CheckedTable) -> T,
) -> Vec<T> {
    let named = table.table("expect").and_then(|expect| expect.table(key));
    let values = named.map(|named| &named.values).into_iter().flatten();
    values
        .filter_map(|(name, checked)| match &checked.value {
            CheckedValue::Table(bounds) => Some(make(name.clone(), bounds)),
            _ => None,
        })
        .collect()
}

/// The variables of the engine or of an arm.
pub(super) fn environment(table: &CheckedTable) -> Environment {
    let named = table.table("environment");
    let written = named.map(|named| named.values.keys()).into_iter().flatten();
    let variables = written.filter_map(|name| {
        let value = named?.text(name)?;
        Some((name.clone(), value.value))
    });
    Environment::of(variables.collect())
}
