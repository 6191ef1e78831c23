//! `runner workload`: the sets of inputs, and what each is fit for.

use std::path::PathBuf;

use runner::Failure;
use runner::exec::{self, MeasuredSet};
use runner::manifest::{MeasurementClass, WorkerChoice};
use runner::model::{self, Experts};
use runner::workload::calibration::{
    self, Content, Distribution, ExpertUse, Fitness, Measured, Statistic, Unit,
};
use runner::workload::{self, InputSet};
use serde_json::{Value, json};

use super::context::App;
use super::outcome::Outcome;

/// List, or measure.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Sets of inputs, the classes that they name, and the models that they were measured with
    List,
    /// Measure a set once with a model's tokenizer, and store what it is fit for
    Measure {
        /// Name of a set, or the path of its file from the project's root
        set: String,
        /// A model of the catalogue, or the path of a GGUF file
        #[arg(long)]
        model: String,
        /// Let this worker executable tokenise instead of the built-in engine
        #[arg(long, value_name = "FILE")]
        worker: Option<PathBuf>,
    },
}

/// Runs the action.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    match &arguments.action {
        Action::List => list(app),
        Action::Measure { set, model, worker } => measure(app, set, model, worker.as_ref()),
    }
}

fn list(app: &App) -> Result<Outcome, Failure> {
    let project = app.project()?;
    let mut rows = Vec::new();
    let mut unusable = Vec::new();
    for name in workload::set_names(&project)? {
        let found = workload::load(&name, &project)
            .and_then(|set| Ok((calibration::known(&set, &project)?, set)));
        match found {
            Ok((known, set)) => rows.push((set, known)),
            Err(failure) => unusable.push(failure),
        }
    }
    if app.global.json {
        let sets = rows.iter().map(|(set, known)| {
            json!({
                "name": set.name, "items": set.items.len(), "blake3": set.blake3,
                "licence": set.licence, "classes": set.classes,
                "measured_with": models(&known.measured),
                "calibration_of_another_content": known.of_another_content.is_some(),
            })
        });
        let unusable = unusable.iter().map(
            |failure| json!({ "place": failure.place, "what": failure.what, "hint": failure.hint }),
        );
        app.terminal.json(&json!({
            "sets": sets.collect::<Vec<Value>>(), "unusable": unusable.collect::<Vec<Value>>(),
        }))?;
    } else {
        let mut table = plain_table(["name", "items", "names the classes", "measured with"]);
        for (set, known) in &rows {
            let classes: Vec<&str> = set.classes.iter().map(|class| class.key()).collect();
            let mut with = models(&known.measured).join(", ");
            if known.of_another_content.is_some() {
                with.push_str(" (its calibration is of another content: measure again)");
            }
            let items = set.items.len().to_string();
            table.add_row([set.name.clone(), items, classes.join(", "), with]);
        }
        app.terminal.line(wide(table, app))?;
        for failure in &unusable {
            app.terminal.note(format!("not usable: {failure}"))?;
        }
    }
    Ok(if unusable.is_empty() { Outcome::Done } else { Outcome::Found })
}

fn models(measured: &[Measured]) -> Vec<&str> {
    let mut models: Vec<&str> = measured.iter().map(|one| one.model.as_str()).collect();
    models.sort_unstable();
    models.dedup();
    models
}

fn measure(
    app: &App,
    set: &str,
    model: &str,
    worker: Option<&PathBuf>,
) -> Result<Outcome, Failure> {
    let project = app.project()?;
    let set = workload::load(set, &project)?;
    let model = model::resolve(&model::choose(model, &project)?, &project)?;
    let worker = match worker {
        None => WorkerChoice::Native,
        Some(path) => {
            let path = std::path::absolute(path)
                .map_err(|error| Failure::usage(error.to_string()).at(path.display()))?;
            WorkerChoice::Executable(path.display().to_string())
        }
    };
    let executables = exec::executables(&project.root)?;
    let seen = exec::measure_workload(&set, &model, &worker, &executables)?;
    let path = calibration::store(&set, seen.measured.clone(), &project)?;
    let shown = path.strip_prefix(&project.root).unwrap_or(&path).display().to_string();
    if app.global.json {
        app.terminal.json(&as_json(&set, &seen, &shown))?;
    } else {
        say(app, &set, &seen)?;
        app.terminal.note(format!("stored in {shown}: commit it beside the set"))?;
    }
    Ok(Outcome::Done)
}

/// What each class says of the set, in the order of the classes.
fn fitness(seen: &MeasuredSet) -> Vec<(MeasurementClass, Fitness)> {
    let of_class = |class| {
        let fit = calibration::fitness(class, &seen.measured.content, Unit::Tokens);
        let routes = class == MeasurementClass::Routing && seen.experts.is_some();
        let fit = if routes {
            fit.and(calibration::fitness_of_routing(seen.measured.experts.as_ref()))
        } else {
            fit
        };
        (class, fit)
    };
    MeasurementClass::ALL.map(of_class).to_vec()
}

fn as_json(set: &InputSet, seen: &MeasuredSet, stored: &str) -> Value {
    let classes = fitness(seen).into_iter().map(|(class, fit)| {
        json!({
            "class": class.key(), "fit": fit == Fitness::Fit, "against": fit.reasons(),
            "named_by_the_set": set.classes.contains(&class),
        })
    });
    json!({
        "set": set.name, "set_blake3": set.blake3, "measured": seen.measured,
        "routing_unknown": seen.routing_unknown, "classes": classes.collect::<Vec<Value>>(),
        "stored_in": stored,
    })
}

fn say(app: &App, set: &InputSet, seen: &MeasuredSet) -> Result<(), Failure> {
    let measured = &seen.measured;
    app.terminal.line(format!(
        "{}: {} items, {} tokens of {}; set {}, tokenizer {}",
        set.name,
        measured.content.items,
        measured.content.tokens,
        measured.model,
        short(set.blake3.as_str()),
        short(&measured.tokenizer_blake3)
    ))?;
    app.terminal.line(wide(statistics(&measured.content, measured.experts.as_ref()), app))?;
    if let Some(experts) = &measured.experts {
        app.terminal.line(histogram(experts))?;
    }
    if let (Some(Experts { count, used }), Some(why)) = (seen.experts, &seen.routing_unknown) {
        app.terminal
            .line(format!("experts: {used} of {count} a token; their use is unknown: {why}"))?;
    }
    let mut unnamed = Vec::new();
    for (class, fit) in fitness(seen) {
        let word = match &fit {
            Fitness::Fit if calibration::bars(class).is_empty() => "fit: it sets no bar".to_owned(),
            Fitness::Fit => "fit".to_owned(),
            Fitness::Outside(_) => format!("not fit: {}", fit.reasons().join("; ")),
        };
        app.terminal.line(format!("{:<16} {word}", class.key()))?;
        if fit == Fitness::Fit && !set.classes.contains(&class) {
            unnamed.push(class.key());
        }
    }
    if !unnamed.is_empty() {
        app.terminal.note(format!(
            "the set's own `classes` do not name {}: a manifest may only ask for those that it names",
            unnamed.join(", ")
        ))?;
    }
    Ok(())
}

fn statistics(content: &Content, experts: Option<&ExpertUse>) -> comfy_table::Table {
    let mut table =
        plain_table(["over the items", "least", "one in ten", "median", "nine in ten", "most"]);
    let mut row = |statistic: Statistic, found: Option<Distribution>| {
        let mut cells = vec![statistic.words().to_owned()];
        match found {
            Some(Distribution { min, p10, median, p90, max }) => {
                cells.extend([min, p10, median, p90, max].map(|value| value.to_string()));
            }
            None => cells.push("unknown".to_owned()),
        }
        table.add_row(cells);
    };
    for statistic in [
        Statistic::Length,
        Statistic::TokenRepetition,
        Statistic::UniqueTokens,
        Statistic::RepeatedPairs,
        Statistic::RepeatedRuns,
        Statistic::SharedRuns,
        Statistic::LookupHitRate,
        Statistic::CompressedShare,
    ] {
        row(statistic, content.statistic(statistic));
    }
    if let Some(experts) = experts {
        row(Statistic::ExpertEntropy, Some(experts.expert_entropy));
        row(Statistic::RoutingEntropy, Some(experts.routing_entropy));
    }
    table
}

/// One line a layer: how many tokens each expert worked on.
fn histogram(experts: &ExpertUse) -> String {
    let mut lines = vec![format!(
        "experts: {} of {} a token, over {} tokens of {} items",
        experts.used, experts.count, experts.tokens, experts.items
    )];
    for layer in &experts.layer {
        let counts: Vec<String> = layer.tokens_by_expert.iter().map(u64::to_string).collect();
        lines.push(format!(
            "  layer {}: {}; entropy {}",
            layer.layer,
            counts.join(" "),
            layer.expert_entropy
        ));
    }
    lines.join("\n")
}

fn plain_table<const COLUMNS: usize>(header: [&str; COLUMNS]) -> comfy_table::Table {
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_header(header);
    table
}

fn wide(mut table: comfy_table::Table, app: &App) -> String {
    table.set_width(u16::try_from(app.terminal.width).unwrap_or(u16::MAX));
    table.set_content_arrangement(comfy_table::ContentArrangement::Dynamic);
    table.to_string()
}

/// The first digits of a hash.
fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}
