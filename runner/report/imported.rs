//! Imports: never a verdict. A list, one of them, and two sides by side.

use comfy_table::Cell;
use serde_json::{Value, json};

use super::escape::plain_text;
use super::figures::{quantity, significant};
use super::terminal::{Style, new_table, trimmed, wrapped};
use crate::record::{
    FEWEST_FOR_INTERVAL, ImportRow, Imported, OneSide, Parallel, Series, SeriesKind, StoredImport,
};
use crate::stats;

/// What every such table says of itself.
const NEVER_JUDGED: &str =
    "imported: measured by another tool, unpaired, without gate, contract or off; never a verdict";
const NOT_PAIRED: &str = "not paired, no verdict";

/// Imports at the end of `runner list`; empty where there are none.
#[must_use]
pub fn imports_listing(rows: &[ImportRow], width: usize, style: Style) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut table = new_table(width, style);
    table.set_header(vec!["imported", "tool", "tests", "samples", "imported at"]);
    for row in rows {
        let name = format!("imported/{}", row.name);
        let cells = match &row.read {
            Ok(imported) => [
                name,
                format!("{} ({})", imported.tool, imported.written_as),
                imported.series.len().to_string(),
                imported.samples.rows.to_string(),
                imported.imported_at.chars().take(10).collect(),
            ],
            Err(why) => {
                [name, format!("unreadable: {why}"), String::new(), String::new(), String::new()]
            }
        };
        table.add_row(cells.map(|cell| Cell::new(plain_text(&cell))));
    }
    format!("{}\n{}\n", trimmed(&table), wrapped(NEVER_JUDGED, width, 2))
}

/// The same for programs.
#[must_use]
pub fn imports_json(rows: &[ImportRow]) -> Value {
    let rows = rows.iter().map(|row| match &row.read {
        Ok(imported) => json!({
            "name": row.name,
            "tool": imported.tool,
            "written_as": imported.written_as,
            "series": imported.series.len(),
            "samples": imported.samples.rows,
            "imported_at": imported.imported_at,
        }),
        Err(why) => json!({ "name": row.name, "unreadable": why }),
    });
    Value::Array(rows.collect())
}

/// One import, each series on a line. Ends with a newline.
#[must_use]
pub fn import_table(import: &StoredImport, width: usize, style: Style) -> String {
    let imported = &import.imported;
    let mut out = vec![heading(imported, width), wrapped(NEVER_JUDGED, width, 2)];
    let mut table = new_table(width, style);
    table.set_header(vec!["test", "n", "median", "quartiles", "settings"]);
    let common = common_settings(&imported.series);
    for (series, values) in import.series() {
        let (median, quartiles) = figures(series, values);
        let label = match &series.model {
            Some(model) => format!("{}\n{}", plain_text(&series.label), plain_text(model)),
            None => plain_text(&series.label),
        };
        let own: Vec<String> = series
            .settings
            .iter()
            .filter(|(key, _)| !common.contains(key))
            .map(|(key, value)| plain_text(&format!("{key}={value}")))
            .collect();
        table.add_row([label, values.len().to_string(), median, quartiles, own.join("\n")]);
    }
    out.push(trimmed(&table));
    if let Some(first) = imported.series.first() {
        let alike = first.settings.iter().filter(|(key, _)| common.contains(key));
        let alike: Vec<String> = alike.map(|(key, value)| format!("{key}={value}")).collect();
        if imported.series.len() > 1 && !alike.is_empty() {
            out.push(wrapped(&format!("in every test: {}", alike.join(", ")), width, 2));
        }
    }
    for (key, value) in &imported.stated {
        out.push(wrapped(&format!("{key}: {value}"), width, 2));
    }
    if let Some(commit) = &imported.commit {
        out.push(wrapped(&format!("commit, as given: {commit}"), width, 2));
    }
    out.join("\n") + "\n"
}

/// One import for programs, its values among it.
#[must_use]
pub fn import_json(import: &StoredImport) -> Value {
    let values: Vec<Value> = import
        .series()
        .map(|(series, values)| json!({ "label": series.label, "values": values }))
        .collect();
    json!({ "imported": import.imported, "values": values, "verdict": null, "verdict_reason": NEVER_JUDGED })
}

/// Series of two records or imports whose inputs match. Ends with a newline.
#[must_use]
pub fn parallels_text(
    (first, second): (&str, &str),
    found: &[Parallel],
    width: usize,
    style: Style,
) -> String {
    let mut out = vec![wrapped(&format!("{first} beside {second}: {NOT_PAIRED}"), width, 2)];
    if found.is_empty() {
        out.push(wrapped(
            "no inputs match: the same model, prompt, decoded tokens, depth, metric and unit are \
             needed on both sides",
            width,
            2,
        ));
        return out.join("\n") + "\n";
    }
    let mut table = new_table(width, style);
    table.set_header(vec!["work", "first", "second", "second over first", "settings that differ"]);
    for pair in found {
        let differing: Vec<String> = pair
            .differing
            .iter()
            .map(|(key, here, there)| plain_text(&format!("{key}: {here}, {there}")))
            .collect();
        let work = [pair.first.label.as_str(), pair.second.label.as_str()].map(plain_text);
        let work = if work[0] == work[1] { work[0].clone() } else { work.join("\n") };
        table.add_row([
            work,
            side(&pair.first),
            side(&pair.second),
            ratio_text(pair),
            differing.join("\n"),
        ]);
    }
    out.push(trimmed(&table));
    out.push(wrapped(
        &format!(
            "{NOT_PAIRED}: the two were measured apart, so what the machine did meanwhile is in \
             every ratio. Intervals are Welch's on logarithms, of the ratio of geometric means, from \
             {FEWEST_FOR_INTERVAL} samples on each side"
        ),
        width,
        2,
    ));
    out.join("\n") + "\n"
}

/// The same for programs.
#[must_use]
pub fn parallels_json((first, second): (&str, &str), found: &[Parallel]) -> Value {
    let side = |side: &OneSide| {
        json!({
            "label": side.label,
            "n": side.values.len(),
            "median": stats::median(&side.values),
            "unit": side.unit,
            "summary_only": side.kind == SeriesKind::SummaryOnly,
        })
    };
    let pairs: Vec<Value> = found
        .iter()
        .map(|pair| {
            let of_means = pair.unpaired.and_then(|unpaired| unpaired.of_means);
            json!({
                "first": side(&pair.first),
                "second": side(&pair.second),
                "settings_that_differ": pair.differing,
                "ratio_of_medians": pair.unpaired.map(|unpaired| unpaired.of_medians),
                "ratio_of_geometric_means": of_means.map(|(point, _, _)| libm::exp(point)),
                "lo": of_means.map(|(_, lo, _)| libm::exp(lo)),
                "hi": of_means.map(|(_, _, hi)| libm::exp(hi)),
                "interval_reason": of_means.is_none().then(|| no_interval(pair)),
            })
        })
        .collect();
    json!({ "first": first, "second": second, "pairs": pairs, "verdict": null, "verdict_reason": NOT_PAIRED })
}

fn heading(imported: &Imported, width: usize) -> String {
    let tests = super::rows::counted(u32::try_from(imported.series.len()).unwrap_or(0), "test");
    let text = format!(
        "imported/{}: {} ({}), {tests}, {} values; file {}, BLAKE3 {}; imported {}",
        imported.name,
        imported.tool,
        imported.written_as,
        imported.samples.rows,
        imported.source.file,
        imported.source.blake3.short(),
        imported.imported_at
    );
    wrapped(&text, width, 2)
}

fn common_settings(series: &[Series]) -> Vec<&String> {
    let Some((first, rest)) = series.split_first() else { return Vec::new() };
    if rest.is_empty() {
        return Vec::new();
    }
    let alike = first
        .settings
        .iter()
        .filter(|(key, value)| rest.iter().all(|other| other.settings.get(*key) == Some(value)));
    alike.map(|(key, _)| key).collect()
}

fn figures(series: &Series, values: &[f64]) -> (String, String) {
    match stats::quartiles(values) {
        Some(found) if series.kind == SeriesKind::Samples => (
            quantity(found.median, &series.unit),
            if values.len() > 1 {
                format!("{} to {}", significant(found.first), significant(found.third))
            } else {
                "one sample".to_owned()
            },
        ),
        Some(found) => (quantity(found.median, &series.unit), series.kind.label().to_owned()),
        None => ("none".to_owned(), "none".to_owned()),
    }
}

fn side(side: &OneSide) -> String {
    let median = stats::median(&side.values).map_or("none".to_owned(), |m| quantity(m, &side.unit));
    match side.kind {
        SeriesKind::Samples => format!("{median}\nn {}", side.values.len()),
        SeriesKind::SummaryOnly => format!("{median}\n{}", side.kind.label()),
    }
}

fn ratio_text(pair: &Parallel) -> String {
    let Some(unpaired) = pair.unpaired else { return "none".to_owned() };
    let medians = format!("medians {:.3}x", unpaired.of_medians);
    match unpaired.of_means {
        Some((point, lo, hi)) => {
            let [point, lo, hi] = [point, lo, hi].map(super::figures::ratio);
            format!("{medians}\nmeans {point}\n{lo} to {hi}\nat 95 %")
        }
        None => format!("{medians}\n{}", no_interval(pair)),
    }
}

fn no_interval(pair: &Parallel) -> String {
    if [&pair.first, &pair.second].iter().any(|side| side.kind == SeriesKind::SummaryOnly) {
        return format!("no interval ({})", SeriesKind::SummaryOnly.label());
    }
    format!("no interval (under {FEWEST_FOR_INTERVAL} samples)")
}
