//! `runner try`: the quick look, paired and with a noise floor, that is never a verdict.

use runner::exec::{self, Pilot, PilotResult, PilotWork};
use runner::manifest::{ExperimentId, to_toml};
use runner::{Failure, report};
use serde_json::json;

use super::context::App;
use super::outcome::Outcome;
use super::progress::Progress;
use super::{init, stamp, try_settings};

/// As many as the longest contexts of today's models hold.
const MOST_TOKENS: i64 = 1 << 20;

/// What to look at.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A model of the catalogue, or the path of a GGUF file
    model: String,
    /// The setting, or `form`, and its values; the first is off: `flash_attention=off,on`
    #[arg(long, value_name = "SETTING=OFF,ON…")]
    vary: String,
    /// Time prefills of this many tokens
    #[arg(long, value_name = "TOKENS", conflicts_with = "decode", value_parser = tokens(1))]
    prefill: Option<u32>,
    /// Time decoding of this many tokens (the default, 48)
    #[arg(long, value_name = "TOKENS", value_parser = tokens(1))]
    decode: Option<u32>,
    /// Filler in the KV cache before the work
    #[arg(long, value_name = "TOKENS", default_value_t = 0, value_parser = tokens(0))]
    depth: u32,
    /// A setting of every arm: `threads=2`; may be given several times
    #[arg(long = "set", value_name = "SETTING=VALUE")]
    settings: Vec<String>,
    /// The workload
    #[arg(long, value_name = "SET", default_value = "prose-48")]
    inputs: String,
    /// How long to measure
    #[arg(long, default_value_t = 2.0, value_parser = minutes)]
    minutes: f64,
    /// Write a manifest for a registered experiment, with the noise that was seen
    #[arg(long, value_name = "ID")]
    save: Option<String>,
}

fn tokens(least: i64) -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(least..=MOST_TOKENS)
}

fn minutes(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(minutes) if (0.05..=60.0).contains(&minutes) => Ok(minutes),
        _ => Err("a look takes 0.05 to 60 minutes".to_owned()),
    }
}

/// Runs the pilot, stores it, and prints ratios with intervals.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let project = app.project()?;
    let save = arguments.save.clone().map(ExperimentId::try_from).transpose().map_err(|bad| {
        Failure::usage(bad.why).at("--save").hint("write, for example, `--save my-question`")
    })?;
    let file = save.as_ref().map(|id| project.root.join("experiments").join(format!("{id}.toml")));
    if let Some(path) = file.as_ref().filter(|path| path.exists()) {
        return Err(Failure::usage("the file is there already")
            .at(path.display())
            .hint("choose another id for --save"));
    }
    let vary = try_settings::vary(&arguments.vary)?;
    let settings = try_settings::fixed(&arguments.settings, &vary)?;
    let pilot = Pilot {
        id: save,
        model: arguments.model.clone(),
        setting: vary.key,
        values: vary.values,
        settings,
        work: match arguments.prefill {
            Some(tokens) => PilotWork::Prefill { tokens },
            None => PilotWork::Decode { tokens: arguments.decode.unwrap_or(48) },
        },
        depth_tokens: arguments.depth,
        inputs: arguments.inputs.clone(),
        minutes: arguments.minutes,
    };
    let mut progress = Progress::new(app.terminal, app.global.json);
    let result = exec::pilot(&pilot, &project, &stamp::build_stamp(), &mut progress);
    progress.done();
    let result = result?;
    if let Some(path) = &file {
        init::write_new(path, &to_toml(&result.plan_to_register))?;
    }
    if app.global.json {
        let mut value = result.to_json();
        value["manifest"] = json!(file);
        app.terminal.json(&value)?;
        return Ok(Outcome::Done);
    }
    app.terminal.line(table(&result, app.terminal.width))?;
    if let Some(path) = &file {
        app.terminal.note(format!(
            "wrote {0}; state a hypothesis, margin and contract, then `runner check {0}`",
            path.display()
        ))?;
        if result.plan_to_register.noise.source.is_none() {
            app.terminal.note(
                "too little was measured to tell the noise: the spreads in it are guesses, to be \
                 replaced after a look on a quieter machine",
            )?;
        }
    }
    Ok(Outcome::Done)
}

fn table(result: &PilotResult, width: usize) -> String {
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::UTF8_FULL);
    table.set_width(u16::try_from(width).unwrap_or(u16::MAX));
    table.set_content_arrangement(comfy_table::ContentArrangement::Dynamic);
    table.set_header(["arm", "median", "ratio to off", "95 % interval", "pooled", "n"]);
    for arm in &result.arms {
        let percent = |effect: &runner::verdict::Effect| match (effect.lo, effect.hi) {
            (Some(lo), Some(hi)) => {
                format!("{} to {}", report::percent_change(lo), report::percent_change(hi))
            }
            _ => "too few rounds".to_owned(),
        };
        table.add_row([
            arm.name.clone(),
            arm.spread.as_ref().map_or_else(
                || "none".to_owned(),
                |spread| report::quantity(spread.median, result.unit),
            ),
            arm.effect.as_ref().map_or_else(String::new, |effect| {
                format!(
                    "{} ({})",
                    report::ratio(effect.log_ratio),
                    report::percent_change(effect.log_ratio)
                )
            }),
            arm.effect.as_ref().map_or_else(String::new, percent),
            arm.pooled.as_ref().map_or_else(String::new, percent),
            arm.effect.as_ref().map_or_else(String::new, |effect| format!("{} rounds", effect.n)),
        ]);
    }
    let mut lines = vec![table.to_string()];
    lines.extend(result.notes.iter().map(|note| format!("note: {note}")));
    lines.push("a pilot, never a verdict: `--save ID` makes a manifest of it".to_owned());
    lines.push(format!("stored as {}", result.stored_as));
    lines.join("\n")
}
