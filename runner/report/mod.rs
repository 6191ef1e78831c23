//! Tables for terminals and Markdown, the overview, and JSON forms. Pure functions of records.

mod escape;
mod figures;
mod index;
mod json;
mod listing;
mod markdown;
mod notes;
mod rows;
#[cfg(test)]
mod table_tests;
mod terminal;

pub use escape::{markdown_text, plain_text};
pub use figures::{confidence, percent_change, quantity, ratio, seconds};
pub use index::index;
pub use json::{findings_json, listing_json, record_json};
pub use listing::terminal_listing;
pub use markdown::markdown_table;
pub use terminal::{Style, terminal_table};
