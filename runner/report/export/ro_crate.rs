//! RO-Crate 1.1: a record as a research object, described in JSON-LD.

use serde_json::{Value, json};

use crate::record::{EngineProvenance, FigureState, Record, verdict_word};
use crate::report::rows::{estimate, interval, name};

/// Name of the description in a crate.
pub const RO_CRATE_FILE: &str = "ro-crate-metadata.json";

/// A file of a crate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrateFile {
    /// Its place in the crate, with `/` between the parts.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// SHA-256, hexadecimal.
    pub sha256: String,
    /// BLAKE3, hexadecimal: the hash that records use.
    pub blake3: String,
}

/// The description of a record and its files.
#[must_use]
pub fn ro_crate(record: &Record, state: &FigureState, files: &[CrateFile]) -> Value {
    let mut graph = vec![
        json!({
            "@id": RO_CRATE_FILE,
            "@type": "CreativeWork",
            "conformsTo": { "@id": "https://w3id.org/ro/crate/1.1" },
            "about": { "@id": "./" },
        }),
        root(record, state, files),
        run(record, files),
        json!({
            "@id": RUNNER,
            "@type": "SoftwareApplication",
            "name": "runner",
            "softwareVersion": record.provenance.runner.version,
            "identifier": format!("blake3:{}", record.provenance.runner.binary_blake3),
        }),
        model(record),
        workload(record),
        licence(record),
    ];
    graph.extend(record.provenance.engines.iter().enumerate().map(engine));
    graph.extend(files.iter().map(file));
    json!({ "@context": "https://w3id.org/ro/crate/1.1/context", "@graph": graph })
}

const RUN: &str = "#run";
const RUNNER: &str = "#runner";
const MODEL: &str = "#model";
const WORKLOAD: &str = "#workload";
const LICENCE: &str = "#licence";

fn id(id: &str) -> Value {
    json!({ "@id": id })
}

fn root(record: &Record, state: &FigureState, files: &[CrateFile]) -> Value {
    let outcomes: Vec<String> = record
        .sealed
        .analysis
        .comparisons
        .iter()
        .map(|comparison| {
            let effect = comparison.effect.as_ref().map_or_else(
                || "no figure".to_owned(),
                |effect| format!("{}, {}", estimate(effect), interval(Some(effect))),
            );
            let verdict = verdict_word(comparison.verdict);
            format!("{}: {verdict}, {effect}", name(&comparison.arm, &comparison.condition))
        })
        .collect();
    json!({
        "@id": "./",
        "@type": "Dataset",
        "identifier": format!("{}/{}", record.sealed.id, record.sealed.run),
        "name": record.plan.title,
        "description": format!(
            "A pre-registered, paired experiment. Hypothesis: {}. Outcome: {}.",
            record.plan.hypothesis,
            outcomes.join("; ")
        ),
        "creativeWorkStatus": state.said(),
        "datePublished": record.provenance.end.utc,
        "license": id(LICENCE),
        "hasPart": files.iter().map(|file| id(&file.name)).collect::<Vec<Value>>(),
        "mentions": [id(RUN), id(MODEL), id(WORKLOAD)],
    })
}

fn run(record: &Record, files: &[CrateFile]) -> Value {
    let provenance = &record.provenance;
    let instruments = (0..provenance.engines.len()).map(|index| id(&engine_id(index)));
    let instruments: Vec<Value> = std::iter::once(id(RUNNER)).chain(instruments).collect();
    let (inputs, results): (Vec<&CrateFile>, Vec<&CrateFile>) = files.iter().partition(|file| {
        file.name == crate::record::MANIFEST_FILE
            || file.name.starts_with(crate::record::LEDGER_FOLDER)
    });
    let objects = inputs.iter().map(|file| id(&file.name));
    let objects: Vec<Value> = objects.chain([id(MODEL), id(WORKLOAD)]).collect();
    let status = match record.sealed.analysis.summary {
        crate::verdict::RunSummary::Incomplete => "FailedActionStatus",
        crate::verdict::RunSummary::Judged | crate::verdict::RunSummary::Void => {
            "CompletedActionStatus"
        }
    };
    json!({
        "@id": RUN,
        "@type": "CreateAction",
        "name": format!("run {} of {}", record.sealed.run, record.sealed.id),
        "description": format!(
            "attempt {} of the registration {} of {}, judged under version {} of the rules, at commit {}",
            record.sealed.attempt,
            record.sealed.registration,
            record.registered.at,
            record.sealed.rules_version,
            provenance.repository.commit.as_deref().unwrap_or("unknown"),
        ),
        "startTime": provenance.start.utc,
        "endTime": provenance.end.utc,
        "actionStatus": format!("http://schema.org/{status}"),
        "instrument": instruments,
        "object": objects,
        "result": results.iter().map(|file| id(&file.name)).collect::<Vec<Value>>(),
    })
}

fn engine_id(index: usize) -> String {
    format!("#engine-{}", index + 1)
}

fn engine((index, engine): (usize, &EngineProvenance)) -> Value {
    json!({
        "@id": engine_id(index),
        "@type": "SoftwareApplication",
        "name": engine.facts.name,
        "softwareVersion": engine.facts.version,
        "description": format!(
            "served {}; compiled with {}",
            engine.arms.join(", "),
            engine.facts.compiler
        ),
        "identifier": format!("source blake3:{}", engine.facts.source_blake3),
    })
}

fn model(record: &Record) -> Value {
    let model = &record.provenance.model;
    json!({
        "@id": MODEL,
        "@type": "CreativeWork",
        "name": model.name,
        "description": format!(
            "model of {} bytes, not in this crate; weights derive from: {}",
            model.bytes, model.weights_derived_from
        ),
        "license": model.licence,
        "identifier": format!("sha256:{}", model.sha256),
    })
}

fn workload(record: &Record) -> Value {
    let workload = &record.provenance.workload;
    json!({
        "@id": WORKLOAD,
        "@type": "CreativeWork",
        "name": workload.name,
        "description": "set of inputs, not in this crate",
        "license": workload.licence,
        "identifier": format!("blake3:{}", workload.blake3),
    })
}

fn licence(record: &Record) -> Value {
    let provenance = &record.provenance;
    json!({
        "@id": LICENCE,
        "@type": "CreativeWork",
        "name": "licence of the record",
        "description": format!(
            "that of the repository it was taken from; it holds figures, and neither the model ({}) \
             nor the inputs ({})",
            provenance.model.licence, provenance.workload.licence
        ),
    })
}

fn file(file: &CrateFile) -> Value {
    json!({
        "@id": file.name,
        "@type": "File",
        "name": file.name,
        "contentSize": file.bytes.to_string(),
        "encodingFormat": encoding(&file.name),
        "sha256": file.sha256,
        "identifier": format!("blake3:{}", file.blake3),
    })
}

fn encoding(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("toml") => "application/toml",
        Some("md") => "text/markdown",
        Some("parquet") => "application/vnd.apache.parquet",
        Some("jsonl") => "application/jsonl",
        _ => "application/octet-stream",
    }
}
