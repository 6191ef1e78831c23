//! `llama-batched-bench`: its table, or its JSON lines. Each row is measured once, so the rows of
//! several runs put into one file become the samples of one series.

use std::collections::BTreeMap;

use super::fields::Fields;
use super::json;
use super::read::ImportFile;
use crate::failure::Failure;
use crate::manifest::Metric;
use crate::record::{Better, NewImport, NewSeries, Series, SeriesKind, Shape};

/// Columns of the table, and the keys of the JSON lines that mean the same.
const COLUMNS: [(&str, &str); 10] = [
    ("PP", "pp"),
    ("TG", "tg"),
    ("B", "pl"),
    ("N_KV", "n_kv"),
    ("T_PP s", "t_pp"),
    ("S_PP t/s", "speed_pp"),
    ("T_TG s", "t_tg"),
    ("S_TG t/s", "speed_tg"),
    ("T s", "t"),
    ("S t/s", "speed"),
];

pub(super) fn read(file: &ImportFile) -> Result<NewImport, Failure> {
    let text = file.text.trim_start_matches('\u{feff}').trim_start();
    let (written_as, rows) = if text.starts_with('{') {
        let objects = json::lines(text, &file.name)?;
        let place = |number: usize| format!("{}, row {number}", file.name);
        let rows = (1..).zip(objects).map(|(number, row)| Fields::new(row, place(number)));
        ("jsonl", rows.collect())
    } else {
        ("markdown", table(&file.text, &file.name)?)
    };
    let mut series: Vec<NewSeries> = Vec::new();
    for row in &rows {
        for one in of_row(row)? {
            match series.iter_mut().find(|other| other.series == one.series) {
                Some(other) => other.values.extend(one.values),
                None => series.push(one),
            }
        }
    }
    Ok(NewImport {
        tool: "llama-batched-bench".to_owned(),
        written_as: written_as.to_owned(),
        stated: BTreeMap::new(),
        series,
        notes: Vec::new(),
    })
}

/// Rows of the Markdown table; the line above it with `n_kv_max = …` gives settings.
fn table(text: &str, file: &str) -> Result<Vec<Fields>, Failure> {
    let mut settings: Vec<(String, String)> = Vec::new();
    let mut header: Vec<String> = Vec::new();
    let mut rows = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        let place = format!("{file}, line {number}");
        if line.contains("n_kv_max = ") {
            let stated = line.split_once(": ").map_or(line, |(_, rest)| rest);
            let pairs = stated.split(", ").filter_map(|part| part.split_once(" = "));
            settings = pairs.map(|(k, v)| (k.trim().to_owned(), v.trim().to_owned())).collect();
        }
        if !line.starts_with('|') || line.starts_with("|-") {
            continue;
        }
        let whole = line.strip_suffix('|');
        let Some(inner) = whole.and_then(|line| line.strip_prefix('|')) else {
            return Err(Failure::failed("a row of the table is cut off").at(place));
        };
        let cells: Vec<String> = inner.split('|').map(|cell| cell.trim().to_owned()).collect();
        if cells.iter().all(|cell| cell.chars().all(|c| c == '-' || c == ':')) {
            continue;
        }
        if cells.first().is_some_and(|cell| cell == "PP") {
            header = cells;
            continue;
        }
        if cells.len() != header.len() {
            let (found, asked) = (cells.len(), header.len());
            return Err(
                Failure::failed(format!("{found} cells under a header of {asked}")).at(place)
            );
        }
        let named = header.iter().zip(cells).map(|(column, cell)| {
            let key = COLUMNS.iter().find(|(theirs, _)| theirs == column).map(|(_, key)| *key);
            (key.unwrap_or(column).to_owned(), cell)
        });
        rows.push(Fields::of_texts(settings.iter().cloned().chain(named).collect(), place));
    }
    Ok(rows)
}

/// The prompts' series and the decoded tokens' series of a row; a part of no tokens has none.
fn of_row(row: &Fields) -> Result<Vec<NewSeries>, Failure> {
    let (prompt, decode) = (row.count("pp")?, row.count("tg")?);
    let sequences = row.count("pl")?;
    if sequences == 0 {
        return Err(row.wrong("pl", "is zero: nothing was evaluated"));
    }
    let figures = COLUMNS.iter().map(|(_, key)| *key);
    let figures: Vec<&str> = figures.collect();
    let settings: BTreeMap<String, String> = row
        .names()
        .filter(|name| !figures.contains(name))
        .filter_map(|name| Some((own_name(name).to_owned(), row.text(name)?)))
        .collect();
    let part = |label: String, metric: Metric, shape: Shape, speed: &str, time: &str| {
        let value = row.figure(speed)?;
        let nanoseconds = row.has(time).then(|| row.figure(time)).transpose()?;
        // thousandths of a second in the table are too coarse to be kept as a clock's reading
        let nanoseconds = nanoseconds
            .filter(|_| row.text(time).is_some_and(|text| text.len() > "0.000".len() + 2))
            .map(|seconds| (seconds * 1e9).round() as u64);
        Ok::<NewSeries, Failure>(NewSeries {
            series: Series {
                label,
                model: None,
                metric: metric.key().to_owned(),
                unit: metric.unit().to_owned(),
                better: Better::More,
                kind: SeriesKind::Samples,
                values: 0,
                measured_at: None,
                shape: Shape { sequences: Some(sequences), ..shape },
                settings: settings.clone(),
            },
            values: vec![(value, nanoseconds)],
        })
    };
    let mut series = Vec::new();
    if prompt > 0 {
        let shape =
            Shape { prefill_tokens: Some(prompt), depth_tokens: Some(0), ..Shape::default() };
        let label = format!("pp{prompt} x {sequences}");
        series.push(part(label, Metric::PrefillTokensPerSecond, shape, "speed_pp", "t_pp")?);
    }
    if decode > 0 {
        let shape =
            Shape { decode_tokens: Some(decode), depth_tokens: Some(prompt), ..Shape::default() };
        let label = format!("tg{decode} x {sequences} @ d{prompt}");
        series.push(part(label, Metric::DecodeTokensPerSecond, shape, "speed_tg", "t_tg")?);
    }
    Ok(series)
}

fn own_name(name: &str) -> &str {
    match name {
        "n_threads" => "threads",
        "n_threads_batch" => "batch_threads",
        "n_batch" => "batch_tokens",
        "n_ubatch" => "micro_batch_tokens",
        "n_gpu_layers" => "gpu_layers",
        other => other,
    }
}
