//! `runner model forms`: forms of a model that are at hand, and those that are asked for.

use std::num::NonZero;
use std::path::PathBuf;

use engine_protocol::{Form, TensorTypeBytes};
use runner::exec::{self, FormMaker, FormOutcome};
use runner::manifest::WorkerChoice;
use runner::model::{self, FormFile, ModelFile, Verification, form_name};
use runner::project::Project;
use runner::{Failure, FailureKind};
use serde_json::{Value, json};

use super::context::App;
use super::outcome::Outcome;

/// Of which model, and what to make.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A model of the catalogue, or the path of a GGUF file
    model: String,
    /// Make these forms where they are missing: `f16,q8_0,q4_0`
    #[arg(long, value_name = "FORM", value_delimiter = ',')]
    make: Vec<String>,
    /// Threads of the quantiser; by default as many as the machine has
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Let this worker executable make them instead of the built-in engine
    #[arg(long, value_name = "FILE")]
    worker: Option<PathBuf>,
}

/// Makes what is asked for, then lists what is there.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let project = app.project()?;
    let wanted = wanted(&arguments.make)?;
    let choice = model::choose(&arguments.model, &project)?;
    let source = model::resolve(&choice, &project)?;
    let outcomes =
        if wanted.is_empty() { Vec::new() } else { make(&source, &wanted, arguments, &project)? };
    let kept = model::kept_forms(&source, &project, Verification::Remembered)?;
    let (mut forms, mut faulty) = (Vec::new(), Vec::new());
    for form in kept {
        match form {
            Ok(form) => forms.push(form),
            Err(failure) => faulty.push(failure),
        }
    }
    let not_made: Vec<(Form, &Failure)> = outcomes
        .iter()
        .filter_map(|outcome| match outcome {
            FormOutcome::NotMade(form, failure) => Some((*form, failure)),
            FormOutcome::Kept(_) | FormOutcome::Made(_) => None,
        })
        .collect();
    if app.global.json {
        app.terminal.json(&as_json(&source, &forms, &outcomes, &faulty)?)?;
    } else {
        for outcome in &outcomes {
            app.terminal.note(said(outcome))?;
        }
        app.terminal.line(table(&source, &forms, app.terminal.width)?)?;
        for failure in &faulty {
            app.terminal.note(format!("not usable: {failure}"))?;
        }
    }
    match (not_made.first(), faulty.is_empty()) {
        (Some((_, failure)), _) if failure.kind == FailureKind::Refused => Ok(Outcome::Refused),
        (Some(_), _) | (None, false) => Ok(Outcome::Found),
        (None, true) => Ok(Outcome::Done),
    }
}

/// Each form once, in the order in which it was asked for.
fn wanted(texts: &[String]) -> Result<Vec<Form>, Failure> {
    let mut forms = Vec::new();
    for text in texts {
        let form = model::read_form(text).map_err(|failure| failure.at("--make"))?;
        if !forms.contains(&form) {
            forms.push(form);
        }
    }
    Ok(forms)
}

fn make(
    source: &ModelFile,
    wanted: &[Form],
    arguments: &Arguments,
    project: &Project,
) -> Result<Vec<FormOutcome>, Failure> {
    let worker = match &arguments.worker {
        None => WorkerChoice::Native,
        Some(path) => {
            let path = std::path::absolute(path)
                .map_err(|error| Failure::usage(error.to_string()).at(path.display()))?;
            WorkerChoice::Executable(path.display().to_string())
        }
    };
    let all = || std::thread::available_parallelism().map_or(1, NonZero::get);
    let threads = arguments.threads.unwrap_or_else(|| u32::try_from(all()).unwrap_or(1));
    let executables = exec::executables(&project.root)?;
    let maker = FormMaker { worker: &worker, executables: &executables, threads };
    exec::make_forms(source, wanted, &maker, project)
}

fn said(outcome: &FormOutcome) -> String {
    match outcome {
        FormOutcome::Made(file) => format!(
            "{}: made, {} bytes, {}",
            form_name(file.sidecar.form),
            file.sidecar.bytes,
            model::shares(&file.sidecar.tensor_types)
        ),
        FormOutcome::Kept(file) => {
            format!("{}: at hand since {}", form_name(file.sidecar.form), file.sidecar.made_at)
        }
        FormOutcome::NotMade(form, failure) => {
            format!("{}: not made: {failure}", form_name(*form))
        }
    }
}

fn table(source: &ModelFile, forms: &[FormFile], width: usize) -> Result<String, Failure> {
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_header(["form", "bytes", "tensor types by bytes", "SHA-256", "weights"]);
    table.add_row([
        "as the file is".to_owned(),
        source.bytes.to_string(),
        model::shares(&types_of(source)?),
        source.sha256.as_str().to_owned(),
        source.derived_from.clone().unwrap_or_else(|| "unknown".to_owned()),
    ]);
    for form in forms {
        let sidecar = &form.sidecar;
        table.add_row([
            form_name(sidecar.form).to_owned(),
            sidecar.bytes.to_string(),
            model::shares(&sidecar.tensor_types),
            sidecar.sha256.as_str().to_owned(),
            format!(
                "{} by {} {}",
                sidecar.derivation(),
                sidecar.engine.name,
                sidecar.engine.version
            ),
        ]);
    }
    table.set_width(u16::try_from(width).unwrap_or(u16::MAX));
    table.set_content_arrangement(comfy_table::ContentArrangement::Dynamic);
    Ok(format!("{}\n{table}", source.name))
}

fn types_of(source: &ModelFile) -> Result<Vec<TensorTypeBytes>, Failure> {
    Ok(model::inspect(&source.path)?.tensor_types)
}

fn as_json(
    source: &ModelFile,
    forms: &[FormFile],
    outcomes: &[FormOutcome],
    faulty: &[Failure],
) -> Result<Value, Failure> {
    let form = |file: &FormFile| {
        let sidecar = &file.sidecar;
        json!({
            "form": sidecar.form, "path": file.path, "bytes": sidecar.bytes,
            "sha256": sidecar.sha256.as_str(), "tensor_types": sidecar.tensor_types,
            "share_percent": model::share_percent(sidecar.form, &sidecar.tensor_types),
            "derivation": sidecar.derivation(),
            "weights_derived_from": sidecar.weights_derived_from(source),
            "engine": sidecar.engine, "made_at": sidecar.made_at,
        })
    };
    let outcome = |outcome: &FormOutcome| match outcome {
        FormOutcome::Made(file) => json!({ "form": file.sidecar.form, "outcome": "made" }),
        FormOutcome::Kept(file) => json!({ "form": file.sidecar.form, "outcome": "at_hand" }),
        FormOutcome::NotMade(form, failure) => json!({
            "form": form, "outcome": "not_made", "what": failure.what, "hint": failure.hint,
        }),
    };
    Ok(json!({
        "model": {
            "name": source.name, "path": source.path, "bytes": source.bytes,
            "sha256": source.sha256.as_str(), "tensor_types": types_of(source)?,
            "weights_derived_from": source.derived_from,
        },
        "forms": forms.iter().map(form).collect::<Vec<Value>>(),
        "asked": outcomes.iter().map(outcome).collect::<Vec<Value>>(),
        "faulty": faulty
            .iter()
            .map(|failure| json!({ "place": failure.place, "what": failure.what, "hint": failure.hint }))
            .collect::<Vec<Value>>(),
    }))
}
