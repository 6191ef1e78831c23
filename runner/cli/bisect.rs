//! `runner bisect`: where two computations of the same text part.

use std::path::{Path, PathBuf};

use comfy_table::{Cell, CellAlignment};
use engine_protocol::Settings;
use runner::bisect::{Bisection, Mode, Step, cosine, relative};
use runner::exec::{self, AgainstReference, ArmAgainstOff};
use runner::golden::{GoldenPlace, find_goldens};
use runner::manifest::{WorkerChoice, read_setting};
use runner::project::Project;
use runner::{Failure, FailureKind};

use super::context::App;
use super::outcome::Outcome;

/// Tensors shown on either side of the one that parts.
const REACH: usize = 3;
/// As many as the longest contexts of today's models hold.
const MOST_TOKENS: i64 = 1 << 20;

/// What is held against what.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A golden (the engine against the reference); with --off, --arm or --model-b a model (an arm
    /// against off)
    #[arg(value_name = "GOLDEN|MODEL")]
    subject: String,
    /// The reference's dump, instead of the golden's own `dump-sound.safetensors`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["off", "arm", "model_b"])]
    dump: Option<PathBuf>,
    /// Another model for the engine: a name of the catalogue, or a GGUF file
    #[arg(long, value_name = "FILE|NAME", conflicts_with_all = ["off", "arm", "model_b"])]
    model: Option<String>,
    /// A setting of the engine, of both sides where there are two; may be given several times
    #[arg(long = "set", value_name = "SETTING=VALUE")]
    set: Vec<String>,
    /// A setting of off
    #[arg(long, value_name = "SETTING=VALUE")]
    off: Vec<String>,
    /// A setting of the arm
    #[arg(long, value_name = "SETTING=VALUE")]
    arm: Vec<String>,
    /// Another model for the arm
    #[arg(long, value_name = "FILE|NAME")]
    model_b: Option<String>,
    /// The workload that the text of two arms is from
    #[arg(long, value_name = "SET", default_value = "prose-48")]
    inputs: String,
    /// The item that the text starts with, from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    item: usize,
    /// Length of that text
    #[arg(long, value_name = "TOKENS", default_value_t = 64,
          value_parser = clap::value_parser!(u32).range(1..=MOST_TOKENS))]
    tokens: u32,
    /// Another worker executable
    #[arg(long, value_name = "FILE")]
    worker: Option<String>,
}

/// Bisects and prints.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let project = app.project()?;
    let worker = match &arguments.worker {
        Some(path) => WorkerChoice::Executable(path.clone()),
        None => WorkerChoice::Native,
    };
    let set = settings(&arguments.set, "--set")?;
    let two_arms =
        !arguments.off.is_empty() || !arguments.arm.is_empty() || arguments.model_b.is_some();
    let found = if two_arms {
        let request = ArmAgainstOff {
            model: arguments.subject.clone(),
            arm_model: arguments.model_b.clone(),
            off: set.overlaid(&settings(&arguments.off, "--off")?),
            arm: set.overlaid(&settings(&arguments.arm, "--arm")?),
            inputs: arguments.inputs.clone(),
            item: arguments.item,
            tokens: arguments.tokens as usize,
            worker,
        };
        exec::bisect_arms(&request, &project)?
    } else {
        let place = golden(&arguments.subject, &project)?;
        let request = AgainstReference {
            dump: dump(arguments.dump.as_deref(), &place)?,
            own_model: place.model,
            model: arguments.model.clone(),
            settings: set,
            worker,
        };
        exec::bisect_reference(&request, &project)?
    };
    if app.global.json {
        app.terminal.json(&found.to_json())?;
    } else {
        app.terminal.line(shown(&found, app.terminal.width))?;
    }
    Ok(if found.parts() { Outcome::Found } else { Outcome::Done })
}

fn settings(words: &[String], option: &str) -> Result<Settings, Failure> {
    words.iter().try_fold(Settings::default(), |all, word| {
        let (key, value) = word.split_once('=').ok_or_else(|| {
            Failure::usage(format!("`{word}` is no `setting=value`"))
                .at(option)
                .hint("write, for example, `flash_attention=on`")
        })?;
        if all.named().contains(&key) {
            return Err(Failure::usage(format!("`{key}` is set twice"))
                .at(option)
                .hint("leave one of them out"));
        }
        Ok(all.overlaid(&read_setting(key, value).map_err(|failure| failure.at(option))?))
    })
}

/// A golden by its name, or by its folder.
fn golden(subject: &str, project: &Project) -> Result<GoldenPlace, Failure> {
    let path = Path::new(subject);
    let named = |folder: &Path, name: &str| {
        find_goldens(folder, &[name.to_owned()])?
            .pop()
            .ok_or_else(|| Failure::refused("there is no such golden").at(folder.display()))
    };
    if path.is_dir()
        && let (Ok(full), Some(name)) = (path.canonicalize(), path.file_name())
        && let Some(folder) = full.parent()
    {
        return named(folder, &name.to_string_lossy());
    }
    named(&project.root.join("experiments/goldens"), subject).map_err(|failure| {
        let hint = "with `--off`, `--arm` or `--model-b` two arms of a model are compared instead";
        match failure.kind {
            FailureKind::Usage if failure.hint.is_none() => failure.hint(hint),
            _ => failure,
        }
    })
}

/// The dump to compare with.
fn dump(chosen: Option<&Path>, place: &GoldenPlace) -> Result<PathBuf, Failure> {
    if let Some(chosen) = chosen {
        return Ok(chosen.to_path_buf());
    }
    let folder = place.file.parent().unwrap_or(Path::new("."));
    let sound = folder.join("dump-sound.safetensors");
    if sound.is_file() {
        return Ok(sound);
    }
    Err(Failure::refused("the golden has no dump of the reference's inner tensors")
        .at(sound.display())
        .hint("the oracle makes it (reference/README.md), or name one with `--dump FILE`"))
}

/// The headline, the tensors around the place, and the rest in sentences.
fn shown(found: &Bisection, width: usize) -> String {
    let subject = &found.subject;
    let mut lines = vec![
        format!("model   {}, {} tokens of {}", subject.model, subject.tokens, subject.text),
        format!("{:<7} {}", short(&subject.left), subject.left_is),
        format!("{:<7} {}", short(&subject.right), subject.right_is),
        String::new(),
    ];
    if found.first().is_some() {
        lines.push(table(found, width));
        lines.push(String::new());
    }
    lines.extend(found.sentences());
    lines.join("\n")
}

fn short(side: &str) -> &str {
    if side == "reference" { "ref" } else { side }
}

fn table(found: &Bisection, width: usize) -> String {
    let walk = found.naming();
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_width(u16::try_from(width).unwrap_or(u16::MAX));
    let how = match walk.mode {
        Mode::Fed => "fed the same input",
        Mode::Carried => "carried along",
    };
    table.set_header(["", "tensor", "operation", "cosine", "largest difference", "grown", how]);
    let first = found.first().map(|step| step.name.as_str());
    for step in walk.around(REACH) {
        table.add_row(row(step, Some(step.name.as_str()) == first));
    }
    table.to_string()
}

fn row(step: &Step, is_first: bool) -> Vec<Cell> {
    let right = |text: String| Cell::new(text).set_alignment(CellAlignment::Right);
    vec![
        Cell::new(if is_first { ">" } else { "" }),
        Cell::new(&step.name),
        Cell::new(&step.operation),
        right(cosine(step.divergence.cosine)),
        right(relative(&step.divergence)),
        right(step.growth.map_or_else(String::new, |growth| format!("x {growth:.1}"))),
        Cell::new(if step.parts { "parts" } else { "agrees" }),
    ]
}
