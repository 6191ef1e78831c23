//! criterion.rs: `sample.json` with the nanoseconds of so many iterations, or `estimates.json`,
//! which holds a summary alone.

use std::collections::BTreeMap;

use serde_json::Value;

use super::fields::Fields;
use super::json;
use super::read::ImportFile;
use crate::failure::Failure;
use crate::record::{Better, NewImport, NewSeries, Series, SeriesKind, Shape};

pub(super) fn read(file: &ImportFile) -> Result<NewImport, Failure> {
    let Value::Object(object) = json::document(&file.text, &file.name)? else {
        return Err(Failure::failed("this is no object").at(&file.name));
    };
    let mut settings = BTreeMap::new();
    if let Some(mode) = object.get("sampling_mode").and_then(Value::as_str) {
        settings.insert("sampling_mode".to_owned(), mode.to_owned());
    }
    let label = match &file.beside {
        Some(text) => benchmark_name(text)?,
        None => None,
    };
    let estimates = object.get("mean").and_then(|mean| mean.get("point_estimate"));
    let (kind, written_as, values, notes) = match estimates {
        Some(estimate) => {
            let fields = Fields::new(
                serde_json::Map::from_iter([("point_estimate".to_owned(), estimate.clone())]),
                format!("{}, mean", file.name),
            );
            let value = fields.figure("point_estimate")?;
            let kind = SeriesKind::SummaryOnly;
            let note = format!("{}: the samples are in `sample.json` beside it", kind.label());
            (kind, "estimates.json", vec![(value, None)], vec![note])
        }
        None => {
            let fields = Fields::new(object, file.name.clone());
            (SeriesKind::Samples, "sample.json", samples(&fields)?, Vec::new())
        }
    };
    Ok(NewImport {
        tool: "criterion".to_owned(),
        written_as: written_as.to_owned(),
        stated: BTreeMap::new(),
        series: vec![NewSeries {
            series: Series {
                label: label.unwrap_or_else(|| "benchmark".to_owned()),
                model: None,
                metric: "nanoseconds_per_iteration".to_owned(),
                unit: "ns".to_owned(),
                better: Better::Less,
                kind,
                values: 0,
                measured_at: None,
                shape: Shape::default(),
                settings,
            },
            values,
        }],
        notes,
    })
}

/// Nanoseconds an iteration, and nanoseconds of the whole sample.
fn samples(fields: &Fields) -> Result<Vec<(f64, Option<u64>)>, Failure> {
    let missing = |name: &str| fields.wrong(name, "is missing");
    let iterations = fields.figures("iters")?.ok_or_else(|| missing("iters"))?;
    let times = fields.figures("times")?.ok_or_else(|| missing("times"))?;
    if iterations.len() != times.len() {
        let why = format!("has {} values, `iters` {}", times.len(), iterations.len());
        return Err(fields.wrong("times", &why));
    }
    let pairs = iterations.iter().zip(&times);
    Ok(pairs.map(|(count, time)| (time / count, Some(time.round() as u64))).collect())
}

fn benchmark_name(text: &str) -> Result<Option<String>, Failure> {
    let document = json::document(text, "benchmark.json")?;
    let name = document.get("full_id").or_else(|| document.get("title"));
    Ok(name.and_then(Value::as_str).map(str::to_owned))
}
