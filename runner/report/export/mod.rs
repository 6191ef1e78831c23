//! Records in the forms of other programs: one file a form, pure functions of a record.

mod bencher;
mod github_summary;
mod ro_crate;
mod samples_csv;
mod samples_json;

pub use bencher::{Bencher, bencher};
pub use github_summary::github_summary;
pub use ro_crate::{CrateFile, RO_CRATE_FILE, ro_crate};
pub use samples_csv::samples_csv;
pub use samples_json::{SAMPLE_COLUMNS, samples_json};
