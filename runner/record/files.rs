//! A record's files as they lie there, for those who carry it elsewhere.

use super::ledger::ledger_folder;
use super::read::check_file;
use super::runs::{self, LEDGER_FOLDER, RECORD_FILE};
use super::sealed::Record;
use super::store;
use crate::failure::Failure;
use crate::project::Project;

/// All files of a record with the ledger entry that registered it, by name. Each is held against
/// the hash that `record.toml` has of it.
///
/// # Errors
/// When one cannot be read, or was changed.
pub fn record_files(project: &Project, record: &Record) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let sealed = &record.sealed;
    let folder = runs::run_folder(project, &sealed.id, &sealed.run);
    let mut files = vec![(RECORD_FILE.to_owned(), store::read_bytes(&folder.join(RECORD_FILE))?)];
    for name in sealed.files.keys() {
        let path = folder.join(name);
        let bytes = store::read_bytes(&path)?;
        check_file(&sealed.files, name, &bytes, &path)?;
        files.push((name.clone(), bytes));
    }
    let entry = format!("{}.toml", sealed.registration);
    let bytes = store::read_bytes(&ledger_folder(project, &sealed.id).join(&entry))?;
    files.push((format!("{LEDGER_FOLDER}/{entry}"), bytes));
    Ok(files)
}
