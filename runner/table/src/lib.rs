//! Plain sample rows in and out of files. The only user of polars.
//!
//! The sealed hash is over the rows themselves, not over a file's bytes, so that a record can
//! be checked whatever wrote the file.

mod row;

pub use row::{SampleRow, SampleState, Work};
