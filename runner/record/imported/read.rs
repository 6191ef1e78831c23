//! Reads imports back.

use std::path::Path;

use serde::Deserialize;

use super::form::{IMPORTED_FOLDER, IMPORTED_VERSION, Imported, ImportedSample, Series};
use super::store::{IMPORTED_FILE, SAMPLES_FILE};
use crate::failure::Failure;
use crate::manifest::ImportName;
use crate::project::Project;
use crate::record::store;
use crate::record::{ContentHash, seal_line};

/// An import with its values.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredImport {
    /// `imported.toml`.
    pub imported: Imported,
    /// Each series with its values, in order.
    pub values: Vec<Vec<f64>>,
}

impl StoredImport {
    /// Each series with its values.
    pub fn series(&self) -> impl Iterator<Item = (&Series, &[f64])> {
        self.imported.series.iter().zip(self.values.iter().map(Vec::as_slice))
    }
}

/// An import in a list.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportRow {
    /// Its folder's name.
    pub name: String,
    /// What it holds, or why it cannot be read.
    pub read: Result<Imported, String>,
}

/// All imports, by name.
///
/// # Errors
/// When the folder cannot be read. What is wrong with one of them stands in its row.
pub fn imports(project: &Project) -> Result<Vec<ImportRow>, Failure> {
    let folder = project.results.join(IMPORTED_FOLDER);
    let names = store::names_in(&folder)?.into_iter();
    let names = names.filter(|name| folder.join(name).join(IMPORTED_FILE).is_file());
    Ok(names
        .map(|name| {
            let read = head(&folder.join(&name)).map_err(|failure| failure.what);
            ImportRow { name, read }
        })
        .collect())
}

/// An import, whole; its seal and the hash of its samples are checked.
///
/// # Errors
/// When there is none, or it was changed.
pub fn read_import(project: &Project, name: &ImportName) -> Result<StoredImport, Failure> {
    let folder = project.results.join(IMPORTED_FOLDER).join(name.as_str());
    if !folder.join(IMPORTED_FILE).is_file() {
        return Err(Failure::failed("there is no such import")
            .at(format!("{IMPORTED_FOLDER}/{name}"))
            .hint("`runner list` names all imports"));
    }
    let imported = head(&folder)?;
    let values = values(&folder, &imported)?;
    Ok(StoredImport { imported, values })
}

/// `imported.toml` of a folder, its seal checked.
pub(super) fn head(folder: &Path) -> Result<Imported, Failure> {
    #[derive(Deserialize)]
    struct Version {
        format_version: u32,
    }
    let path = folder.join(IMPORTED_FILE);
    let text = store::read_text(&path)?;
    let content = seal_line::without_seal(&text).map_err(|why| {
        Failure::failed(why).at(path.display()).hint("restore it from version control")
    })?;
    let version = toml::from_str::<Version>(content).ok().map(|version| version.format_version);
    if let Some(version) = version.filter(|version| *version > IMPORTED_VERSION) {
        return Err(Failure::failed(format!(
            "an import of version {version}; this program reads version {IMPORTED_VERSION}"
        ))
        .at(path.display())
        .hint("use the newer release of runner"));
    }
    toml::from_str(content).map_err(|error| {
        Failure::failed(format!("cannot be understood: {}", error.message())).at(path.display())
    })
}

/// Values by series, in the order of the file, which is held against its hash.
pub(super) fn values(folder: &Path, imported: &Imported) -> Result<Vec<Vec<f64>>, Failure> {
    let path = folder.join(SAMPLES_FILE);
    let text = store::read_text(&path)?;
    let wrong = |what: String| {
        Failure::failed(what).at(path.display()).hint("restore it from version control")
    };
    let actual = ContentHash::of(text.as_bytes());
    if actual != imported.samples.blake3 {
        let sealed = &imported.samples.blake3;
        return Err(wrong(format!(
            "changed after it was stored: it hashes to {actual}, stored was {sealed}"
        )));
    }
    let mut values = vec![Vec::new(); imported.series.len()];
    for (number, line) in (1..).zip(text.lines()) {
        let sample: ImportedSample = serde_json::from_str(line)
            .map_err(|error| wrong(format!("line {number} is no sample: {error}")))?;
        let place = usize::try_from(sample.series).unwrap_or(usize::MAX);
        match values.get_mut(place) {
            Some(of_series) => of_series.push(sample.value),
            None => return Err(wrong(format!("line {number} names no series of the import"))),
        }
    }
    for (series, found) in imported.series.iter().zip(&values) {
        if found.len() != usize::try_from(series.values).unwrap_or(usize::MAX) {
            let (label, stated) = (&series.label, series.values);
            let found = found.len();
            return Err(wrong(format!("`{label}` has {found} values and states {stated}")));
        }
    }
    Ok(values)
}
