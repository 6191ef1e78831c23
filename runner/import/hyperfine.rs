//! `hyperfine --export-json`: `times` of each command, in seconds.

use std::collections::BTreeMap;

use serde_json::Value;

use super::fields::Fields;
use super::json;
use super::read::ImportFile;
use crate::failure::Failure;
use crate::record::{Better, NewImport, NewSeries, Series, SeriesKind, Shape};

pub(super) fn read(file: &ImportFile) -> Result<NewImport, Failure> {
    let document = json::document(&file.text, &file.name)?;
    let Some(results) = document.get("results").and_then(Value::as_array) else {
        return Err(Failure::failed("`results` is missing, or is no list")
            .at(&file.name)
            .hint("write it with `hyperfine --export-json FILE`"));
    };
    let mut series = Vec::new();
    let mut notes = Vec::new();
    for (number, result) in (1..).zip(results) {
        let place = format!("{}, result {number}", file.name);
        let Value::Object(object) = result else {
            return Err(Failure::failed("this is no object").at(place));
        };
        let fields = Fields::new(object.clone(), place);
        let Some(command) = fields.text("command") else {
            return Err(fields.wrong("command", "is missing, or is no text"));
        };
        let failed = failed_runs(object.get("exit_codes"));
        if failed > 0 {
            notes.push(format!("{failed} runs of `{command}` did not end with exit code 0"));
        }
        let (kind, values) = match fields.figures("times")? {
            Some(times) => (SeriesKind::Samples, times),
            None => (SeriesKind::SummaryOnly, vec![fields.figure("mean")?]),
        };
        if kind == SeriesKind::SummaryOnly {
            notes.push(format!("`{command}`: {}", kind.label()));
        }
        let parameters = object.get("parameters").and_then(Value::as_object);
        let mut settings: BTreeMap<String, String> = parameters
            .into_iter()
            .flatten()
            .map(|(name, value)| {
                (name.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned))
            })
            .collect();
        if failed > 0 {
            settings.insert("failed_runs".to_owned(), failed.to_string());
        }
        series.push(NewSeries {
            series: Series {
                label: command,
                model: None,
                metric: "wall_seconds".to_owned(),
                unit: "s".to_owned(),
                better: Better::Less,
                kind,
                values: 0,
                measured_at: None,
                shape: Shape::default(),
                settings,
            },
            values: values.into_iter().map(|value| (value, None)).collect(),
        });
    }
    Ok(NewImport {
        tool: "hyperfine".to_owned(),
        written_as: "json".to_owned(),
        stated: BTreeMap::new(),
        series,
        notes,
    })
}

fn failed_runs(codes: Option<&Value>) -> usize {
    let codes = codes.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    codes.iter().filter(|code| code.as_i64() != Some(0)).count()
}
