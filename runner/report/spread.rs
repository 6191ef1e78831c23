//! The structure of a record's noise as a table and as JSON.

use serde_json::{Value, json};

use super::escape::plain_text;
use super::figures::significant;
use super::labelled::fitted_line;
use super::rows::counted;
use super::terminal::{Style, new_table, trimmed};
use crate::record::Record;
use crate::verdict::{Advice, ConditionSpread, CostFigures, Estimated, Level, SizedLayout};

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
    let arms = counted(plan.arms.len() as u32, "arm");
    let mut out = vec![
        plain_text(&head),
        "spread of off again over off (100 times the log ratio) that each level adds:".to_owned(),
        levels_table(spreads, width, style),
        format!("cost of one in wall time with {arms}, and the 95 % interval of this size:"),
        costs_table(spreads, width, style),
        "rounds x blocks with the narrowest 95 % interval:".to_owned(),
        sizes_table(spreads, width, style),
    ];
    let below = |spread: &ConditionSpread| {
        spread.levels.iter().any(|level| level.estimate == Estimated::BelowZero)
    };
    if there(spreads).any(|(_, spread)| below(spread)) {
        out.push(
            "0 (below): the estimate of the variance is below zero, and counts as none".to_owned(),
        );
    }
    for (label, found) in spreads {
        let why = match found {
            None => NO_SPREAD,
            Some(spread) if spread.costs.is_none() => NO_COSTS,
            Some(_) => continue,
        };
        out.push(format!("{}: {why}", name(label)));
    }
    let fitted = |part: &String| match part.contains('\n') {
        true => part.clone(), // a table
        false => fitted_line(part, width),
    };
    out.iter().map(fitted).collect::<Vec<String>>().join("\n") + "\n"
}

fn name(label: &str) -> String {
    if label.is_empty() { "all".to_owned() } else { plain_text(label) }
}

fn table(header: &[&str], rows: Vec<Vec<String>>, width: usize, style: Style) -> String {
    let mut table = new_table(width, style);
    table.set_header(header.to_vec());
    for row in rows {
        table.add_row(row);
    }
    trimmed(&table)
}

/// Condition values that have a spread, their names broken before the value.
fn there(
    spreads: &[(String, Option<ConditionSpread>)],
) -> impl Iterator<Item = (String, &ConditionSpread)> {
    spreads
        .iter()
        .filter_map(|(label, found)| Some((name(label).replace('=', "\n= "), found.as_ref()?)))
}

fn levels_table(
    spreads: &[(String, Option<ConditionSpread>)],
    width: usize,
    style: Style,
) -> String {
    let row = |(name, spread): (String, &ConditionSpread)| {
        let mut size = vec![counted(spread.rounds, "round"), counted(spread.blocks, "block")];
        if spread.stalled_blocks > 0 {
            size.push(format!("({} stalled)", spread.stalled_blocks));
        }
        vec![
            name,
            size.join("\n"),
            level_text(spread, Level::Round),
            level_text(spread, Level::Block),
            level_text(spread, Level::Chunk),
            percent(spread.whole_block_sd_percent),
            percent(spread.round_value_sd_percent),
        ]
    };
    let header =
        ["condition", "measured", "round", "block", "chunk", "whole\nblock", "round's\nvalue"];
    table(&header, there(spreads).map(row).collect(), width, style)
}

fn costs_table(
    spreads: &[(String, Option<ConditionSpread>)],
    width: usize,
    style: Style,
) -> String {
    let row = |(name, spread): (String, &ConditionSpread)| {
        let cost = |of: &dyn Fn(&CostFigures) -> Option<f64>| {
            let cost = spread.costs.as_ref().and_then(of);
            cost.map_or_else(none, |seconds| format!("{} s", significant(seconds)))
        };
        let chunks = spread.costs.as_ref().and_then(|costs| {
            costs.chunk_seconds.map(|_| format!("\n{}", counted(costs.chunks, "chunk")))
        });
        vec![
            name,
            cost(&|costs| Some(costs.round_seconds)),
            cost(&|costs| Some(costs.block_seconds)) + &chunks.unwrap_or_default(),
            cost(&|costs| costs.chunk_seconds),
            format!("± {}", percent(spread.half_width_percent)),
            spread.in_ten_minutes.as_ref().map_or_else(none, size_text),
        ]
    };
    let header =
        ["condition", "round, without\nits blocks", "block", "chunk", "reached", "in 10 minutes"];
    table(&header, there(spreads).map(row).collect(), width, style)
}

fn sizes_table(
    spreads: &[(String, Option<ConditionSpread>)],
    width: usize,
    style: Style,
) -> String {
    let of_advice = |name: &str, advice: &Advice| {
        let chunks = advice.any_chunks.as_ref().map_or_else(none, |layout| {
            let chunks = counted(layout.chunks, "chunk");
            size_text(layout).replace('\n', &format!(", {chunks}\n"))
        });
        let too_short = || "too short".to_owned();
        vec![
            name.to_owned(),
            format!("{} min", advice.minutes),
            advice.best.as_ref().map_or_else(too_short, size_text),
            advice.with_trimming.as_ref().map_or_else(too_short, size_text),
            chunks,
        ]
    };
    let rows = there(spreads).flat_map(|(name, spread)| {
        let rows = spread.advice.iter().map(|advice| of_advice(&name, advice));
        rows.collect::<Vec<Vec<String>>>()
    });
    let header = [
        "condition",
        "wall time",
        "any number\nof blocks",
        "four blocks\nor more",
        "and any number\nof chunks",
    ];
    table(&header, rows.collect(), width, style)
}

fn none() -> String {
    "none".to_owned()
}

fn percent(value: f64) -> String {
    if value.is_finite() { format!("{value:.2}") } else { none() }
}

fn level_text(spread: &ConditionSpread, level: Level) -> String {
    let found = spread.levels.iter().find(|found| found.level == level);
    found.map_or_else(none, |found| match found.estimate {
        Estimated::Positive => percent(found.sd_percent),
        Estimated::BelowZero => "0 (below)".to_owned(),
    })
}

/// `22 x 4`, and the half width below it.
fn size_text(layout: &SizedLayout) -> String {
    let size = format!("{} x {}", layout.rounds, layout.blocks_per_round);
    format!("{size}\n± {}", percent(layout.half_width_percent))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::example;
    use crate::verdict::LevelSpread;

    fn level(level: Level, sd_percent: f64) -> LevelSpread {
        let estimate = if sd_percent > 0.0 { Estimated::Positive } else { Estimated::BelowZero };
        LevelSpread { level, sd_percent, freedom: 9, estimate }
    }

    fn layout(rounds: u32, blocks_per_round: u32, half_width_percent: f64) -> SizedLayout {
        SizedLayout { rounds, blocks_per_round, chunks: 3, half_width_percent, minutes: 9.5 }
    }

    fn spreads() -> Vec<(String, Option<ConditionSpread>)> {
        let advice = |minutes, best| Advice {
            minutes,
            best,
            with_trimming: best.map(|_| layout(26, 4, 0.912)),
            any_chunks: best.map(|_| layout(30, 4, 0.881)),
        };
        let cut = ConditionSpread {
            condition: "chunk_tokens=8".to_owned(),
            rounds: 10,
            blocks: 60,
            stalled_blocks: 1,
            levels: vec![
                level(Level::Round, 0.0),
                level(Level::Block, 2.251),
                level(Level::Chunk, 7.918),
            ],
            whole_block_sd_percent: 4.722,
            round_value_sd_percent: 1.527,
            standard_error_percent: 0.483,
            half_width_percent: 1.092,
            costs: Some(CostFigures {
                round_seconds: 1.3234,
                block_seconds: 2.135,
                chunk_seconds: Some(0.4396),
                chunks: 4,
            }),
            in_ten_minutes: Some(layout(42, 6, 0.476)),
            advice: vec![advice(5, None), advice(10, Some(layout(29, 2, 0.872)))],
        };
        let whole = ConditionSpread {
            condition: "chunk_tokens=48".to_owned(),
            stalled_blocks: 0,
            levels: vec![level(Level::Round, 0.4), level(Level::Block, 3.9)],
            costs: None,
            in_ten_minutes: None,
            advice: Vec::new(),
            ..cut.clone()
        };
        vec![
            (cut.condition.clone(), Some(cut)),
            (whole.condition.clone(), Some(whole)),
            ("chunk_tokens=2".to_owned(), None),
        ]
    }

    #[test]
    fn a_table_of_each_part_with_units_and_reasons() {
        let table = spread_table(&example::win(), &spreads(), 80, Style::Plain);
        insta::assert_snapshot!(table, @r"
        flash/20261129-170000: Flash attention
        spread of off again over off (100 times the log ratio) that each level adds:
        ┌──────────────┬─────────────┬───────────┬───────┬───────┬───────┬─────────┐
        │ condition    ┆ measured    ┆ round     ┆ block ┆ chunk ┆ whole ┆ round's │
        │              ┆             ┆           ┆       ┆       ┆ block ┆ value   │
        ╞══════════════╪═════════════╪═══════════╪═══════╪═══════╪═══════╪═════════╡
        │ chunk_tokens ┆ 10 rounds   ┆ 0 (below) ┆ 2.25  ┆ 7.92  ┆ 4.72  ┆ 1.53    │
        │ = 8          ┆ 60 blocks   ┆           ┆       ┆       ┆       ┆         │
        │              ┆ (1 stalled) ┆           ┆       ┆       ┆       ┆         │
        ├╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌┤
        │ chunk_tokens ┆ 10 rounds   ┆ 0.40      ┆ 3.90  ┆ none  ┆ 4.72  ┆ 1.53    │
        │ = 48         ┆ 60 blocks   ┆           ┆       ┆       ┆       ┆         │
        └──────────────┴─────────────┴───────────┴───────┴───────┴───────┴─────────┘
        cost of one in wall time with 3 arms, and the 95 % interval of this size:
        ┌──────────────┬────────────┬──────────┬──────────┬─────────┬───────────────┐
        │ condition    ┆ round,     ┆ block    ┆ chunk    ┆ reached ┆ in 10 minutes │
        │              ┆ without    ┆          ┆          ┆         ┆               │
        │              ┆ its blocks ┆          ┆          ┆         ┆               │
        ╞══════════════╪════════════╪══════════╪══════════╪═════════╪═══════════════╡
        │ chunk_tokens ┆ 1.323 s    ┆ 2.135 s  ┆ 0.4396 s ┆ ± 1.09  ┆ 42 x 6        │
        │ = 8          ┆            ┆ 4 chunks ┆          ┆         ┆ ± 0.48        │
        ├╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┤
        │ chunk_tokens ┆ none       ┆ none     ┆ none     ┆ ± 1.09  ┆ none          │
        │ = 48         ┆            ┆          ┆          ┆         ┆               │
        └──────────────┴────────────┴──────────┴──────────┴─────────┴───────────────┘
        rounds x blocks with the narrowest 95 % interval:
        ┌──────────────┬───────────┬────────────┬─────────────┬──────────────────┐
        │ condition    ┆ wall time ┆ any number ┆ four blocks ┆ and any number   │
        │              ┆           ┆ of blocks  ┆ or more     ┆ of chunks        │
        ╞══════════════╪═══════════╪════════════╪═════════════╪══════════════════╡
        │ chunk_tokens ┆ 5 min     ┆ too short  ┆ too short   ┆ none             │
        │ = 8          ┆           ┆            ┆             ┆                  │
        ├╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┤
        │ chunk_tokens ┆ 10 min    ┆ 29 x 2     ┆ 26 x 4      ┆ 30 x 4, 3 chunks │
        │ = 8          ┆           ┆ ± 0.87     ┆ ± 0.91      ┆ ± 0.88           │
        └──────────────┴───────────┴────────────┴─────────────┴──────────────────┘
        0 (below): the estimate of the variance is below zero, and counts as none
        chunk_tokens=48: no clock was kept, or no second round
        chunk_tokens=2: no two whole rounds of two accepted blocks
        ");
    }

    #[test]
    fn json_has_a_reason_where_there_is_no_number() {
        let json = spread_json(&example::win(), &spreads());
        assert_eq!(json["conditions"][0]["spread"]["levels"][1]["level"], "block");
        assert_eq!(json["conditions"][0]["reason"], Value::Null);
        assert_eq!(json["conditions"][1]["spread"]["costs"], Value::Null);
        assert_eq!(json["conditions"][1]["reason"], NO_COSTS);
        assert_eq!(json["conditions"][2]["spread"], Value::Null);
        assert_eq!(json["conditions"][2]["reason"], NO_SPREAD);
    }
}
