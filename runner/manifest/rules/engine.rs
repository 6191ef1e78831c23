//! Version of the language, engine and model: one of each, and known.

use crate::manifest::builds::Builds;
use crate::manifest::checked::CheckedTable;
use crate::manifest::code::Code;
use crate::manifest::diagnostics::Diagnostic;
use crate::manifest::draft::{self, ArmDraft};
use crate::manifest::faults::Faults;
use crate::manifest::plan::WorkerChoice;
use crate::manifest::scalar::shorten;
use crate::manifest::span::Span;
use crate::manifest::suggest::nearest;
use crate::manifest::surroundings::Surroundings;

pub(super) fn hold(
    root: &CheckedTable,
    arms: &[ArmDraft],
    (builds, surroundings): (&Builds, &dyn Surroundings),
    faults: &mut Faults,
) {
    if let Some(schema) = root.whole("schema")
        && schema.value != 1
    {
        faults.push(
            Diagnostic::error(
                Code::SCHEMA_VERSION,
                schema.span,
                format!("this program reads version 1 of the language, not {}", schema.value),
            )
            .help("write `schema = 1`, or use the program that the manifest was made for"),
        );
    }
    for table in root.table("engine").into_iter().chain(root.tables("arm")) {
        exclusive(table, "build", "worker", faults);
        if let Some(unknown) = builds.unknown(table) {
            faults.push(unknown);
        }
    }
    if let Some(engine) = root.table("engine") {
        model(engine, surroundings, faults);
    }
    let engine_worker = root.table("engine").and_then(|engine| draft::worker(engine, builds));
    let workers = engine_worker.iter().chain(arms.iter().filter_map(|arm| arm.worker.as_ref()));
    for worker in workers {
        if let WorkerChoice::Executable(path) = &worker.value
            && !surroundings.is_file(path)
        {
            faults.push(
                Diagnostic::warning(
                    Code::NO_SUCH_FILE,
                    worker.span.clone(),
                    format!("there is no worker executable `{}` yet", shorten(path)),
                )
                .help("build it before `runner register`; the path starts at the project's root"),
            );
        }
    }
}

fn exclusive(table: &CheckedTable, one: &str, other: &str, faults: &mut Faults) {
    if let (Some(first), Some(second)) = (table.wrote(one), table.wrote(other)) {
        faults.push(
            Diagnostic::error(
                Code::EXCLUSIVE_KEYS,
                second,
                format!("`{one}` and `{other}` exclude each other"),
            )
            .also(first, "the other one")
            .help("leave one of them out"),
        );
    }
}

fn model(engine: &CheckedTable, surroundings: &dyn Surroundings, faults: &mut Faults) {
    exclusive(engine, "model", "model_file", faults);
    let (named, file, sha256) =
        (engine.wrote("model"), engine.wrote("model_file"), engine.wrote("model_sha256"));
    let catalogue = named.clone().or_else(|| file.is_none().then(|| engine.span.clone()));
    let known = catalogue.and_then(|place| known_models(place, surroundings, faults));
    match (&named, &file, &sha256) {
        (None, None, _) => faults.push(
            Diagnostic::error(Code::MISSING_KEY, engine.span.clone(), "`[engine]` names no model")
                .help(format!(
                    "add `model = \"{}\"`, or `model_file` with `model_sha256`",
                    known.iter().flatten().next().map_or("builtin-tiny", String::as_str)
                )),
        ),
        (None, Some(place), None) => faults.push(
            Diagnostic::error(
                Code::MISSING_KEY,
                place.clone(),
                "`model_file` needs `model_sha256` beside it",
            )
            .help("`sha256sum FILE` prints it (macOS: `shasum -a 256 FILE`)"),
        ),
        (Some(model), None, Some(place)) => faults.push(
            Diagnostic::error(
                Code::EXCLUSIVE_KEYS,
                place.clone(),
                "`model_sha256` belongs to `model_file`",
            )
            .also(model.clone(), "the catalogue knows the hash of this one")
            .help("leave `model_sha256` out"),
        ),
        _ => {}
    }
    if let (Some(model), Some(known)) = (engine.text("model"), known)
        && !known.contains(&model.value)
    {
        let fault = Diagnostic::error(
            Code::UNKNOWN_MODEL,
            model.span,
            format!("the catalogue has no model `{}`", shorten(&model.value)),
        );
        faults.push(match nearest(&model.value, known.iter().map(String::as_str)) {
            Some(near) => fault.help(format!("did you mean `model = \"{near}\"`?")),
            None => fault.help(format!(
                "known: {}; a file of your own: `model_file` with `model_sha256`",
                known.join(", ")
            )),
        });
    }
    if let Some(path) = engine.text("model_file")
        && !surroundings.is_file(&path.value)
    {
        faults.push(
            Diagnostic::warning(
                Code::NO_SUCH_FILE,
                path.span,
                format!("there is no file `{}`", shorten(&path.value)),
            )
            .help("the path is absolute, or starts at the project's root; `exec` will refuse"),
        );
    }
}

/// Names in the catalogue. A catalogue that cannot be read is a fault where a model is named.
fn known_models(
    place: Span,
    surroundings: &dyn Surroundings,
    faults: &mut Faults,
) -> Option<Vec<String>> {
    match surroundings.model_names() {
        Ok(known) => Some(known),
        Err(failure) => {
            faults.push(
                Diagnostic::error(
                    Code::BAD_CATALOGUE,
                    place,
                    "the catalogue of models cannot be read",
                )
                .retell(failure),
            );
            None
        }
    }
}
