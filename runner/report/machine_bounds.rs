//! A machine's bounds for a terminal.

use super::terminal::{Style, new_table, trimmed};
use crate::record::{Distribution, StoredBounds};

/// Rows of measurements with their distributions, and what is unknown. Ends with a newline.
#[must_use]
pub fn machine_bounds_table(bounds: &StoredBounds, width: usize, style: Style) -> String {
    let cache = bounds.last_level_cache_bytes;
    let mut table = new_table(width, style);
    table.set_header(vec!["measured", "threads", "n", "median", "quartiles", "largest", "unit"]);
    let memory = |what: &str, figures: &[crate::record::MemoryFigure]| -> Vec<Vec<String>> {
        figures
            .iter()
            .map(|figure| {
                let size = size(figure.working_set_bytes);
                let within = cache.is_some_and(|cache| figure.working_set_bytes <= cache);
                let place = if within { " (cache)" } else { "" };
                let values = &figure.bytes_per_second;
                row(format!("{what} {size}{place}"), figure.threads, values, 1e9, "GB/s")
            })
            .collect()
    };
    for cells in memory("read", &bounds.read) {
        table.add_row(cells);
    }
    for cells in memory("copy", &bounds.copy) {
        table.add_row(cells);
    }
    for figure in &bounds.multiply_adds {
        let name = format!("multiply-add {}", figure.operand);
        table.add_row(row(name, figure.threads, &figure.per_second, 1e9, "G/s"));
    }
    if let Some(steps) = &bounds.timer_nanoseconds {
        table.add_row(row("timer step".to_owned(), 1, steps, 1.0, "ns"));
    }
    let mut lines = vec![
        format!(
            "{}, measured {} in {:.1} s with {} instructions",
            bounds.machine, bounds.at, bounds.seconds, bounds.instructions
        ),
        trimmed(&table),
    ];
    lines.push(match cache {
        Some(bytes) => format!("last-level cache: {}", size(bytes)),
        None => "last-level cache: unknown".to_owned(),
    });
    if bounds.timer_nanoseconds.is_none() {
        lines.push("timer step: unknown (no step was seen)".to_owned());
    }
    lines.extend(bounds.largest().1.into_iter().map(|what| format!("unknown: {what}")));
    lines.join("\n") + "\n"
}

fn row(
    name: String,
    threads: u32,
    values: &Distribution,
    unit: f64,
    unit_name: &str,
) -> Vec<String> {
    let figure = |value: f64| super::figures::significant(value / unit);
    vec![
        name,
        threads.to_string(),
        values.n.to_string(),
        figure(values.median),
        format!("{} to {}", figure(values.q1), figure(values.q3)),
        figure(values.greatest),
        unit_name.to_owned(),
    ]
}

/// `256 KiB`, `64 MiB`.
fn size(bytes: u64) -> String {
    if bytes < 1 << 20 {
        return format!("{} KiB", bytes >> 10);
    }
    format!("{} MiB", bytes >> 20)
}
