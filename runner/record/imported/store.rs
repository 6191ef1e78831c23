//! Writes an import: once, and never over another.

use super::form::{
    IMPORTED_FOLDER, IMPORTED_VERSION, Imported, ImportedSample, ImportedSamples, ImportedSource,
    NewImport, Series,
};
use crate::failure::Failure;
use crate::manifest::ImportName;
use crate::project::Project;
use crate::record::seal_line;
use crate::record::store;
use crate::record::{ContentHash, without_private_paths};

pub(super) const IMPORTED_FILE: &str = "imported.toml";
pub(super) const SAMPLES_FILE: &str = "samples.jsonl";

/// Stores what was read of a file under `results/imported/<name>/`. Absolute paths become relative
/// or mere file names.
///
/// # Errors
/// When there is an import of this name, or a file cannot be written.
pub fn store_import(
    project: &Project,
    name: &ImportName,
    new: &NewImport,
    source: ImportedSource,
    (imported_at, commit): (String, Option<String>),
) -> Result<Imported, Failure> {
    let folder = project.results.join(IMPORTED_FOLDER).join(name.as_str());
    if folder.join(IMPORTED_FILE).exists() {
        return Err(Failure::usage("there is an import of this name already")
            .at(format!("{IMPORTED_FOLDER}/{name}"))
            .hint("choose another with `--name`; imports are never overwritten"));
    }
    let clean = |text: &String| without_private_paths(text, &project.root);
    let mut lines = String::new();
    let mut rows = 0;
    let mut series = Vec::new();
    for (place, one) in (0_u32..).zip(&new.series) {
        for (index, (value, nanoseconds)) in (0_u32..).zip(&one.values) {
            let sample =
                ImportedSample { series: place, index, value: *value, nanoseconds: *nanoseconds };
            let line = serde_json::to_string(&sample)
                .map_err(|error| Failure::failed(error.to_string()))?;
            lines.push_str(&line);
            lines.push('\n');
            rows += 1;
        }
        let settings = &one.series.settings;
        series.push(Series {
            label: clean(&one.series.label),
            values: u32::try_from(one.values.len()).unwrap_or(u32::MAX),
            settings: settings.iter().map(|(key, value)| (key.clone(), clean(value))).collect(),
            ..one.series.clone()
        });
    }
    let imported = Imported {
        format_version: IMPORTED_VERSION,
        name: name.clone(),
        imported_at,
        tool: new.tool.clone(),
        written_as: new.written_as.clone(),
        commit,
        source,
        samples: ImportedSamples {
            file: SAMPLES_FILE.to_owned(),
            rows,
            blake3: ContentHash::of(lines.as_bytes()),
        },
        stated: new.stated.iter().map(|(key, value)| (key.clone(), clean(value))).collect(),
        series,
    };
    let text = toml::to_string(&imported).map_err(|error| Failure::failed(error.to_string()))?;
    store::make_folder(&folder)?;
    store::write_whole(&folder.join(SAMPLES_FILE), lines.as_bytes())?;
    store::write_whole(&folder.join(IMPORTED_FILE), seal_line::with_seal(&text).as_bytes())?;
    Ok(imported)
}
