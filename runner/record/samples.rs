//! The samples of a record.

use sample_table::{SampleRow, TableError};

use super::runs;
use super::sealed::Record;
use crate::failure::Failure;
use crate::project::Project;

/// Reads the samples that a record seals.
///
/// # Errors
/// When the file is missing, cannot be read by this build, or holds other rows than were sealed.
pub fn read_samples(project: &Project, record: &Record) -> Result<Vec<SampleRow>, Failure> {
    let sealed = &record.sealed;
    let path = runs::run_folder(project, &sealed.id, &sealed.run).join(&sealed.samples.file);
    let rows = sample_table::read(&path).map_err(|error| {
        let failure = Failure::failed(error.to_string());
        match error {
            // it says itself what to do
            TableError::WithoutParquet { .. } => failure,
            _ => failure.hint("restore it from version control"),
        }
    })?;
    if sample_table::rows_hash(&rows) != sealed.samples.rows_blake3.as_str() {
        return Err(Failure::failed("its rows are not those that were sealed")
            .at(path.display())
            .hint("restore it from version control"));
    }
    Ok(rows)
}
