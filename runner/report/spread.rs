//! The structure of a record's noise as a table and as JSON.

use serde_json::{Value, json};

use super::escape::plain_text;
use super::figures::significant;
use super::rows::counted;
use super::terminal::{Style, new_table, trimmed};
use crate::record::Record;
use crate::verdict::{
    Advice, ConditionSpread, CostFigures, Estimated, Level, LevelSpread, SizedLayout,
};

/// Why a condition value has no spread.
const NO_SPREAD: &str = "no two whole rounds of two accepted blocks";

/// Why there are no costs.
const NO_COSTS: &str = "no clock was kept, or no second round";

/// Spread by level, costs and sizes for each condition value, `width` columns wide or less. Ends
/// with a newline.
#[must_use]
pub fn spread_table(
    record: &Record,
    spreads: &[(String, Option<ConditionSpread>)],
    width: usize,
    style: Style,
) -> String {
    let plan = &record.plan;
    let head = format!("{}/{}: {}", record.sealed.id, record.sealed.run, plan.title);
    let mut table = new_table(width, style);
    table.set_header(vec![
        "condition",
        "spread, sd\nof levels",
        "cost of one",
        "interval\nof this size",
        "best sizes\nrounds x blocks",
    ]);
    for (label, found) in spreads {
        table.add_row(match found {
            Some(spread) => row(label, spread),
            None => {
                vec![name(label), NO_SPREAD.to_owned(), String::new(), String::new(), String::new()]
            }
        });
    }
    let notes = [
        "All spreads and half widths (95 %) are 100 times the log ratio of off again over off.",
        "A level's spread is what it adds to the one below; a whole block's is with its chunks.",
        &format!(
            "Costs are wall time with {}; a round's is without its blocks.",
            counted(plan.arms.len() as u32, "arm")
        ),
    ];
    format!("{}\n{}\n{}\n", plain_text(&head), trimmed(&table), notes.join("\n"))
}

fn name(label: &str) -> String {
    let text = if label.is_empty() { "all".to_owned() } else { plain_text(label) };
    text.replace('=', "\n= ")
}

fn row(label: &str, spread: &ConditionSpread) -> Vec<String> {
    let mut size =
        vec![name(label), counted(spread.rounds, "round"), counted(spread.blocks, "block")];
    if spread.stalled_blocks > 0 {
        size.push(format!("({} stalled)", spread.stalled_blocks));
    }
    let mut levels: Vec<String> = spread.levels.iter().map(level_text).collect();
    levels.push(format!("whole block {}", significant(spread.whole_block_sd_percent)));
    levels.push(format!("round value {}", significant(spread.round_value_sd_percent)));
    let costs = spread.costs.as_ref().map_or_else(|| NO_COSTS.to_owned(), cost_text);
    vec![
        size.join("\n"),
        levels.join("\n"),
        costs,
        reached(spread),
        spread.advice.iter().map(advice_text).collect::<Vec<String>>().join("\n"),
    ]
}

fn level_word(level: Level) -> &'static str {
    match level {
        Level::Round => "round",
        Level::Block => "block",
        Level::Chunk => "chunk",
    }
}

fn level_text(found: &LevelSpread) -> String {
    let word = level_word(found.level);
    match found.estimate {
        Estimated::Positive => format!("{word} {}", significant(found.sd_percent)),
        Estimated::BelowZero => format!("{word} 0 (below)"),
    }
}

fn cost_text(costs: &CostFigures) -> String {
    let seconds = |seconds: f64| format!("{} s", significant(seconds));
    let mut lines = vec![
        format!("round {}", seconds(costs.round_seconds)),
        format!("block {}", seconds(costs.block_seconds)),
    ];
    if let Some(chunk) = costs.chunk_seconds {
        lines.push(format!("chunk {}", seconds(chunk)));
        lines.push(counted(costs.chunks, "chunk"));
    }
    lines.join("\n")
}

fn reached(spread: &ConditionSpread) -> String {
    let mut lines = vec![
        format!("se {}", significant(spread.standard_error_percent)),
        format!("± {}", significant(spread.half_width_percent)),
    ];
    if let Some(layout) = &spread.in_ten_minutes {
        lines.push("in 10 min:".to_owned());
        lines.push(size_text(layout));
        lines.push(format!("± {}", significant(layout.half_width_percent)));
    }
    lines.join("\n")
}

fn size_text(layout: &SizedLayout) -> String {
    format!("{} x {}", layout.rounds, layout.blocks_per_round)
}

/// `10 min: 22 x 5`, its half width, and what differs where other choices are free.
fn advice_text(advice: &Advice) -> String {
    let Some(best) = &advice.best else {
        return format!("{} min: too short", advice.minutes);
    };
    let half_width = |layout: &SizedLayout| format!("± {}", significant(layout.half_width_percent));
    let mut lines =
        vec![format!("{} min: {} {}", advice.minutes, size_text(best), half_width(best))];
    if let Some(trimming) = advice.with_trimming.as_ref().filter(|other| *other != best) {
        lines.push(format!("or {} {}", size_text(trimming), half_width(trimming)));
    }
    if let Some(any) = &advice.any_chunks {
        let chunks = counted(any.chunks, "chunk");
        lines.push(format!("{chunks}: {} {}", size_text(any), half_width(any)));
    }
    lines.join("\n")
}

/// The same, whole: `record spread --json`.
#[must_use]
pub fn spread_json(record: &Record, spreads: &[(String, Option<ConditionSpread>)]) -> Value {
    let conditions = spreads.iter().map(|(label, found)| match found {
        Some(spread) => json!({
            "condition": label,
            "spread": spread,
            "reason": spread.costs.is_none().then_some(NO_COSTS),
        }),
        None => json!({ "condition": label, "spread": Value::Null, "reason": NO_SPREAD }),
    });
    json!({
        "record": format!("{}/{}", record.sealed.id, record.sealed.run),
        "arms": record.plan.arms.len(),
        "blocks_per_round": record.plan.design.blocks_per_round,
        "confidence_percent": 95,
        "conditions": conditions.collect::<Vec<Value>>(),
    })
}
