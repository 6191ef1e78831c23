//! The samples of a record.

use sample_table::SampleRow;

use super::runs;
use super::sealed::Record;
use super::store;
use crate::failure::Failure;
use crate::project::Project;

/// The samples that a record was judged on.
///
/// # Errors
/// When the file cannot be read, its format is not in this build, or it was changed.
pub fn samples(project: &Project, record: &Record) -> Result<Vec<SampleRow>, Failure> {
    let sealed = &record.sealed;
    let folder = runs::run_folder(project, &sealed.id, &sealed.run);
    let path = folder.join(&sealed.samples.file);
    let rows = store::read_samples(&path)?;
    if sample_table::rows_hash(&rows) == sealed.samples.rows_blake3.as_str() {
        return Ok(rows);
    }
    Err(Failure::failed("the samples were changed after they were sealed")
        .at(path.display())
        .hint("restore them from version control"))
}
