//! Two records side by side: what is the same, what differs, and their comparisons beside one
//! another. Of the difference between them there is no verdict.

mod facts;
mod pairs;
mod text;

pub use text::{two_records_json, two_records_text};
