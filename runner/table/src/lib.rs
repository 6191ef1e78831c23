//! Plain sample rows in and out of files. The only user of polars.
//!
//! The sealed hash is over the rows themselves, not over a file's bytes, so that a record can
//! be checked whatever wrote the file.

mod canonical;
mod error;
mod file;
mod jsonl;
#[cfg(feature = "parquet")]
mod parquet;
mod row;

pub use canonical::{
    CANONICAL_HEADER, CANONICAL_HEADER_WITH_ENERGY, canonical_rows, rows_hash, state_name,
    work_name,
};
pub use error::TableError;
pub use file::{Format, PREFERRED, decode, encode, read, write};
pub use row::{SampleEnergy, SampleRow, SampleState, Work};
