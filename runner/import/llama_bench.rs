//! `llama-bench -o json|jsonl|csv|sql`. Only JSON and JSON lines hold samples. Its averages are
//! read where there is nothing else, its standard deviations never.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::fields::{Fields, stated_alike};
use super::read::ImportFile;
use super::{csv, json, sql};
use crate::failure::Failure;
use crate::manifest::Metric;
use crate::record::{Better, NewImport, NewSeries, Series, SeriesKind, Shape};

/// Facts about build and machine.
const FACTS: [&str; 6] =
    ["build_commit", "build_number", "cpu_info", "gpu_info", "backends", "model_type"];
/// Fields that are read one by one, or are figures that follow from the samples.
const READ: [&str; 13] = [
    "model_filename",
    "model_size",
    "model_n_params",
    "n_prompt",
    "n_gen",
    "n_depth",
    "test_time",
    "avg_ns",
    "stddev_ns",
    "avg_ts",
    "stddev_ts",
    "samples_ns",
    "samples_ts",
];
/// Settings that this program has too, under its own names.
const SAME_SETTING: [(&str, &str); 11] = [
    ("n_threads", "threads"),
    ("n_batch", "batch_tokens"),
    ("n_ubatch", "micro_batch_tokens"),
    ("type_k", "kv_key_type"),
    ("type_v", "kv_value_type"),
    ("n_gpu_layers", "gpu_layers"),
    ("flash_attn", "flash_attention"),
    ("use_mmap", "memory_map"),
    ("cpu_strict", "cpu_strict"),
    ("cpu_mask", "cpu_mask"),
    ("poll", "poll_percent"),
];
/// Settings of the tool that this program knows and has no name for.
const OTHER_SETTINGS: [&str; 16] = [
    "n_cpu_moe",
    "split_mode",
    "main_gpu",
    "no_kv_offload",
    "devices",
    "tensor_split",
    "tensor_buft_overrides",
    "load_mode",
    "use_direct_io",
    "embeddings",
    "no_op_offload",
    "no_host",
    "fit_target",
    "fit_min_ctx",
    "f16_kv",
    "backend",
];
/// How far a stated rate may lie from the one that its nanoseconds give: it is printed with six
/// digits.
const ROUNDING: f64 = 1e-4;

pub(super) fn read(file: &ImportFile) -> Result<NewImport, Failure> {
    let (written_as, tests) = tests(file)?;
    let mut series = Vec::new();
    let mut facts = Vec::new();
    let mut unknown: BTreeSet<String> = BTreeSet::new();
    for test in &tests {
        facts.push(FACTS.iter().filter_map(|name| fact(test, name)).collect());
        unknown.extend(test.names().filter(|name| !is_known(name)).map(str::to_owned));
        series.push(one_test(test)?);
    }
    let mut notes = Vec::new();
    if !unknown.is_empty() {
        let names: Vec<String> = unknown.into_iter().collect();
        notes.push(format!("kept as settings, though not known here: {}", names.join(", ")));
    }
    if series.iter().any(|one| one.series.kind == SeriesKind::SummaryOnly) {
        notes.push(format!(
            "{}: {written_as} holds averages alone, which never get an interval; write the samples \
             with `-o json` or `-o jsonl`",
            SeriesKind::SummaryOnly.label()
        ));
    }
    Ok(NewImport {
        tool: "llama-bench".to_owned(),
        written_as: written_as.to_owned(),
        stated: stated_alike(&facts),
        series,
        notes,
    })
}

fn is_known(name: &str) -> bool {
    FACTS.contains(&name)
        || READ.contains(&name)
        || OTHER_SETTINGS.contains(&name)
        || SAME_SETTING.iter().any(|(theirs, _)| *theirs == name)
}

fn fact(test: &Fields, name: &str) -> Option<(String, String)> {
    Some((name.to_owned(), test.text(name)?))
}

fn tests(file: &ImportFile) -> Result<(&'static str, Vec<Fields>), Failure> {
    let text = file.text.trim_start_matches('\u{feff}').trim_start();
    let place = |number: usize| format!("{}, test {number}", file.name);
    if text.starts_with('[') {
        let Value::Array(items) = json::document(text, &file.name)? else {
            return Ok(("json", Vec::new()));
        };
        let mut tests = Vec::new();
        for (number, item) in (1..).zip(items) {
            let Value::Object(object) = item else {
                return Err(Failure::failed("this is no object").at(place(number)));
            };
            tests.push(Fields::new(object, place(number)));
        }
        return Ok(("json", tests));
    }
    if text.starts_with('{') {
        let objects = json::lines(text, &file.name)?;
        let tests = (1..).zip(objects).map(|(number, object)| Fields::new(object, place(number)));
        return Ok(("jsonl", tests.collect()));
    }
    let upper = text.to_uppercase();
    if upper.contains("INSERT INTO") || upper.starts_with("CREATE TABLE") {
        let rows = sql::insertions(text, &file.name)?;
        let at = |line: usize| format!("{}, line {line}", file.name);
        let tests = rows.into_iter().map(|(line, row)| Fields::of_texts(row, at(line)));
        return Ok(("sql", tests.collect()));
    }
    if text.starts_with('|') {
        return Err(Failure::failed("a table of averages in Markdown says too little")
            .at(&file.name)
            .hint("let llama-bench write its samples: `-o json` or `-o jsonl`"));
    }
    let mut records = csv::records(text, &file.name)?.into_iter();
    let header = records.next().map(|(_, cells)| cells).unwrap_or_default();
    let mut tests = Vec::new();
    for (line, cells) in records {
        let place = format!("{}, line {line}", file.name);
        if cells.len() != header.len() {
            return Err(Failure::failed(format!(
                "{} cells under a header of {}: the file is cut off, or no CSV",
                cells.len(),
                header.len()
            ))
            .at(place));
        }
        tests.push(Fields::of_texts(header.iter().cloned().zip(cells).collect(), place));
    }
    Ok(("csv", tests))
}

fn one_test(test: &Fields) -> Result<NewSeries, Failure> {
    let (prompt, decode) = (test.count("n_prompt")?, test.count("n_gen")?);
    let depth = test.count_or_zero("n_depth")?;
    let tokens = prompt.saturating_add(decode);
    if tokens == 0 {
        return Err(test.wrong("n_prompt", "and `n_gen` are both zero: nothing was evaluated"));
    }
    let (kind, values) = values(test, tokens)?;
    let some = |count: u32| (count > 0).then_some(count);
    let metric = match (prompt, decode) {
        (0, _) => Metric::DecodeTokensPerSecond.key(),
        (_, 0) => Metric::PrefillTokensPerSecond.key(),
        (_, _) => "tokens_per_second",
    };
    let model = test.text("model_filename");
    let model = model.map(|path| path.rsplit(['/', '\\']).next().unwrap_or(&path).to_owned());
    Ok(NewSeries {
        series: Series {
            label: label(prompt, decode, depth),
            model,
            metric: metric.to_owned(),
            unit: "tokens/s".to_owned(),
            better: Better::More,
            kind,
            values: 0,
            measured_at: test.text("test_time"),
            shape: Shape {
                prefill_tokens: some(prompt),
                decode_tokens: some(decode),
                depth_tokens: Some(depth),
                sequences: None,
            },
            settings: settings(test),
        },
        values,
    })
}

/// As llama-bench's own table names a test.
fn label(prompt: u32, decode: u32, depth: u32) -> String {
    let work = match (prompt, decode) {
        (0, decode) => format!("tg{decode}"),
        (prompt, 0) => format!("pp{prompt}"),
        (prompt, decode) => format!("pp{prompt}+tg{decode}"),
    };
    if depth > 0 { format!("{work} @ d{depth}") } else { work }
}

type Values = Vec<(f64, Option<u64>)>;

fn values(test: &Fields, tokens: u32) -> Result<(SeriesKind, Values), Failure> {
    let rate = |nanoseconds: u64| f64::from(tokens) / (nanoseconds as f64 * 1e-9);
    let stated = test.figures("samples_ts")?;
    let Some(nanoseconds) = test.nanoseconds("samples_ns")? else {
        return match stated {
            Some(rates) => {
                Ok((SeriesKind::Samples, rates.into_iter().map(|rate| (rate, None)).collect()))
            }
            None => Ok((SeriesKind::SummaryOnly, vec![(test.figure("avg_ts")?, None)])),
        };
    };
    if let Some(rates) = &stated {
        if rates.len() != nanoseconds.len() {
            let why = format!("has {} values, `samples_ns` {}", rates.len(), nanoseconds.len());
            return Err(test.wrong("samples_ts", &why));
        }
        for (index, (stated, nanoseconds)) in rates.iter().zip(&nanoseconds).enumerate() {
            let own = rate(*nanoseconds);
            if (stated / own - 1.0).abs() > ROUNDING {
                let name = format!("samples_ts[{index}]");
                let why = format!(
                    "is {stated}, and {tokens} tokens in {nanoseconds} ns are {own:.6} tokens/s"
                );
                return Err(test.wrong(&name, &why));
            }
        }
    }
    let values = nanoseconds.into_iter().map(|nanoseconds| (rate(nanoseconds), Some(nanoseconds)));
    Ok((SeriesKind::Samples, values.collect()))
}

fn settings(test: &Fields) -> BTreeMap<String, String> {
    let mut settings = BTreeMap::new();
    let left_out = |name: &str| FACTS.contains(&name) || READ.contains(&name);
    for name in test.names().filter(|name| !left_out(name)) {
        let Some(value) = test.text(name) else { continue };
        let own = SAME_SETTING.iter().find(|(theirs, _)| *theirs == name).map(|(_, own)| *own);
        let value = match own {
            Some("flash_attention" | "memory_map" | "cpu_strict") => toggle(&value),
            _ => value,
        };
        settings.insert(own.unwrap_or(name).to_owned(), value);
    }
    settings
}

/// `on`, `off`; anything else (`-1`: chosen by the tool) as it is.
fn toggle(value: &str) -> String {
    match value {
        "1" | "true" => "on".to_owned(),
        "0" | "false" => "off".to_owned(),
        "-1" => "auto".to_owned(),
        other => other.to_owned(),
    }
}
