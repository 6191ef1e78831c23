//! Pages in HTML: one self-contained file of a record, and the index of all. Each part of a page is
//! a model of texts that a template fills in; the template escapes them.

mod blocks;
mod bounds;
mod coded;
mod comparison;
mod context;
mod contracts;
mod course;
mod design;
mod facts;
mod figure;
mod finished;
mod forest;
mod ladder;
mod page;
mod provenance;
mod result;
mod site;
mod site_record;
mod state;
mod tables;
mod verdict;

#[cfg(test)]
mod page_tests;
#[cfg(test)]
mod site_tests;

pub(crate) use coded::coded;
pub use context::{PageContext, SamplesShown};
pub use page::html_page;
pub use site::html_index;
pub use site_record::SiteRecord;
