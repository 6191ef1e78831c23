//! `runner plan`: what an experiment costs and what it can show, before it is run.

use std::path::{Path, PathBuf};

use runner::Failure;
use runner::design::history::most_steps;
use runner::design::{self, Cost, MeasuredRun, Operating, Reach, TimeEstimate};
use runner::exec::{self, Executables, Prepared};
use runner::manifest::{
    History, NoiseSource, Plan, Role, WorkerChoice, manifest_hash, question_key,
};
use runner::project::Project;
use runner::record::{self, FrozenHistory, PriorExperiment, prior_experiments, worker_name};
use runner::report::{self, Style};
use runner::verdict::{ArmSlice, extent as extent_words, own_inputs_words};
use serde_json::json;

use super::context::App;
use super::outcome::Outcome;
use super::output_file;
use super::register;
use super::terminal::Color;

/// Which manifest.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The manifest
    file: PathBuf,
    /// Also write the chances of each outcome against the true effect, as an SVG plot
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

/// Tokenises the workload with the model, and prints lengths, cost, chances and earlier runs.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let project = app.project()?;
    let read = app.read(&arguments.file, &project)?;
    let searched = match &read.reading.plan.history {
        None => None,
        Some(asked) => {
            let history = exec::history_commits(&read.reading.plan, &project)?;
            let step = register::first_step(&read.reading.plan, &history)?;
            Some((step, searched_text(asked, &history)))
        }
    };
    let plan = searched.as_ref().map_or(&read.reading.plan, |(step, _)| step);
    let executables = exec::ready(plan, &project)?;
    let prepared = Prepared::with_gaps(plan, &project)?;
    let weights = weights(plan, &prepared);
    let memory = exec::plan_memory(plan, &prepared);
    let missing_forms = prepared.forms.remedy(&prepared.model);
    // what a design can show does not depend on a worker that is not built yet
    let missing = missing_worker(plan, &project, &executables);
    let tokens = match &missing {
        None => Some(exec::check_lengths(plan, &prepared, &executables)?.lengths),
        Some(_) => None,
    };
    let primitives = exec::primitives_of(plan, &prepared)?;
    let items = prepared.set.items.len();
    let schedule = design::schedule(plan, items);
    let cost = design::cost(plan, &schedule);
    let prior = prior_experiments(&project, &question_key(plan))?;
    let art = record::prior_art(&project, plan)?;
    let runs = prior.iter().filter(|one| one.run.is_some()).count();
    let time = time(plan, &cost, &prior, items, &project);
    let operating = design::operating(plan, Some(items), time);
    let reach = match &operating {
        Ok(operating) => operating.reach.clone(),
        Err(_) => design::reach(plan, Some(items)),
    };
    if let Some(path) = &arguments.plot {
        write_plot(&project, path, plan, operating.as_ref().map_err(ToString::to_string))?;
    }
    if app.global.json {
        app.terminal.json(&json!({
            "id": plan.id, "manifest_hash": manifest_hash(plan).to_string(),
            "items": items, "tokens": tokens.as_ref().map(|lengths| lengths.iter().sum::<usize>()),
            "missing_worker": missing,
            "blocks": cost.blocks, "timed_tokens": cost.timed_tokens,
            "untimed_tokens": cost.untimed_tokens, "prompt_tokens": cost.prompt_tokens,
            "depth_tokens": cost.depth_tokens, "contract_tokens": cost.contract_tokens,
            "model_copies": cost.model_copies, "model_bytes": prepared.model.bytes,
            "kv_bytes_estimated": memory.kv_bytes(),
            "compute_bytes_estimated": memory.compute_bytes(),
            "over_budget": memory.over_budget(plan),
            "slices": prepared.slices.of_arms(plan),
            "primitives": &primitives,
            "weights_bytes": weights.bytes, "missing_forms": &prepared.forms.missing,
            "reach": reach, "operating": operating.as_ref().ok(),
            "not_simulated": operating.as_ref().err().map(ToString::to_string),
            "earlier_runs_on_this_question": runs, "prior_art": report::prior_art_json(&art),
        }))?;
        return Ok(Outcome::Done);
    }
    let cap_minutes = plan.stop.cap_minutes();
    let inputs = match &tokens {
        _ if !plan.workload.work.reads_text() => {
            format!("no texts: {items} places at which a rotation over buffers begins")
        }
        Some(lengths) => format!(
            "{items} items of {} to {} tokens, {} in all",
            lengths.iter().min().copied().unwrap_or(0),
            lengths.iter().max().copied().unwrap_or(0),
            lengths.iter().sum::<usize>()
        ),
        None => format!(
            "{items} items; tokens unknown until the worker `{}` is built",
            missing.as_deref().unwrap_or_default()
        ),
    };
    let judged = plan.arms.iter().any(|arm| arm.role == Role::Treatment);
    let mut lines = vec![
        format!("{}: {}", plan.id, plan.title),
        format!("manifest    {}", manifest_hash(plan)),
        format!("inputs      {inputs}"),
    ];
    let own = plan.arms.iter().filter_map(|arm| own_inputs_words(plan, arm.name.as_str(), "works"));
    lines.extend(own.map(|words| format!("            {words}")));
    lines.extend([
        format!("extent      {}", extent(plan, &prepared)),
        format!(
            "schedule    {} arms, {} rounds, {} blocks in all; cap {cap_minutes} min",
            plan.arms.len(),
            plan.design.rounds,
            cost.blocks
        ),
        format!(
            "tokens      {} timed, {} untimed beside them, {} in prompts, {} to depth, {} for \
             contracts",
            cost.timed_tokens,
            cost.untimed_tokens,
            cost.prompt_tokens,
            cost.depth_tokens,
            cost.contract_tokens
        ),
        format!(
            "memory      {} copies of the model at once, {:.0} MB of weights{}",
            cost.model_copies,
            weights.bytes as f64 / 1e6,
            match weights.unknown {
                0 => String::new(),
                arms => format!(", and {arms} of unknown size"),
            }
        ),
        format!(
            "            about {} of KV cache and {} or more of scratch beside them{}",
            about(memory.kv_bytes()),
            about(memory.compute_bytes()),
            budget(plan)
        ),
        format!(
            "earlier     {runs} runs on this question{}",
            if runs == 0 { "" } else { "; `register` will list them" }
        ),
    ]);
    let short = report::prior_art_short(&art, &arguments.file.display().to_string());
    let headed = std::iter::once("prior art   ").chain(std::iter::repeat("            "));
    lines.extend(headed.zip(short).map(|(head, line)| format!("{head}{line}")));
    if judged {
        lines.push(format!("judged by   {}", judged_by(plan, &reach)));
        lines.push(format!("chances     {}", reach.without_effect));
        lines.push(format!("            {}", reach.with_expected_effect));
    } else {
        lines.push(
            "judged by   nothing: no arm is a treatment; all others are described".to_owned(),
        );
    }
    if let Some((_, text)) = &searched {
        app.terminal.line(report::labelled_line(text, app.terminal.line_width))?;
    }
    let computes = primitives.iter().map(|primitive| format!("computes    {primitive}"));
    for line in lines.into_iter().chain(computes) {
        app.terminal.line(report::labelled_line(&line, app.terminal.line_width))?;
    }
    match &operating {
        Ok(_) if !judged => {}
        Ok(operating) => {
            app.terminal.line(report::operating_text(operating, app.terminal.width, style(app)))?;
        }
        Err(why) => app.terminal.note(format!("no chances can be given: {why}"))?,
    }
    if let Some(path) = &arguments.plot {
        app.terminal.note(format!("the plot is in {}", path.display()))?;
    }
    for over in memory.over_budget(plan) {
        app.terminal.note(format!("{over}: `exec` would refuse"))?;
    }
    if let Some(remedy) = missing_forms {
        app.terminal.note(format!("not made yet: run `{remedy}`; `register` would refuse"))?;
    }
    if judged && !reach.is_reached() {
        app.terminal.note("`register` would refuse this design: a chance is under 80 %")?;
    }
    Ok(Outcome::Done)
}

/// How long a search may be.
fn searched_text(asked: &History, history: &FrozenHistory) -> String {
    let commits = history.commits.len();
    let most = most_steps(commits, asked.repeats_at_most);
    let different = most / (1 + asked.repeats_at_most) + 1;
    format!(
        "search      {commits} commits after {}: at most {most} steps, {} where none is repeated, and \
         as a rule at most {different} builds; below, the first step: good against bad",
        history.good,
        different - 1
    )
}

/// Estimated bytes, in words.
fn about(bytes: Option<u64>) -> String {
    bytes
        .map_or_else(|| "unknown bytes".to_owned(), |bytes| format!("{:.0} MB", bytes as f64 / 1e6))
}

/// The registered budget, in words.
fn budget(plan: &Plan) -> String {
    let Some(budget) = &plan.budget else { return String::new() };
    let all = budget.memory_megabytes.map(|most| format!("{most} MB for all arms"));
    let each = budget.arm_megabytes.map(|most| format!("{most} MB for one arm"));
    let of_type = budget.buffer_megabytes.iter();
    let of_type = of_type.map(|(name, most)| format!("{most} MB in buffers of type {name}"));
    let parts: Vec<String> = all.into_iter().chain(each).chain(of_type).collect();
    format!("; budget: {}", parts.join(", "))
}

fn style(app: &App) -> Style {
    match app.terminal.color {
        Color::Ansi => Style::Coloured,
        Color::Plain => Style::Plain,
    }
}

fn judged_by(plan: &Plan, reach: &Reach) -> String {
    format!(
        "a margin of {} % at {} % confidence over {} comparison{}",
        plan.decision.margin_percent,
        plan.decision.confidence_percent,
        reach.family,
        if reach.family == 1 { "" } else { "s" }
    )
}

/// Weights of all arms at once.
struct Weights {
    /// Files of the arms, each as often as it is loaded.
    bytes: u64,
    /// Arms whose form is not made yet.
    unknown: usize,
}

/// How much of the model is run.
fn extent(plan: &Plan, prepared: &Prepared) -> String {
    let slices = prepared.slices.of_arms(plan);
    let named = plan.arms.iter().any(|arm| plan.layers_of(arm).is_some());
    let words = |slice: &ArmSlice| extent_words((slice.layers, slice.of_layers));
    match slices.first() {
        None if named => "a slice of a form that is not made yet".to_owned(),
        None => "the whole file in every arm".to_owned(),
        Some(first)
            if slices.len() == plan.arms.len()
                && slices.iter().all(|slice| slice.layers == first.layers) =>
        {
            format!("{} in every arm", words(first))
        }
        Some(_) => {
            let each = slices.iter().map(|slice| format!("{}: {}", slice.arm, words(slice)));
            each.collect::<Vec<String>>().join("; ")
        }
    }
}

fn weights(plan: &Plan, prepared: &Prepared) -> Weights {
    let files = plan.arms.iter().map(|arm| prepared.file_of(plan, arm));
    let files: Vec<Option<u64>> = files.map(|file| Some(file?.1)).collect();
    Weights {
        bytes: files.iter().flatten().sum(),
        unknown: files.iter().filter(|file| file.is_none()).count(),
    }
}

/// Minutes as in the run that the noise was read from, or else the last one of this question.
fn time(
    plan: &Plan,
    cost: &Cost,
    prior: &[PriorExperiment],
    items: usize,
    project: &Project,
) -> TimeEstimate {
    let unknown = |because: String| TimeEstimate::Unknown { because };
    let last = prior.iter().rev().find_map(|one| Some(format!("{}/{}", one.id, one.run.as_ref()?)));
    let name = match (&plan.noise.source, last) {
        (Some(NoiseSource::Record(record)), _) => record.clone(),
        (_, Some(last)) => last,
        (_, None) => return unknown("nothing like it was run here before".to_owned()),
    };
    let record = match super::show::find(project, &name) {
        Ok(record) => record,
        Err(failure) => return unknown(format!("{name} cannot be read: {}", failure.what)),
    };
    let facts = &record.sealed.facts;
    if !facts.end.is_regular() {
        return unknown(format!("{name} did not complete"));
    }
    let mut schedule = design::schedule(&record.plan, items);
    schedule.rounds.truncate(record.sealed.analysis.rounds_judged as usize);
    let measured = MeasuredRun {
        name: &name,
        plan: &record.plan,
        cost: &design::cost(&record.plan, &schedule),
        wall_nanoseconds: facts.wall_nanoseconds,
    };
    design::estimated_time(plan, cost, &measured)
}

/// Writes the chances of each outcome against the true effect, as an SVG plot.
pub(super) fn write_plot(
    project: &Project,
    path: &Path,
    plan: &Plan,
    operating: Result<&Operating, String>,
) -> Result<(), Failure> {
    let operating = operating.map_err(|why| {
        Failure::failed(format!("there is nothing to plot: {why}")).at(path.display())
    })?;
    let title = format!("{}: what {} rounds can show", plan.id, plan.design.rounds);
    output_file::write(project, path, report::operating_svg(operating, &title).as_bytes())
}

/// Off's worker executable, where it is named and not there.
fn missing_worker(plan: &Plan, project: &Project, found: &Executables) -> Option<String> {
    match plan.worker_of(plan.arms.get(plan.off())?) {
        WorkerChoice::Executable(path) if !project.resolve(path).is_file() => Some(path.clone()),
        WorkerChoice::Build(build) if !found.built.contains_key(build.as_ref()) => {
            Some(worker_name(plan.worker_of(plan.arms.get(plan.off())?)))
        }
        WorkerChoice::Executable(_)
        | WorkerChoice::Native
        | WorkerChoice::Build(_)
        | WorkerChoice::Peer(_) => None,
    }
}
