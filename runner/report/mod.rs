//! Tables for terminals and Markdown, pages in HTML, the overview, and JSON forms. Pure functions of records.

mod axis_range;
mod benchmarks;
mod beside;
mod bounds;
mod details;
mod drafts;
mod energy;
mod escape;
#[cfg(test)]
mod example;
mod export;
mod figures;
mod floors;
mod history;
mod html;
mod imported;
mod index;
mod json;
mod json_description;
mod labelled;
mod ladder;
mod life;
mod listing;
mod machine_bounds;
mod machines;
mod markdown;
#[cfg(test)]
mod markdown_tests;
mod notes;
mod operating;
#[cfg(test)]
mod operating_tests;
mod overview;
#[cfg(test)]
mod overview_tests;
mod page;
mod peers;
mod plot;
mod prior_art;
mod processes;
mod regimes;
mod rows;
mod rules_differences;
mod servers;
mod spread;
mod stale;
mod terminal;
#[cfg(test)]
mod terminal_tests;
mod two;
mod weights;

pub use benchmarks::benchmarks;
pub use beside::{beside_json, beside_markdown, beside_text};
pub use escape::{markdown_text, plain_text};
pub use export::{
    Bencher, CrateFile, RO_CRATE_FILE, SAMPLE_COLUMNS, bencher, github_summary, ro_crate,
    samples_csv, samples_json,
};
pub use figures::{confidence, percent_change, quantity, ratio, seconds};
pub use floors::{floor_check_json, floor_check_text, floors_json, floors_text};
pub use history::history_page;
pub use html::{PageContext, SamplesShown, SiteRecord, html_index, html_page};
pub use imported::{
    import_json, import_table, imports_json, imports_listing, parallels_json, parallels_text,
};
pub use index::index;
pub use json::{findings_json, listing_json, record_json};
pub use labelled::{fitted_line, labelled_line};
pub use life::{
    deviation_json, deviation_text, life_banner, life_json, life_markdown, life_text, state_json,
};
pub use listing::terminal_listing;
pub use machine_bounds::machine_bounds_table;
pub use machines::{by_machine_json, by_machine_text};
pub use markdown::markdown_table;
pub use operating::{operating_markdown, operating_text};
pub use page::markdown_page;
pub use plot::operating_svg;
pub use prior_art::{prior_art_json, prior_art_short, prior_art_text};
pub use rules_differences::{RulesDifference, rules_differences_json, rules_differences_text};
pub use spread::{spread_json, spread_table};
pub use stale::{stale_json, stale_text};
pub use terminal::{Detail, Style, terminal_table};
pub use two::{two_records_json, two_records_text};
