//! A manifest from a plan: what `try --save` writes.

use engine_protocol::{SETTING_KEYS, Settings};
use serde::Serialize;
use serde_json::Value;

use super::build_keys::build_keys;
use super::language::{FORM_KEY, INPUTS_KEY, LAYERS_KEY, Shape, Table, language};
use super::plan::{
    Arm, Build, ConditionSetting, Contract, Environment, Expectation, LeastStep, ModelChoice,
    NoiseSource, Plan, PrimitiveKind, PrimitiveName, TimedWork, WarmUp, WorkerChoice,
};
use super::stop::{Spending, Stop};
use super::to_toml_peer;

/// The first line of every manifest: where editors find the schema.
pub(super) const SCHEMA_LINE: &str = "#:schema ../docs/manifest.schema.json";

/// The plan as a commented manifest. Reading it where the same workload is known gives the same
/// plan.
#[must_use]
pub fn to_toml(plan: &Plan) -> String {
    let mut page = Page { text: format!("{SCHEMA_LINE}\n\n"), table: language() };
    page.value("schema", &plan.schema);
    page.value("id", &plan.id);
    page.value("title", &plan.title);
    page.value("hypothesis", &plan.hypothesis);
    page.optional("mechanism", plan.mechanism.as_ref());
    page.value("prior_access", &plan.prior_access);
    for art in &plan.prior_art {
        page.table("prior_art", "[[prior_art]]");
        page.value("record", &art.record);
        page.value("scope", &art.scope);
    }
    if let Some(regime) = &plan.regime {
        page.table("regime", "[regime]");
        page.optional("claims", regime.claims.as_ref());
        page.optional("predicts", regime.predicts.as_ref());
    }
    engine(plan, &mut page);
    builds(plan, &mut page);
    if let Some(history) = &plan.history {
        page.table("history", "[history]");
        page.value("checkout", &history.checkout);
        page.value("good", &history.good);
        page.value("bad", &history.bad);
        page.value("repeats_at_most", &history.repeats_at_most);
    }
    workload(plan, &mut page);
    for arm in &plan.arms {
        let rung = plan.ladder.as_ref().is_some_and(|ladder| ladder.arms.contains(&arm.name));
        if !rung {
            self::arm(arm, &mut page);
        }
    }
    ladder(plan, &mut page);
    if let Some(condition) = &plan.condition {
        page.table("condition", "[condition]");
        page.value("setting", &condition.setting);
        page.value("values", &condition.values);
    }
    judgement(plan, &mut page);
    page.text
}

fn engine(plan: &Plan, page: &mut Page) {
    page.table("engine", "[engine]");
    worker(&plan.engine.worker, page);
    match &plan.engine.model {
        ModelChoice::Named(name) => page.value("model", name),
        ModelChoice::File { path, sha256 } => {
            page.value("model_file", path);
            page.value("model_sha256", sha256);
        }
    }
    page.optional("form", plan.engine.form.as_ref());
    page.optional(LAYERS_KEY, plan.engine.layers.as_ref());
    page.value("freeze", &plan.engine.freeze);
    environment(&plan.engine.environment, page);
    settings(&plan.engine.settings, page);
}

fn environment(environment: &Environment, page: &mut Page) {
    for (name, value) in environment.iter() {
        page.line(&format!("environment.{name}"), &literal(value));
    }
}

fn worker(worker: &WorkerChoice, page: &mut Page) {
    match worker {
        WorkerChoice::Native => page.value("build", "native"),
        WorkerChoice::Executable(path) => page.value("worker", path),
        WorkerChoice::Build(build) => page.value("build", &build.name),
        WorkerChoice::Peer(peer) => {
            for (key, value) in to_toml_peer::lines(peer) {
                page.line(key, &literal(&value));
            }
        }
    }
}

/// Each declared build that an arm runs, so that the text stands by itself.
fn builds(plan: &Plan, page: &mut Page) {
    let mut declared: Vec<&Build> = plan.arms.iter().filter_map(|arm| plan.build_of(arm)).collect();
    declared.sort();
    declared.dedup();
    for build in declared {
        let name = if build.name.as_str().contains('.') {
            quoted(build.name.as_str())
        } else {
            build.name.to_string()
        };
        page.text.push_str(&format!("\n[build.{name}]\n"));
        for (key, value) in build_keys(&build.spec) {
            page.line(key, &json_literal(&value));
        }
    }
}

fn settings(settings: &Settings, page: &mut Page) {
    let values = serde_json::to_value(settings).unwrap_or_default();
    for key in SETTING_KEYS {
        page.optional(key, values.get(*key));
    }
}

fn workload(plan: &Plan, page: &mut Page) {
    page.table("workload", "[workload]");
    if plan.workload.work.reads_text() {
        page.value("inputs", &plan.workload.inputs);
        page.value("class", &plan.workload.class);
    }
    match plan.workload.work {
        TimedWork::Decode { prompt_tokens, decode_tokens, .. } => {
            page.value("prompt_tokens", &prompt_tokens);
            page.value("decode_tokens", &decode_tokens);
        }
        TimedWork::Prefill { prefill_tokens } => page.value("prefill_tokens", &prefill_tokens),
        TimedWork::Primitive { what, repetitions, buffers } => {
            primitive(what, page);
            page.value("repetitions", &repetitions);
            page.optional("buffers", buffers.as_ref());
        }
    }
    page.value("depth_tokens", &plan.workload.depth_tokens);
}

fn primitive(what: PrimitiveKind, page: &mut Page) {
    match what {
        PrimitiveKind::Copy => page.value("primitive", &PrimitiveName::Copy),
        PrimitiveKind::MatrixProduct { weight_type, batch } => {
            page.value("primitive", &PrimitiveName::MatrixProduct);
            page.value("weight_type", &weight_type);
            page.value("batch", &batch);
        }
        PrimitiveKind::Attention { batch } => {
            page.value("primitive", &PrimitiveName::Attention);
            page.value("batch", &batch);
        }
    }
}

fn arm(arm: &Arm, page: &mut Page) {
    page.table("arm", "[[arm]]");
    page.value("name", &arm.name);
    page.value("role", &arm.role);
    if let Some(worker) = &arm.worker {
        self::worker(worker, page);
    }
    page.optional("form", arm.form.as_ref());
    environment(&arm.environment, page);
    page.optional(LAYERS_KEY, arm.layers.as_ref());
    page.optional(INPUTS_KEY, arm.inputs.as_ref().map(|inputs| &inputs.name));
    page.optional("pieces", arm.pieces.as_ref());
    settings(&arm.settings, page);
    promises(arm, page);
}

fn promises(arm: &Arm, page: &mut Page) {
    let (contracts, expect): (&[Contract], &[Expectation]) = (&arm.contracts, &arm.expect);

    for contract in contracts {
        match contract {
            Contract::Identical => page.line("contract.identical.of", "\"tokens\""),
            Contract::Cosine { at_least, basis, positions } => {
                page.line("contract.cosine.at_least", &literal(at_least));
                page.line("contract.cosine.basis", &literal(basis));
                page.line("contract.cosine.positions", &literal(positions));
            }
            Contract::Kl { mean_at_most, p99_at_most, basis, positions } => {
                page.line("contract.kl.mean_at_most", &literal(mean_at_most));
                page.line("contract.kl.p99_at_most", &literal(p99_at_most));
                page.line("contract.kl.basis", &literal(basis));
                page.line("contract.kl.positions", &literal(positions));
            }
            Contract::Argmax { agreement_at_least, basis, positions } => {
                page.line("contract.argmax.agreement_at_least", &literal(agreement_at_least));
                page.line("contract.argmax.basis", &literal(basis));
                page.line("contract.argmax.positions", &literal(positions));
            }
        }
    }
    for expect in expect {
        let path = format!("expect.operation.{}", expect.operation);
        page.line(&format!("{path}.at_least"), &literal(&expect.at_least));
        if let Some(most) = &expect.at_most {
            page.line(&format!("{path}.at_most"), &literal(most));
        }
    }
    for expect in &arm.expect_devices {
        let path = format!("expect.device.{}", expect.device);
        page.line(&format!("{path}.at_least"), &literal(&expect.at_least));
        if let Some(most) = &expect.at_most {
            page.line(&format!("{path}.at_most"), &literal(most));
        }
        if let Some(share) = &expect.at_least_percent {
            page.line(&format!("{path}.at_least_percent"), &literal(share));
        }
    }
    for expect in &arm.expect_buffers {
        let path = format!("expect.buffer.{}", expect.buffer);
        page.line(&format!("{path}.at_least_bytes"), &literal(&expect.at_least_bytes));
        if let Some(most) = &expect.at_most_bytes {
            page.line(&format!("{path}.at_most_bytes"), &literal(most));
        }
    }
    if let Some(least) = &arm.accepted_tokens_at_least {
        page.line("expect.accepted_tokens.at_least", &literal(least));
    }
}

fn ladder(plan: &Plan, page: &mut Page) {
    let Some(ladder) = &plan.ladder else { return };
    let arms: Vec<&Arm> = plan.arms.iter().filter(|arm| ladder.arms.contains(&arm.name)).collect();
    let rungs: Vec<Value> = arms
        .iter()
        .map(|arm| match ladder.setting.as_str() {
            FORM_KEY => serde_json::to_value(arm.form).unwrap_or_default(),
            setting => serde_json::to_value(&arm.settings).unwrap_or_default()[setting].clone(),
        })
        .collect();
    page.table("ladder", "[ladder]");
    page.value("setting", &ladder.setting);
    page.value("rungs", &rungs);
    if let Some(arm) = arms.first() {
        let values = serde_json::to_value(&arm.settings).unwrap_or_default();
        for key in SETTING_KEYS.iter().filter(|key| **key != ladder.setting) {
            page.optional(key, values.get(*key));
        }
        promises(arm, page);
    }
    if let Some(stop) = &ladder.stop {
        page.line("stop.assumes", &literal(&stop.assumes));
        let key = match stop.under {
            LeastStep::PercentPerDoubling(_) => "stop.under_percent_per_doubling",
            LeastStep::PercentPerStep(_) => "stop.under_percent_per_step",
        };
        page.line(key, &literal(&stop.under.percent()));
    }
}

fn judgement(plan: &Plan, page: &mut Page) {
    page.table("metric", "[metric]");
    page.value("primary", &plan.metric.primary);
    if !plan.metric.secondary.is_empty() {
        page.value("secondary", &plan.metric.secondary);
    }
    page.table("noise", "[noise]");
    match &plan.noise.source {
        None => {
            page.value("assumed_round_sd_percent", &plan.noise.assumed_round_sd_percent);
            page.value("assumed_block_sd_percent", &plan.noise.assumed_block_sd_percent);
        }
        Some(NoiseSource::Record(name)) => page.value("record", name),
        Some(NoiseSource::Pilot(name)) => page.value("pilot", name),
    }
    page.value("expected_effect_percent", &plan.noise.expected_effect_percent);
    page.table("design", "[design]");
    page.value("rounds", &plan.design.rounds);
    page.value("blocks_per_round", &plan.design.blocks_per_round);
    let varied = plan
        .condition
        .as_ref()
        .is_some_and(|condition| condition.setting == ConditionSetting::ChunkTokens);
    if let TimedWork::Decode { chunk_tokens, .. } = plan.workload.work
        && !varied
    {
        page.value("chunk_tokens", &chunk_tokens);
    }
    page.value("order_seed", &plan.design.order_seed);
    page.value("input_scope", &plan.design.input_scope);
    stop(&plan.stop, page);
    page.table("gate", "[gate]");
    page.value("others_cpu_percent", &plan.gate.others_cpu_percent);
    page.value("pressure_percent", &plan.gate.pressure_percent);
    page.value("wait_seconds", &plan.gate.wait_seconds);
    page.value("contaminated_percent", &plan.gate.contaminated_percent);
    around(plan, page);
    stack(plan, page);
    page.table("decision", "[decision]");
    page.value("margin_percent", &plan.decision.margin_percent);
    page.value("confidence_percent", &plan.decision.confidence_percent);
    page.line("parked.resolution", &literal(&plan.decision.parked_resolution));
    let claim = &plan.claim;
    let wordings = [
        ("win", &claim.win),
        ("loss", &claim.loss),
        ("level", &claim.level),
        ("parked", &claim.parked),
    ];
    if wordings.iter().any(|(_, wording)| wording.is_some()) {
        page.table("claim", "[claim]");
        for (key, wording) in wordings {
            page.optional(key, wording.as_ref());
        }
    }
}

/// Budget and warm-up.
fn around(plan: &Plan, page: &mut Page) {
    if let Some(budget) = &plan.budget {
        page.table("budget", "[budget]");
        page.optional("memory_megabytes", budget.memory_megabytes.as_ref());
        page.optional("arm_megabytes", budget.arm_megabytes.as_ref());
        for (buffer, most) in &budget.buffer_megabytes {
            page.line(&format!("buffer.{buffer}.at_most_megabytes"), &literal(most));
        }
    }
    if let Some(WarmUp::Stationary { window_pieces, tolerance_percent, at_most_pieces }) =
        &plan.warm_up
    {
        page.table("warm_up", "[warm_up]");
        page.value("rule", "stationary");
        page.value("window_pieces", window_pieces);
        page.value("tolerance_percent", tolerance_percent);
        page.value("at_most_pieces", at_most_pieces);
    }
}

fn stack(plan: &Plan, page: &mut Page) {
    if let Some(stack) = &plan.stack {
        page.table("stack", "[stack]");
        page.value("matters", &stack.matters);
    }
}

fn stop(stop: &Stop, page: &mut Page) {
    match stop {
        Stop::Fixed { .. } => page.table("stop", "[stop.fixed]"),
        Stop::GroupSequential { looks_at_rounds, spending, .. } => {
            page.table("stop", "[stop.group_sequential]");
            page.value("looks_at_rounds", looks_at_rounds);
            match spending {
                Spending::Listed { cumulative_percent } => {
                    page.value("spent_percent", cumulative_percent);
                }
                named => page.value("spending", named),
            }
        }
        Stop::ConfidenceSequence { .. } => page.table("stop", "[stop.confidence_sequence]"),
    }
    page.optional("futility_percent", stop.futility_percent().as_ref());
    page.value("cap_minutes", &stop.cap_minutes());
}

/// The text as it grows, and the table that is being written: its docs become comments.
struct Page {
    text: String,
    table: &'static Table,
}

impl Page {
    /// Begins a table of the top.
    fn table(&mut self, key: &str, header: &str) {
        let inner = language().key(key).map(|key| &key.shape);
        if let Some(Shape::Table(table) | Shape::Tables(table)) = inner {
            self.table = table;
        }
        // `[stop.fixed]` and its like have two parts.
        let below = header.trim_matches(['[', ']']).split_once('.').map(|(_, below)| below);
        let below = below.and_then(|below| self.table.key(below));
        if let Some(Shape::Table(table)) = below.map(|key| &key.shape) {
            self.table = table;
        }
        self.text.push_str(&format!("\n{header}\n"));
    }

    /// A key with its doc behind it.
    fn value<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) {
        let line = format!("{key} = {}", literal(value));
        let doc = self.table.key(key).map(|key| key.doc.trim_end_matches('.'));
        match doc {
            // 100 columns; a longer line has its words above.
            Some(doc) if line.chars().count() + doc.chars().count() + 4 <= 100 => {
                self.text.push_str(&format!("{line}  # {doc}\n"));
            }
            Some(doc) => self.text.push_str(&format!("# {doc}\n{line}\n")),
            None => self.text.push_str(&format!("{line}\n")),
        }
    }

    fn optional<T: Serialize>(&mut self, key: &str, value: Option<&T>) {
        if let Some(value) = value {
            self.value(key, value);
        }
    }

    fn line(&mut self, key: &str, literal: &str) {
        self.text.push_str(&format!("{key} = {literal}\n"));
    }
}

/// A value as TOML writes it.
fn literal<T: Serialize + ?Sized>(value: &T) -> String {
    json_literal(&serde_json::to_value(value).unwrap_or_default())
}

fn json_literal(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(json_literal).collect();
            format!("[{}]", items.join(", "))
        }
        // Rust's shortest text of a number reads back as the same number.
        Value::Number(number) => match number.as_f64() {
            Some(real) if number.is_f64() => format!("{real:?}"),
            _ => number.to_string(),
        },
        other => other.to_string(),
    }
}

/// A basic string of TOML.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
