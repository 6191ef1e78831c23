//! Imports are as they were stored: seal, hash of the samples, schema.

use super::form::IMPORTED_FOLDER;
use super::read::{head, values};
use super::store::{IMPORTED_FILE, SAMPLES_FILE};
use crate::failure::Failure;
use crate::project::Project;
use crate::record::store;
use crate::record::verify::{Finding, failed, stray};

/// What a verification has to say of the folder of imports.
pub(in crate::record) fn verify_imported(project: &Project) -> Result<Vec<Finding>, Failure> {
    let all = project.results.join(IMPORTED_FOLDER);
    let mut findings = Vec::new();
    for name in store::names_in(&all)? {
        let folder = all.join(&name);
        let place = format!("{IMPORTED_FOLDER}/{name}");
        if !folder.is_dir() {
            findings.push(stray(&place));
            continue;
        }
        let files = store::names_in(&folder)?;
        for file in &files {
            if file != IMPORTED_FILE && file != SAMPLES_FILE {
                findings.push(stray(&format!("{place}/{file}")));
            }
        }
        for file in [IMPORTED_FILE, SAMPLES_FILE] {
            if !files.iter().any(|other| other == file) {
                findings.push(failed(&format!("{place}/{file}"), "missing".to_owned()));
            }
        }
        match head(&folder) {
            Err(_) if !files.iter().any(|file| file == IMPORTED_FILE) => {}
            Err(failure) => {
                findings.push(failed(&format!("{place}/{IMPORTED_FILE}"), failure.what));
            }
            Ok(imported) => {
                if imported.name.as_str() != name {
                    let what = format!("it is the import `{}`", imported.name);
                    findings.push(failed(&format!("{place}/{IMPORTED_FILE}"), what));
                }
                if let Err(failure) = values(&folder, &imported) {
                    findings.push(failed(&format!("{place}/{SAMPLES_FILE}"), failure.what));
                }
            }
        }
    }
    Ok(findings)
}
